import type { issueApi } from '@clearway/contract/monitor/issue/api.ts'
import type { issueBulkApi } from '@clearway/contract/monitor/issue/bulk/api.ts'
import type { Context, Handlers } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import {
  groupsFor,
  historyFor,
  issueFor,
  issuesFor,
  type PictureDeps,
  pictureFor,
  addComment,
  type CommentDeps,
  commentsFor,
  dropComment,
  editComment,
  endIgnore,
  ignoresFor,
  rulesFor,
  tagsFor,
  usersOfScan,
} from './service.ts'
import {
  addLabels,
  deleteLabel,
  patchIssue,
  patchIssues,
  removeIssue,
  removeIssues,
  countSelectedIssues,
  listSelectedAssignees,
  undoIssues,
} from './bulk/service.ts'
import { exportIssues } from './export/service.ts'

type Deps = { db: MonitorDb }
/** Where the permission is one on a scan, both are there. */
const who = ({ caller, subject }: Context) => ({ caller: caller!, subject: subject! })

/** Single issues over HTTP, and what filters offer. */
export const issueHandlers = (deps: PictureDeps & CommentDeps): Handlers<typeof issueApi> => ({
  listIssues: ({ query }, { caller }) => issuesFor(deps, caller!, query),
  listIssueGroups: ({ query }, { caller }) => groupsFor(deps, caller!, query),
  readIssue: ({ params, query }, { caller }) => issueFor(deps, caller!, params.id, query.runNumber),
  readIssueHistory: ({ params }) => historyFor(deps, params.id),
  updateIssue: ({ params, body }, context) => patchIssue(deps, who(context), params.id, body),
  readIssuePicture: ({ params, query }) => pictureFor(deps, params.id, query.runNumber),
  deleteIssue: ({ params }, { caller }) => removeIssue(deps, caller!, params.id),
  addIssueLabels: ({ params, body }, { caller }) => addLabels(deps, caller!, params.id, body.labels),
  removeIssueLabel: ({ params, body }, { caller }) => deleteLabel(deps, caller!, params.id, body.label),
  listIssueComments: ({ params }, context) => commentsFor(deps, who(context), params.id),
  addIssueComment: ({ params, body }, context) => addComment(deps, who(context), params.id, body.text),
  editIssueComment: ({ params, body }, context) =>
    editComment(deps, who(context), params.id, { id: params.comment, text: body.text }),
  deleteIssueComment: ({ params }, context) => dropComment(deps, who(context), params.id, params.comment),
  listViolations: ({ query }, { caller }) => rulesFor(deps, caller!, query),
  listTags: ({ query }, { caller }) => tagsFor(deps, caller!, query),
  listIgnores: ({ params }) => ignoresFor(deps, params.id),
  deleteIgnore: ({ params }) => endIgnore(deps, params.id, params.ignore),
  scanUsers: ({ params }) => usersOfScan(deps, params.id),
})

/** Calls on many issues over HTTP. */
export const issueBulkHandlers = (deps: Deps): Handlers<typeof issueBulkApi> => ({
  updateIssues: ({ body }, { caller }) => patchIssues(deps, caller!, body),
  undoIssues: ({ body }, { caller }) => undoIssues(deps, caller!, body.undo),
  deleteIssues: ({ body }, { caller }) => removeIssues(deps, caller!, body),
  countSelectedIssues: ({ body }, { caller }) => countSelectedIssues(deps, caller!, body),
  usersOfSelectedIssues: ({ body }, { caller }) => listSelectedAssignees(deps, caller!, body),
  exportIssuesCsv: ({ body }, { caller }) => exportIssues(deps, caller!, body, 'csv'),
  exportIssuesCsvBrief: ({ body }, { caller }) => exportIssues(deps, caller!, body, 'csv'),
  exportIssuesCsvDetailed: ({ body }, { caller }) => exportIssues(deps, caller!, body, 'csv-detailed'),
  exportIssuesJson: ({ body }, { caller }) => exportIssues(deps, caller!, body, 'json'),
  exportIssuesXlsx: ({ body }, { caller }) => exportIssues(deps, caller!, body, 'xlsx'),
  exportIssuesSarif: ({ body }, { caller }) => exportIssues(deps, caller!, body, 'sarif'),
  exportIssuesJunit: ({ body }, { caller }) => exportIssues(deps, caller!, body, 'junit'),
  exportIssuesEarl: ({ body }, { caller }) => exportIssues(deps, caller!, body, 'earl'),
})
