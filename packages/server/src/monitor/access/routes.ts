import type { accessApi } from '@clearway/contract/monitor/access/api.ts'
import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { assignTeams, type GrantDeps, getScanAccess, listTeamAccess, updateScanAccess } from './grant/service.ts'
import { importTeamAccess } from './import/service.ts'

export const accessHandlers = (deps: GrantDeps & { limits: ProductLimits }): Handlers<typeof accessApi> => ({
  readScanAccess: ({ params }) => getScanAccess(deps, params.id),
  updateScanAccess: ({ params, body }, { caller, authorization }) =>
    updateScanAccess(deps, { caller: caller!, authorization }, params.id, body),
  listTeamAccess: ({ query }, { caller, authorization }) => listTeamAccess(deps, { caller: caller!, authorization }, query),
  assignTeams: ({ body }, { caller, authorization }) => assignTeams(deps, { caller: caller!, authorization }, body),
  importTeamAccess: ({ body }, { caller, authorization }) => importTeamAccess(deps, { caller: caller!, authorization }, body),
})
