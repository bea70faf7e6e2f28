import { groupLeftOut } from '@clearway/contract/monitor/run/left-out/model.ts'
import { type RunDeps, type RunPath, withRun } from '../service.ts'
import { listLeftOutUrls } from './store.ts'

export const getLeftOut = (deps: RunDeps, runPath: RunPath) =>
  withRun(deps, runPath, async (run) => groupLeftOut(await listLeftOutUrls(deps.db, run.id)))
