import * as z from 'zod/mini'
import { define } from '../../kit/endpoint.ts'
import { IssueId } from '../../kit/id.ts'
import { queryInt } from '../../kit/paging.ts'
import { IssueDetail, IssueList, IssueListQuery, IssuePatch } from './schema.ts'

const params = z.object({ id: IssueId })
/** An issue as one run saw it; the newest run that saw it, unless said. */
const query = z.object({ runNumber: z.optional(queryInt(1, 1_000_000_000)) })

export const issueApi = define({
  listIssues: {
    method: 'GET',
    path: '/issues',
    permission: 'list',
    summary: 'Issues of the scans that you may see',
    query: IssueListQuery,
    reply: IssueList,
  },
  readIssue: {
    method: 'GET',
    path: '/issues/{id}',
    permission: 'scan.see',
    summary: 'One issue',
    params,
    query,
    reply: IssueDetail,
  },
  updateIssue: {
    method: 'PATCH',
    path: '/issues/{id}',
    permission: 'scan.discuss',
    summary: 'Changes the status of an issue',
    params,
    body: IssuePatch,
    reply: IssueDetail,
    problems: ['edit-conflict'],
  },
  readIssuePicture: {
    method: 'GET',
    path: '/issues/{id}/picture',
    permission: 'scan.see',
    summary: 'The element as it looked on the page',
    params,
    query,
    reply: { blob: 'image/webp' },
  },
})
