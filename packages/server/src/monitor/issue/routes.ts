import type { issueApi } from '@clearway/contract/monitor/issue/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { issueFor, issuesFor, patchIssue, pictureFor } from './service.ts'

export const issueHandlers = (deps: { db: MonitorDb }): Handlers<typeof issueApi> => ({
  listIssues: ({ query }, { caller }) => issuesFor(deps, caller!, query),
  readIssue: ({ params, query }) => issueFor(deps, params.id, query.runNumber),
  updateIssue: ({ params, body }) => patchIssue(deps, params.id, body.fieldsToUpdate.status, body.version),
  readIssuePicture: ({ params, query }) => pictureFor(deps, params.id, query.runNumber),
})
