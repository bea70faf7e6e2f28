import { memberApi } from '@clearway/contract/account/member/api.ts'
import type { teamApi } from '@clearway/contract/account/team/api.ts'
import { roleMay } from '@clearway/contract/kit/permission.ts'
import type { TeamWithMembers } from '@clearway/contract/account/team/schema.ts'
import { type Context, type Handlers, isRefusal, type Refusal } from '../../kit/http/answer.ts'
import {
  allTeams,
  createTeam,
  deleteTeam,
  type TeamDeps,
  teamFor,
  teamsByIds,
  teamsFor,
  updateTeam,
} from './service.ts'

/** Everybody sees who is in a team; who may not list people does not see their email addresses. */
function seenBy({ caller }: Context, team: TeamWithMembers): TeamWithMembers {
  if (caller !== null && roleMay(caller.role, memberApi.listMembers.permission)) return team
  return { ...team, members: team.members.map((member) => ({ ...member, email: null })) }
}
const foundBy = (context: Context, team: TeamWithMembers | Refusal) =>
  isRefusal(team) ? team : seenBy(context, team)

/** Teams of the account service over HTTP. */
export const teamHandlers = (deps: TeamDeps): Handlers<typeof teamApi> => ({
  listTeams: ({ query }) => teamsFor(deps, query),
  teamsByIds: async ({ query }, context) =>
    (await teamsByIds(deps, query)).map((team) => seenBy(context, team)),
  allTeams: () => allTeams(deps),
  readTeam: async ({ params }, context) => foundBy(context, await teamFor(deps, params.id)),
  createTeam: ({ body }) => createTeam(deps, body),
  updateTeam: ({ params, body }) => updateTeam(deps, params.id, body),
  deleteTeam: ({ params }) => deleteTeam(deps, params.id),
})
