import type { BrowserPool } from '../browser/pool.ts'
import type { Frontier } from '../frontier.ts'
import type { Lanes } from '../session/lanes.ts'
import type { PlannedScript, ScanPlan } from '../settings.ts'
import type { VisitDeps } from './course.ts'
import type { DiscoverDeps } from './discover.ts'
import type { FetchFile } from './guarded-fetch.ts'
import type { Pace } from './pace.ts'
import type { Robots } from './robots.ts'

/** Everything that the work on one run needs. */
export type Desk = {
  pool: BrowserPool
  frontier: Frontier
  log: (entry: { level: 'info' | 'warn'; message: string; url?: string }) => void
  plan: ScanPlan
  lanes: Lanes
  robots: Robots
  pace: Pace
  discover: DiscoverDeps
  visit: VisitDeps
  task: { scripts: readonly PlannedScript[]; allowEval: boolean }
  fetchFile: FetchFile
}
