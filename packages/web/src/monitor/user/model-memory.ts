import type { ScanId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'

/** What this browser remembers of the people who use it, the latest first. */
const Records = z.array(
  z.object({
    userId: z.string(),
    userData: z.object({ activeScans: z.array(z.object({ scanId: z.custom<ScanId>(isText) })) }),
  }),
)
const Filter = z.object({ scanId: z.custom<ScanId>(isText), run: z.int() })
const recordsKey = 'user-sessions'
const filterKey = 'scan-runs-filter'
const people = 10

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function stored<T extends z.ZodMiniType>(key: string, schema: T): z.output<T> | null {
  try {
    const found = z.safeParse(schema, JSON.parse(readStoredValue(key) ?? 'null'))
    return found.success ? found.data : null
  } catch {
    return null
  }
}

/** Which scans somebody last looked at in the lists, and of a single one which run. */
export type Active = { scanId: ScanId[]; run: number | undefined }

export function activeOf(userId: string): Active {
  const record = stored(recordsKey, Records)?.find((one) => one.userId === userId)
  const scanId = record?.userData.activeScans.map((one) => one.scanId) ?? []
  const filter = stored(filterKey, Filter)
  const run = filter && scanId.length === 1 && filter.scanId === scanId[0] ? filter.run : undefined
  return { scanId, run }
}

const listeners = new Set<() => void>()
/** Calls back when somebody looks at other scans; answers how to end that. */
export function onActive(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export function rememberActive(userId: string, { scanId, run }: Active): void {
  const others = (stored(recordsKey, Records) ?? []).filter((one) => one.userId !== userId)
  const own = { userId, userData: { activeScans: scanId.map((id) => ({ scanId: id })) } }
  writeStoredValue(recordsKey, JSON.stringify([own, ...others].slice(0, people)))
  const [only] = scanId
  const filter = only !== undefined && scanId.length === 1 && run !== undefined
  writeStoredValue(filterKey, filter ? JSON.stringify({ scanId: only, run }) : null)
  for (const changed of listeners) changed()
}
