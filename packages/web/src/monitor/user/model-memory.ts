import type { ScanId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'

/** Records of this browser by user, most recent first. */
const RecordsSchema = z.array(
  z.object({ userId: z.string(), userData: z.object({ activeScans: z.array(z.object({ scanId: z.custom<ScanId>(isText) })) }) }),
)
const RunFilterSchema = z.object({ scanId: z.custom<ScanId>(isText), run: z.int() })
const recordsKey = 'user-sessions'
const filterKey = 'scan-runs-filter'
const maxRecords = 10

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function readStoredJson<T extends z.ZodMiniType>(storageKey: string, schema: T): z.output<T> | null {
  try {
    const parsedValue = z.safeParse(schema, JSON.parse(readStoredValue(storageKey) ?? 'null'))
    return parsedValue.success ? parsedValue.data : null
  } catch {
    return null
  }
}

/** Scans last selected in the lists; for a single scan also the run. */
export type ActiveSelection = { scanId: ScanId[]; run: number | undefined }

export function readActiveSelection(userId: string): ActiveSelection {
  const userRecord = readStoredJson(recordsKey, RecordsSchema)?.find((candidate) => candidate.userId === userId)
  const activeScanIds = userRecord?.userData.activeScans.map((activeScan) => activeScan.scanId) ?? []
  const runFilter = readStoredJson(filterKey, RunFilterSchema)
  const activeRun = runFilter && activeScanIds.length === 1 && runFilter.scanId === activeScanIds[0] ? runFilter.run : undefined
  return { scanId: activeScanIds, run: activeRun }
}

const changeListeners = new Set<() => void>()
/** Calls back when the selection of scans changes. Returns an unsubscribe function. */
export function onActiveSelectionChange(onChange: () => void): () => void {
  changeListeners.add(onChange)
  return () => changeListeners.delete(onChange)
}

export function storeActiveSelection(userId: string, { scanId, run }: ActiveSelection): void {
  const otherRecords = (readStoredJson(recordsKey, RecordsSchema) ?? []).filter((candidate) => candidate.userId !== userId)
  const ownRecord = { userId, userData: { activeScans: scanId.map((id) => ({ scanId: id })) } }
  writeStoredValue(recordsKey, JSON.stringify([ownRecord, ...otherRecords].slice(0, maxRecords)))
  const [singleScanId] = scanId
  const hasRunFilter = singleScanId !== undefined && scanId.length === 1 && run !== undefined
  writeStoredValue(filterKey, hasRunFilter ? JSON.stringify({ scanId: singleScanId, run }) : null)
  for (const onChange of changeListeners) onChange()
}
