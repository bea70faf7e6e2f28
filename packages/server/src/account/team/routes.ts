import type { teamApi } from '@clearway/contract/account/team/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
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

/** Teams of the account service over HTTP. */
export const teamHandlers = (deps: TeamDeps): Handlers<typeof teamApi> => ({
  listTeams: ({ query }) => teamsFor(deps, query),
  teamsByIds: ({ query }, { caller }) => teamsByIds(deps, caller!, query),
  allTeams: () => allTeams(deps),
  readTeam: ({ params }, { caller }) => teamFor(deps, caller!, params.id),
  createTeam: ({ body }, { caller }) => createTeam(deps, caller!, body),
  updateTeam: ({ params, body }, { caller }) => updateTeam(deps, caller!, params.id, body),
  deleteTeam: ({ params }) => deleteTeam(deps, params.id),
})
