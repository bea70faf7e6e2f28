import { inTransaction } from '../../../kit/database.ts'
import type { Claim, NewEntry, StateOutcome } from '@clearway/engine/frontier.ts'
import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { sql } from 'kysely'
import { hashOf } from '../../../kit/hash.ts'
import { newId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { severities, type StoredPage } from '../../issue/model.ts'
import { blobHash } from '../../page/model.ts'
import { type FrontierDeps, insertEntries, recordEntry, releaseEntry, turnOf } from '../frontier/store.ts'
import type { Objects } from '../../page/object/model.ts'
import { contentOf, prepareBlobs, storeBlobs, viewsOf } from '../blob/store.ts'
import { healthNumber, healths } from '../../page/model.ts'
import { scoreOfPages, namesEvidence } from '../../page/table.ts'
import { entryState } from '../table.ts'
import { pageBefore, type PageBefore, stopReuse } from '../reuse/store.ts'

/** How the issues' side stores what was found on a page, in the same transaction. */
export type StoreFindings = (
  db: MonitorDb,
  page: StoredPage,
  findings: readonly Finding[],
  /** Called when the findings are matched to issues, before anything is written of them. */
  matched?: () => Promise<void>,
) => Promise<{ open: number[]; total: number }>

/** What the issues' side does for a page that is recorded. */
export type IssueSide = {
  storeFindings: StoreFindings
  /** Gives a page what was found on it before. */
  carryFindings: (
    db: MonitorDb,
    page: StoredPage,
    before: PageBefore,
  ) => Promise<{ open: number[]; total: number }>
  /** Whether findings are what was found on the page before. */
  sameFindings: (
    db: MonitorDb,
    page: StoredPage,
    before: PageBefore,
    findings: readonly Finding[],
  ) => Promise<boolean>
}

export type RecordDeps = FrontierDeps & {
  scanId: string
  runNumber: number
  issuesPerPage: number
  /** Unchanged pages keep what was found on them in these days; left out: none does. */
  reuseDays?: number
  /** Where bytes go; left out: into the database. */
  objects?: Pick<Objects, 'keep'>
}

type Completed = Extract<PageOutcome, { kind: 'completed' }>
type Visited = { finalUrl?: string; httpStatus?: number | null; mimeType?: string | null }

/** What every kind of outcome puts into the page's row. */
function rowOf(claim: Pick<Claim, 'url' | 'foundOn' | 'depth'>, outcome: PageOutcome) {
  const visited = outcome as Visited
  const otherDomain = outcome.kind === 'excluded' && outcome.reason === 'other-domain'
  return {
    url: claim.url,
    final_url: visited.finalUrl ?? null,
    // What a script calls a state says more than the title of its document, which several states may share.
    title: outcome.kind === 'completed' ? (outcome.stateLabel ?? outcome.title) : null,
    status: otherDomain ? ('otherDomainIgnored' as const) : outcome.kind,
    health: outcome.kind === 'completed' ? healths.indexOf(outcome.health) : null,
    failure: outcome.kind === 'failed' ? outcome.reason : null,
    exclusion: outcome.kind === 'excluded' ? outcome.reason : null,
    detail: outcome.detail ?? null,
    http_status: visited.httpStatus ?? null,
    mime_type: visited.mimeType ?? null,
    leads_to: outcome.kind === 'excluded' ? (outcome.leadsTo ?? null) : null,
    found_on: claim.foundOn,
    depth: claim.depth,
    duration_ms: Math.round(outcome.durationMs),
    analysed_at: sql<Date>`now()`,
  }
}

/** PostgreSQL takes no NUL in a text; a page may well have one. */
export const cleanText = <T>(value: T): T =>
  (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value) as T

/** What of a page is stored: at most the limit of findings; the rest are counted, and the page says so. */
export function storableFindings(
  deps: { issuesPerPage: number },
  outcome: PageOutcome,
): { findings: Finding[]; notStored: number; notices: PageNotice[] } {
  if (outcome.kind !== 'completed') return { findings: [], notStored: 0, notices: [] }
  const notStored = Math.max(0, outcome.findings.length - deps.issuesPerPage)
  return {
    findings: outcome.findings.slice(0, deps.issuesPerPage),
    notStored,
    notices: notStored > 0 ? [...outcome.notices, 'issue-limit-reached'] : outcome.notices,
  }
}

/** Where a page is in its run, whatever became of it. */
type VisitedUrl = Pick<Claim, 'url' | 'foundOn' | 'depth'> & { keyHash: Buffer; attempt: number }

/** What a page adds to its run. `differs`: it was unchanged, and had other findings all the same. */
type Added = {
  outcome: PageOutcome
  counts: readonly number[]
  total: number
  attempt: number
  differs?: boolean
}

/** A column of the run's counters, and what is added to it. */
type Step = readonly [column: string, by: number]

const stepsOf = ({ outcome, counts, total, attempt }: Added): Step[] => [
  ['total_issues', total],
  ['retried', attempt > 1 ? 1 : 0],
  ...(outcome.kind === 'excluded' ? [] : [[outcome.kind, 1] as const]),
  ...(outcome.kind === 'completed'
    ? ([
        [`health_${outcome.health}`, 1],
        ['carried', outcome.unchanged ? 1 : 0],
        ['audited', outcome.audited ? 1 : 0],
      ] as const)
    : []),
  ...severities.map((name, index) => [name.replace(' ', '_'), counts[index] ?? 0] as const),
]

/** Adds pages to their run, in its turn: one change of its row, whatever their number. */
async function addToRun(db: MonitorDb, runId: string, added: readonly Added[]): Promise<void> {
  const sums = new Map<string, number>()
  for (const [column, by] of added.flatMap(stepsOf)) sums.set(column, (sums.get(column) ?? 0) + by)
  const raised = (column: string) => sql`(${sql.ref(column)} + ${sums.get(column) ?? 0}::int)`
  const sets = [...sums].flatMap(([column, by]) =>
    by === 0 ? [] : [sql`${sql.ref(column)} = ${raised(column)}`],
  )
  const score = scoreOfPages({
    critical: raised('health_critical'),
    serious: raised('health_serious'),
    moderate: raised('health_moderate'),
    good: raised('health_good'),
  })
  await sql`with turn as materialized (select ${turnOf(runId)})
    update run set ${sql.join([sql`served_at = now()`, sql`score = ${score}`, ...sets])} from turn where run.id = ${runId}`.execute(
    db,
  )
}

const countsOf = (counts: readonly number[]) => ({
  critical: counts[0]!,
  serious: counts[1]!,
  moderate: counts[2]!,
  minor: counts[3]!,
  needs_review: counts[4]!,
})

/** What an unchanged page kept was removed meanwhile: it has to be visited again. */
class PageBeforeGone extends Error {}

/** Stores an unchanged page with what the run before has of it. @throws PageBeforeGone */
async function insertUnchanged(
  deps: RecordDeps & IssueSide,
  trx: MonitorDb,
  visited: VisitedUrl,
  outcome: Completed,
): Promise<Added> {
  const { keyHash } = visited
  const before = await pageBefore(trx, deps, keyHash)
  if (!before) throw new PageBeforeGone()
  const { scanId, runId, runNumber } = deps
  const page: StoredPage = { id: newId(), runId, scanId, runNumber, keyHash }
  const carried = await deps.carryFindings(trx, page, before)
  const health = healthNumber(carried.open)
  await trx
    .insertInto('page')
    .values({
      ...rowOf(visited, outcome),
      title: before.title,
      health,
      id: page.id,
      run_id: runId,
      scan_id: scanId,
      key_hash: keyHash,
      attempts: visited.attempt,
      notices: before.notices,
      detail: before.detail,
      not_stored: before.not_stored,
      content_hash: before.content_hash,
      views: before.views,
      fingerprint: before.fingerprint,
      carried_from: before.carried_from ?? before.number,
      analysed_at: before.analysed_at,
      ...countsOf(carried.open),
    })
    .execute()
  return {
    outcome: { ...outcome, health: healths[health]! },
    counts: carried.open,
    total: carried.total,
    attempt: visited.attempt,
  }
}

/** Whether a page that was analysed to be on the safe side had other findings than before. */
async function differsFromBefore(
  deps: RecordDeps & IssueSide,
  trx: MonitorDb,
  page: StoredPage,
  outcome: PageOutcome,
  findings: readonly Finding[],
): Promise<boolean> {
  if (outcome.kind !== 'completed' || !outcome.audited) return false
  const before = await pageBefore(trx, deps, page.keyHash)
  return before !== null && !(await deps.sameFindings(trx, page, before, findings))
}

/** Stores a page with its findings; answers what it adds to the run. The bytes that it names are there. */
async function insertPage(
  deps: RecordDeps & IssueSide,
  trx: MonitorDb,
  visited: VisitedUrl,
  outcome: PageOutcome,
): Promise<Added> {
  if (outcome.kind === 'completed' && outcome.unchanged) return insertUnchanged(deps, trx, visited, outcome)
  const { findings, notStored, notices } = storableFindings(deps, outcome)
  const page: StoredPage = {
    id: newId(),
    runId: deps.runId,
    scanId: deps.scanId,
    runNumber: deps.runNumber,
    keyHash: visited.keyHash,
  }
  const differs = await differsFromBefore(deps, trx, page, outcome, findings)
  const stored = findings.length > 0 ? await deps.storeFindings(trx, page, findings) : null
  const counts = stored?.open ?? severities.map(() => 0)
  const content = contentOf(outcome)
  const row = rowOf(visited, outcome)
  // Ignored issues count nowhere, so the health may be better than what the engine saw.
  const health = outcome.kind === 'completed' ? healthNumber(counts) : null
  await trx
    .insertInto('page')
    .values({
      ...row,
      title: cleanText(row.title),
      detail: cleanText(row.detail),
      health,
      id: page.id,
      run_id: deps.runId,
      scan_id: deps.scanId,
      key_hash: visited.keyHash,
      attempts: visited.attempt,
      notices,
      not_stored: notStored,
      content_hash: content === null ? null : blobHash(deps.scanId, content),
      views: viewsOf(outcome).map((view) => blobHash(deps.scanId, view)),
      fingerprint: outcome.kind === 'completed' ? (outcome.fingerprint ?? null) : null,
      ...countsOf(counts),
    })
    .execute()
  const counted = outcome.kind === 'completed' ? { ...outcome, health: healths[health!]! } : outcome
  return { outcome: counted, counts, total: stored?.total ?? 0, attempt: visited.attempt, differs }
}

/** A state's own entry, recorded as it comes, so that what was found and what became of it add up. */
async function insertStateEntry(
  db: MonitorDb,
  deps: RecordDeps,
  claim: Claim,
  state: StateOutcome,
  keyHash: Buffer,
) {
  await sql`
    insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, depth, url, key, found_on, exclusion)
    values (${deps.runId}, ${keyHash}, ${entryState.done}, ${claim.wave}, 0, 0, ${claim.depth}, ${state.url}, ${state.key},
      ${claim.url}, ${state.outcome.kind === 'excluded' ? state.outcome.reason : null})
    on conflict (run_id, key_hash) do nothing`.execute(db)
}

/**
 * Records what became of a URL: page, findings, links and counts, all or nothing; so with the states of a page that
 * a script reached.
 * @returns false when the lease was lost, or what an unchanged page kept is gone: nothing was recorded
 */
export async function storePage(
  deps: RecordDeps & IssueSide,
  claim: Claim,
  outcome: PageOutcome,
  found: readonly NewEntry[],
  states: readonly StateOutcome[] = [],
): Promise<boolean> {
  const all = [outcome, ...states.map((state) => state.outcome)]
  const blobs = await prepareBlobs(
    deps,
    all.map((one) => ({ outcome: one, findings: storableFindings(deps, one).findings })),
  )
  const recorded = inTransaction(deps.db, async (trx) => {
    await namesEvidence(deps.scanId).execute(trx)
    const exclusion = outcome.kind === 'excluded' ? outcome.reason : null
    const entry = await recordEntry({ ...deps, db: trx }, claim, exclusion)
    if (!entry) return false
    await storeBlobs(trx, deps.scanId, blobs)
    const visited = { ...claim, keyHash: entry.keyHash, attempt: entry.attempt }
    const added = [await insertPage(deps, trx, visited, outcome)]
    for (const state of states) {
      const keyHash = hashOf(state.key)
      await insertStateEntry(trx, deps, claim, state, keyHash)
      const at = { url: state.url, foundOn: claim.url, depth: claim.depth, keyHash, attempt: 1 }
      added.push(await insertPage(deps, trx, at, state.outcome))
    }
    await insertLinks(trx, deps.runId, { url: claim.url, keyHash: entry.keyHash }, found)
    await insertEntries(trx, deps.runId, found, entry.place)
    // From here on all others of the run wait.
    await addToRun(trx, deps.runId, added)
    if (added.some(({ differs }) => differs)) await stopReuse(trx, deps, claim.url)
    return true
  })
  try {
    return await recorded
  } catch (error) {
    if (!(error instanceof PageBeforeGone)) throw error
    await releaseEntry(deps, claim, { blame: false })
    return false
  }
}

/** Links of one page that are kept; a page of thousands is an index. */
const mostLinks = 2000
const mostNamed = 20

/** The first eight bytes of a key's hash, as the database counts. */
const markOf = (hash: Buffer): string => hash.readBigInt64BE(0).toString()

/** Records what a page leads to, one row a page. */
async function insertLinks(
  db: MonitorDb,
  runId: string,
  { url, keyHash }: { url: string; keyHash: Buffer },
  found: readonly NewEntry[],
): Promise<void> {
  if (found.length === 0) return
  const targets = [...new Set(found.slice(0, mostLinks).map(({ key }) => markOf(hashOf(key))))]
  await sql`insert into page_link (run_id, url, key_hash, targets)
    values (${runId}, ${url}, ${keyHash}, ${targets}::bigint[])`.execute(db)
}

/** The pages of a run that lead to a key, in the order in which they were visited: the first twenty, and their number. */
export async function referrersOf(
  { db }: { db: MonitorDb },
  runId: string,
  keyHash: Buffer,
): Promise<{ first: string[]; pages: (string | null)[]; count: number }> {
  const { rows } = await sql<{ url: string; page: string | null; count: number }>`
    select top.url, top.count, p.id as page
    from (select id, url, key_hash, count(*) over ()::int as count from page_link
      where run_id = ${runId} and targets @> array[${markOf(keyHash)}::bigint]
      order by id limit ${mostNamed}) top
    left join page p on p.run_id = ${runId} and p.key_hash = top.key_hash
    order by top.id`.execute(db)
  return {
    first: rows.map(({ url }) => url),
    pages: rows.map(({ page }) => page),
    count: rows[0]?.count ?? 0,
  }
}
