import type { groupApi } from '@clearway/contract/monitor/group/api.ts'
import type { CallContext, Handlers } from '../../kit/http/answer.ts'
import {
  createGroup,
  deleteGroup,
  listGroupableScans,
  listGroupableTeams,
  type GroupDeps,
  listGroupScans,
  listVisibleGroups,
  updateGroup,
  validateGroupName,
} from './service.ts'

const getRequester = ({ caller, authorization }: CallContext) => ({ caller: caller!, authorization })

export const groupHandlers = (deps: GroupDeps): Handlers<typeof groupApi> => ({
  listGroups: ({ query }, { caller }) => listVisibleGroups(deps, caller!, query),
  listGroupScans: ({ params, query }) => listGroupScans(deps, params.id, query),
  listGroupableScans: (_received, { caller }) => listGroupableScans(deps, caller!),
  listGroupableTeams: (_received, context) => listGroupableTeams(deps, getRequester(context)),
  validateGroup: ({ body }) => validateGroupName(deps, body.scanGroupName, body.groupId),
  createGroup: ({ body }, context) => createGroup(deps, getRequester(context), body),
  updateGroup: ({ params, body }, context) => updateGroup(deps, getRequester(context), params.id, body),
  deleteGroup: ({ params }) => deleteGroup(deps, params.id),
})
