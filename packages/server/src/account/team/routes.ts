import type { teamApi } from '@clearway/contract/account/team/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import {
  listAllTeams,
  createTeam,
  deleteTeam,
  type TeamDeps,
  getTeam,
  getTeamsByIds,
  getTeamsPage,
  updateTeam,
} from './service.ts'

export const teamHandlers = (deps: TeamDeps): Handlers<typeof teamApi> => ({
  listTeams: ({ query }, { caller }) => getTeamsPage(deps, caller!, query),
  teamsByIds: ({ query }, { caller }) => getTeamsByIds(deps, caller!, query),
  allTeams: (_received, { caller }) => listAllTeams(deps, caller!),
  readTeam: ({ params }, { caller }) => getTeam(deps, caller!, params.id),
  createTeam: ({ body }, { caller }) => createTeam(deps, caller!, body),
  updateTeam: ({ params, body }, { caller }) => updateTeam(deps, caller!, params.id, body),
  deleteTeam: ({ params }) => deleteTeam(deps, params.id),
})
