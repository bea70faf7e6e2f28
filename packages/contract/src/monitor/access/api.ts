import * as z from 'zod/mini'
import { defineEndpoints } from '../../kit/endpoint.ts'
import { ScanId } from '../../kit/id.ts'
import { createPageSchema } from '../../kit/paging.ts'
import {
  AssignmentsBody,
  AssignmentsReply,
  ImportBody,
  ImportReply,
  ScanAccess,
  ScanAccessBody,
  TeamAccess,
  TeamAccessQuery,
} from './schema.ts'

const scanParams = z.object({ id: ScanId })

export const accessApi = defineEndpoints({
  readScanAccess: {
    method: 'GET',
    path: '/scans/{id}/access',
    permission: 'scan.access',
    summary: 'Roles on a scan',
    params: scanParams,
    reply: ScanAccess,
  },
  updateScanAccess: {
    method: 'PUT',
    path: '/scans/{id}/access',
    permission: 'scan.access',
    summary: 'Sets the teams and the groups of a scan',
    params: scanParams,
    body: ScanAccessBody,
    reply: ScanAccess,
    problems: ['edit-conflict'],
  },
  listTeamAccess: {
    method: 'GET',
    path: '/team-access',
    permission: 'admin.see',
    summary: 'All roles of a team, on scans and on groups',
    query: TeamAccessQuery,
    reply: createPageSchema(TeamAccess),
  },
  assignTeams: {
    method: 'POST',
    path: '/team-access',
    permission: 'admin',
    summary: 'Gives teams roles on scans and groups, or removes them, all or none; with `check`, only says what would change',
    body: AssignmentsBody,
    reply: AssignmentsReply,
    problems: ['edit-conflict'],
  },
  importTeamAccess: {
    method: 'POST',
    path: '/team-access/import',
    permission: 'admin',
    summary: 'Gives the roles in a CSV file, all or none; with `check`, only says what each line would change',
    body: ImportBody,
    bodyBytes: 12 * 1024 * 1024,
    reply: ImportReply,
    problems: ['edit-conflict'],
  },
})
