import { hash } from 'node:crypto'
import {
  computeBatchSize,
  describeTrap,
  listTraps,
  planBatch,
  randomShare,
  selectRandomBuckets,
} from '@clearway/contract/monitor/run/order/model.ts'
import { assignRoles } from '@clearway/contract/monitor/run/view/model.ts'
import { copyTallies, type VisitSums } from '@clearway/contract/monitor/run/visit/model.ts'
import type { NewEntry } from '../frontier.ts'

/** Entries of a run in memory that wait for their batch in the representative order. */
export type EntryPool = {
  add(entry: NewEntry, bucket: string): void
  /** Removes the entries of the next batch; none if only traps are left. */
  takeBatch(visitSums: VisitSums, pageLimit: number): NewEntry[]
  /** Remaining entries; traps are excluded. */
  list(visitSums: VisitSums): NewEntry[]
}

type PooledEntry = { entry: NewEntry; hash: string }

/** The hash of keys in the database, so that both frontiers choose the same entries. */
const hashKey = (key: string): string => hash('sha256', `${Buffer.byteLength(key)}:${key}`, 'hex').slice(0, 32)
/** Points in the space of hashes after which the random entries of a batch are taken. */
const computeRandomPoint = (seed: string, visitedCount: number, index: number): string =>
  hashKey(`${seed} ${visitedCount} ${index}`)

const compareEntries = (first: PooledEntry, second: PooledEntry): number =>
  (first.entry.rank ?? 0) - (second.entry.rank ?? 0) || (first.hash < second.hash ? -1 : 1)

/** Returns the first entry at or after a point, or else the first of all. */
function findAfter(entries: Iterable<PooledEntry>, point: string): PooledEntry | null {
  let next: PooledEntry | null = null
  let first: PooledEntry | null = null
  for (const pooled of entries) {
    if (first === null || pooled.hash < first.hash) first = pooled
    if (pooled.hash >= point && (next === null || pooled.hash < next.hash)) next = pooled
  }
  return next ?? first
}

export function openEntryPool(seed: string): EntryPool {
  const buckets = new Map<string, PooledEntry[]>()
  const take = (bucket: string, pooled: PooledEntry): NewEntry => {
    const entries = buckets.get(bucket)!
    entries.splice(entries.indexOf(pooled), 1)
    if (entries.length === 0) buckets.delete(bucket)
    return pooled.entry
  }
  return {
    add(entry, bucket) {
      const entries = buckets.get(bucket) ?? []
      entries.push({ entry, hash: hashKey(entry.key) })
      buckets.set(bucket, entries)
    },
    takeBatch(visitSums, pageLimit) {
      const size = computeBatchSize(visitSums.count)
      const waiting = new Map([...buckets].map(([text, entries]) => [text, entries.length]))
      for (const entries of buckets.values()) entries.sort(compareEntries)
      const chosenEntries: NewEntry[] = []
      const randomCount = Math.round(size * randomShare)
      const tallies = copyTallies(visitSums)
      const roles = assignRoles(tallies, waiting)
      for (const text of planBatch({ tallies, roles, waiting, size: size - randomCount, pageLimit }))
        chosenEntries.push(take(text, buckets.get(text)![0]!))
      if (chosenEntries.length === 0) return []
      const randomBuckets = selectRandomBuckets([...buckets.keys()], roles, tallies)
      for (let index = 0; index < randomCount; index++) {
        const openEntries = randomBuckets.flatMap((text) => buckets.get(text) ?? [])
        const pooled = findAfter(openEntries, computeRandomPoint(seed, visitSums.count, index))
        if (pooled) chosenEntries.push({ ...take(pooled.entry.bucket!, pooled), isRandom: true })
      }
      return chosenEntries
    },
    list(visitSums) {
      const traps = new Set(listTraps(copyTallies(visitSums), buckets.keys()))
      return [...buckets].flatMap(([text, entries]) =>
        entries.map(({ entry }): NewEntry =>
          traps.has(text) ? { ...entry, exclusion: 'trap', detail: describeTrap(text) } : entry,
        ),
      )
    },
  }
}
