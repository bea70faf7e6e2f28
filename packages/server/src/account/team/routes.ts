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
  teamsByIds: ({ query }) => teamsByIds(deps, query),
  allTeams: () => allTeams(deps),
  readTeam: ({ params }) => teamFor(deps, params.id),
  createTeam: ({ body }) => createTeam(deps, body),
  updateTeam: ({ params, body }) => updateTeam(deps, params.id, body),
  deleteTeam: ({ params }) => deleteTeam(deps, params.id),
})
