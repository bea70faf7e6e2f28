import type { viewApi } from '@clearway/contract/monitor/view/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  createView,
  defaultsFor,
  deleteView,
  setDefault,
  updateView,
  type ViewDeps,
  viewsFor,
  viewTeamsFor,
} from './service.ts'

/** Saved views over HTTP. */
export const viewHandlers = (deps: ViewDeps): Handlers<typeof viewApi> => ({
  listViews: ({ query }, { caller }) => viewsFor(deps, caller!, query),
  listViewTeams: (_received, { caller, authorization }) =>
    viewTeamsFor(deps, { caller: caller!, authorization }),
  listDefaultViews: (_received, { caller }) => defaultsFor(deps, caller!),
  setDefaultView: ({ body }, { caller }) => setDefault(deps, caller!, body),
  createView: ({ body }, { caller, authorization }) =>
    createView(deps, { caller: caller!, authorization }, body),
  updateView: ({ params, body }, { caller, authorization }) =>
    updateView(deps, { caller: caller!, authorization }, params.id, body),
  deleteView: ({ params }, { caller }) => deleteView(deps, caller!, params.id),
})
