import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { GroupId } from '../../kit/id.ts'
import { createPageSchema, pagingOrAllQuery, searchTextQuery } from '../../kit/paging.ts'
import { ScanName, Validation } from '../scan/schema.ts'
import { GroupBody, GroupChange, GroupListQuery, ScanGroup, TeamName } from './schema.ts'

const groupParams = z.object({ id: GroupId })

export const groupApi = defineEndpoints({
  listGroups: {
    method: 'GET',
    path: '/groups/scan-groups',
    permission: 'user',
    summary: 'Scan groups that you administer; all of them for admins',
    query: GroupListQuery,
    reply: createPageSchema(ScanGroup),
  },
  listGroupScans: {
    method: 'GET',
    path: '/groups/scan-groups/{id}/scans',
    permission: 'group.see',
    summary: 'Scans of a group',
    params: groupParams,
    query: z.object({ ...pagingOrAllQuery, search: searchTextQuery }),
    reply: createPageSchema(ScanName),
  },
  listGroupableScans: {
    method: 'GET',
    path: '/groups/scans/all',
    permission: 'user',
    summary: 'Scans that you may add to a group',
    reply: z.array(ScanName),
  },
  listGroupableTeams: {
    method: 'GET',
    path: '/groups/teams/all',
    permission: 'user',
    summary: 'Teams that can get a role',
    reply: z.array(TeamName),
  },
  validateGroup: {
    method: 'POST',
    path: '/groups/validate',
    permission: 'user',
    summary: 'Whether a name is free',
    body: z.strictObject({ scanGroupName: z.string().check(z.maxLength(10_000)), groupId: z.optional(GroupId) }),
    reply: Validation,
  },
  createGroup: {
    method: 'POST',
    path: '/groups',
    permission: 'admin',
    summary: 'Creates a scan group',
    body: GroupBody,
    reply: ScanGroup,
    status: 201,
    problems: ['name-taken'],
  },
  updateGroup: {
    method: 'PATCH',
    path: '/groups/{id}',
    permission: 'group.manage',
    summary: 'Changes a scan group',
    params: groupParams,
    body: GroupChange,
    reply: ScanGroup,
    problems: ['name-taken', 'edit-conflict'],
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/groups/{id}',
    permission: 'group.manage',
    summary: 'Deletes a scan group; its scans stay, but the access that it gave ends',
    params: groupParams,
    reply: { empty: true },
    status: 204,
  },
})
