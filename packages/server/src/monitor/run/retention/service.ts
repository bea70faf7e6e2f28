import type { MonitorDb } from '../../database.ts'
import { archiveRun, clearContents, deleteRun, dropLinks, dueRuns, sweepScan } from './store.ts'

/**
 * Days after which each thing is removed; 0 keeps it. The newest `keepRuns` runs of a scan are neither archived nor deleted; who
 * links to whom is kept of the newest `linkRuns`.
 */
export type Retention = {
  contentDays: number
  archiveDays: number
  deleteDays: number
  keepRuns: number
  linkRuns: number
}

/** Runs that one round works on in each step, so that nobody waits for housekeeping. */
const perRound = 100

/**
 * Clears away what is older than the settings say: links, then whole runs, then pages and issues, then contents and pictures. Each run in a
 * transaction of its own; any number of processes may do so at once.
 */
export async function housekeep(deps: { db: MonitorDb }, retention: Retention): Promise<void> {
  await dropLinks(deps, retention.linkRuns, perRound)
  const touched = new Set<string>()
  const steps = [
    { what: 'delete', days: retention.deleteDays, work: deleteRun },
    { what: 'archive', days: retention.archiveDays, work: archiveRun },
    { what: 'contents', days: retention.contentDays, work: clearContents },
  ] as const
  for (const { what, days, work } of steps) {
    if (days === 0) continue
    for (const run of await dueRuns(deps, what, { days, keepRuns: retention.keepRuns, limit: perRound })) {
      await work(deps, run.id)
      touched.add(run.scan_id)
    }
  }
  for (const scanId of touched) await sweepScan(deps, scanId)
}
