import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { createPageSchema } from '../../kit/paging.ts'
import { Team, TeamBody, TeamListQuery, TeamsByIdsQuery, TeamWithMembers } from './schema.ts'

const teamParams = z.object({ id: z.string().check(z.maxLength(200)) })

export const teamApi = defineEndpoints({
  listTeams: {
    method: 'GET',
    path: '/axe-account/teams',
    permission: 'user',
    summary: 'Teams with their member counts; only own ones without access to the administration',
    query: TeamListQuery,
    reply: createPageSchema(Team),
  },
  teamsByIds: {
    method: 'GET',
    path: '/axe-account/teams-by-ids',
    permission: 'user',
    summary: 'Several teams with their members; only own ones without access to the administration',
    query: TeamsByIdsQuery,
    reply: z.array(TeamWithMembers),
  },
  allTeams: {
    method: 'GET',
    path: '/axe-account/teams/all',
    permission: 'user',
    summary: 'All teams; only own ones without access to the administration',
    reply: z.array(Team),
  },
  readTeam: {
    method: 'GET',
    path: '/axe-account/team/{id}',
    permission: 'user',
    summary: 'One team with its members; only an own one without access to the administration',
    params: teamParams,
    reply: TeamWithMembers,
  },
  createTeam: {
    method: 'POST',
    path: '/axe-account/teams',
    permission: 'admin',
    summary: 'Creates a team',
    body: TeamBody,
    reply: TeamWithMembers,
    status: 201,
    problems: ['name-taken'],
  },
  updateTeam: {
    method: 'PUT',
    path: '/axe-account/team/{id}',
    permission: 'admin',
    summary: 'Replaces the name and the members of a team',
    params: teamParams,
    body: TeamBody,
    reply: TeamWithMembers,
    problems: ['name-taken'],
  },
  deleteTeam: {
    method: 'DELETE',
    path: '/axe-account/team/{id}',
    permission: 'admin',
    summary: 'Deletes a team; its members lose the access that it gave',
    params: teamParams,
    reply: { empty: true },
    status: 204,
  },
})
