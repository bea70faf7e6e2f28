import type { viewApi } from '@clearway/contract/monitor/view/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  createView,
  getDefaultViews,
  deleteView,
  setDefaultView,
  updateView,
  type ViewDeps,
  listVisibleViews,
  listViewTeams,
} from './service.ts'

export const viewHandlers = (deps: ViewDeps): Handlers<typeof viewApi> => ({
  listViews: ({ query }, { caller }) => listVisibleViews(deps, caller!, query),
  listViewTeams: (_received, { caller, authorization }) => listViewTeams(deps, { caller: caller!, authorization }),
  listDefaultViews: (_received, { caller }) => getDefaultViews(deps, caller!),
  setDefaultView: ({ body }, { caller }) => setDefaultView(deps, caller!, body),
  createView: ({ body }, { caller, authorization }) => createView(deps, { caller: caller!, authorization }, body),
  updateView: ({ params, body }, { caller, authorization }) =>
    updateView(deps, { caller: caller!, authorization }, params.id, body),
  deleteView: ({ params }, { caller }) => deleteView(deps, caller!, params.id),
})
