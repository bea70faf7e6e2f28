import type { branchApi } from '@clearway/contract/monitor/run/branch/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import { type BranchDeps, getBranchRun, listScanBranchRuns, removeBranchRun, storeBranchRun } from './service.ts'

export const branchHandlers = (deps: BranchDeps): Handlers<typeof branchApi> => ({
  createBranchRun: ({ params, body }, { caller }) => storeBranchRun(deps, caller!, params.id, body),
  listBranchRuns: ({ params, query }) => listScanBranchRuns(deps, params.id, query),
  readBranchRun: ({ params }) => getBranchRun(deps, params),
  deleteBranchRun: ({ params }) => removeBranchRun(deps, params),
})
