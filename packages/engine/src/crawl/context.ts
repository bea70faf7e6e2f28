import type { BrowserPool } from '../browser/pool.ts'
import type { Frontier } from '../frontier.ts'
import type { BrowserSessions } from '../session/browser-sessions.ts'
import type { SignOutLog } from '../session/sign-out-log.ts'
import type { PlannedScript, ScanPlan } from '../settings.ts'
import type { VisitDeps } from './visit/context.ts'
import type { ExtraPages } from './visit/extra-pages.ts'
import type { DiscoverDeps } from './scope/discover.ts'
import type { RunScope } from './scope/scope.ts'
import type { FetchFile } from '../guard/fetch.ts'
import type { Pace } from './pace.ts'
import type { Robots } from './robots/robots.ts'

/** Resources for processing one run. */
export type ScanContext = {
  pool: BrowserPool
  frontier: Frontier
  log: (entry: { level: 'info' | 'warn'; message: string; url?: string }) => void
  plan: ScanPlan
  sessions: BrowserSessions
  signOutLog: SignOutLog
  robots: Robots
  pace: Pace
  discover: DiscoverDeps
  addStartUrl: RunScope['addStartUrl']
  visit: VisitDeps
  extraPages: ExtraPages
  task: { scripts: readonly PlannedScript[]; allowEval: boolean }
  fetchFile: FetchFile
}
