import * as z from 'zod/mini'
import { define } from '../../kit/endpoint.ts'
import { ScanId } from '../../kit/id.ts'
import { pageOf } from '../../kit/paging.ts'
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

const params = z.object({ id: ScanId })

export const accessApi = define({
  readScanAccess: {
    method: 'GET',
    path: '/scans/{id}/access',
    permission: 'scan.access',
    summary: 'Who has which role on a scan',
    params,
    reply: ScanAccess,
  },
  updateScanAccess: {
    method: 'PUT',
    path: '/scans/{id}/access',
    permission: 'scan.access',
    summary: 'Sets the teams of a scan, and the groups that it is in',
    params,
    body: ScanAccessBody,
    reply: ScanAccess,
    problems: ['edit-conflict'],
  },
  listTeamAccess: {
    method: 'GET',
    path: '/team-access',
    permission: 'admin.see',
    summary: 'Every role that a team has, on scans and on groups',
    query: TeamAccessQuery,
    reply: pageOf(TeamAccess),
  },
  assignTeams: {
    method: 'POST',
    path: '/team-access',
    permission: 'admin',
    summary:
      'Gives teams roles on scans and groups, or takes them: all of the list or nothing; or says what would change',
    body: AssignmentsBody,
    reply: AssignmentsReply,
  },
  importTeamAccess: {
    method: 'POST',
    path: '/team-access/import',
    permission: 'admin',
    summary:
      'Gives the roles that a CSV file lists: all of them or none; or says what would become of each line',
    body: ImportBody,
    bodyBytes: 12 * 1024 * 1024,
    reply: ImportReply,
  },
})
