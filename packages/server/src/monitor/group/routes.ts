import type { groupApi } from '@clearway/contract/monitor/group/api.ts'
import type { Context, Handlers } from '../../kit/http/answer.ts'
import {
  createGroup,
  deleteGroup,
  groupableScansFor,
  groupableTeamsFor,
  type GroupDeps,
  groupScansFor,
  groupsFor,
  updateGroup,
  validateGroupName,
} from './service.ts'

const asker = ({ caller, authorization }: Context) => ({ caller: caller!, authorization })

/** Groups of scans over HTTP. */
export const groupHandlers = (deps: GroupDeps): Handlers<typeof groupApi> => ({
  listGroups: ({ query }, { caller }) => groupsFor(deps, caller!, query),
  listGroupScans: ({ params, query }) => groupScansFor(deps, params.id, query),
  listGroupableScans: (_received, { caller }) => groupableScansFor(deps, caller!),
  listGroupableTeams: (_received, context) => groupableTeamsFor(deps, asker(context)),
  validateGroup: ({ body }) => validateGroupName(deps, body.scanGroupName, body.groupId),
  createGroup: ({ body }, context) => createGroup(deps, asker(context), body),
  updateGroup: ({ params, body }, context) => updateGroup(deps, asker(context), params.id, body),
  deleteGroup: ({ params }) => deleteGroup(deps, params.id),
})
