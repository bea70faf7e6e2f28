import type { MonitorDb } from '../../database.ts'
import { archiveRun, clearContents, deleteRun, deleteLinks, findDueRuns, sweepScan } from './store.ts'

/** Days after which data is removed; 0 keeps it. The newest `keepRuns` runs of a scan stay; links stay for `linkRuns`. */
export type Retention = { contentDays: number; archiveDays: number; deleteDays: number; keepRuns: number; linkRuns: number }

/** Maximum number of runs per step and round, so that housekeeping does not block other work. */
const maxRunsPerRound = 100

/** Removes data older than the settings allow, each run in its own transaction; several processes may do so concurrently. */
export async function removeOldData(deps: { db: MonitorDb }, retention: Retention): Promise<void> {
  await deleteLinks(deps, retention.linkRuns, maxRunsPerRound)
  const touchedScanIds = new Set<string>()
  const retentionSteps = [
    { what: 'delete', days: retention.deleteDays, work: deleteRun },
    { what: 'archive', days: retention.archiveDays, work: archiveRun },
    { what: 'contents', days: retention.contentDays, work: clearContents },
  ] as const
  for (const { what: stepName, days: maxAgeDays, work: removeData } of retentionSteps) {
    if (maxAgeDays === 0) continue
    for (const dueRun of await findDueRuns(deps, stepName, {
      days: maxAgeDays,
      keepRuns: retention.keepRuns,
      limit: maxRunsPerRound,
    })) {
      await removeData(deps, dueRun.id)
      touchedScanIds.add(dueRun.scan_id)
    }
  }
  for (const scanId of touchedScanIds) await sweepScan(deps, scanId)
}
