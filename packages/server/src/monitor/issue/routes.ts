import type { issueApi } from '@clearway/contract/monitor/issue/api.ts'
import type { issueBulkApi } from '@clearway/contract/monitor/issue/bulk/api.ts'
import type { issueIgnoreApi } from '@clearway/contract/monitor/issue/ignore/api.ts'
import type { CallContext, Handlers } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import {
  listVisibleGroups,
  getIssueHistory,
  getIssue,
  listVisibleIssues,
  type PictureDeps,
  getIssuePicture,
  addComment,
  type CommentDeps,
  listIssueComments,
  deleteIssueComment,
  editComment,
  listVisibleRules,
  listVisibleTags,
  listScanUsers,
} from './service.ts'
import {
  addLabels,
  deleteLabel,
  patchIssue,
  patchIssues,
  removeIssue,
  removeIssues,
  countSelectedIssues,
  listIssueChanges,
  listSelectedAssignees,
  undoIssues,
} from './bulk/service.ts'
import { exportIssues } from './export/service.ts'
import { changeIgnore, endIgnore, exportRegister, listChoices, listScanIgnores, listVisibleIgnores } from './register/service.ts'

type BulkDeps = { db: MonitorDb }
/** Caller and subject; both are set for permissions on a scan. */
const getCallContext = ({ caller, subject }: CallContext) => ({ caller: caller!, subject: subject! })

export const issueHandlers = (deps: PictureDeps & CommentDeps): Handlers<typeof issueApi> => ({
  listIssues: ({ query }, { caller }) => listVisibleIssues(deps, caller!, query),
  listIssueGroups: ({ query }, { caller }) => listVisibleGroups(deps, caller!, query),
  readIssue: ({ params, query }, { caller }) => getIssue(deps, caller!, params.id, query.runNumber),
  readIssueHistory: ({ params }) => getIssueHistory(deps, params.id),
  updateIssue: ({ params, body }, context) => patchIssue(deps, getCallContext(context), params.id, body),
  readIssuePicture: ({ params, query }) => getIssuePicture(deps, params.id, query.runNumber),
  deleteIssue: ({ params }, { caller }) => removeIssue(deps, caller!, params.id),
  addIssueLabels: ({ params, body }, { caller }) => addLabels(deps, caller!, params.id, body.labels),
  removeIssueLabel: ({ params, body }, { caller }) => deleteLabel(deps, caller!, params.id, body.label),
  listIssueComments: ({ params }, context) => listIssueComments(deps, getCallContext(context), params.id),
  addIssueComment: ({ params, body }, context) => addComment(deps, getCallContext(context), params.id, body.text),
  editIssueComment: ({ params, body }, context) =>
    editComment(deps, getCallContext(context), params.id, { id: params.comment, text: body.text }),
  deleteIssueComment: ({ params }, context) => deleteIssueComment(deps, getCallContext(context), params.id, params.comment),
  listViolations: ({ query }, { caller }) => listVisibleRules(deps, caller!, query),
  listTags: ({ query }, { caller }) => listVisibleTags(deps, caller!, query),
  scanUsers: ({ params }) => listScanUsers(deps, params.id),
})

export const issueBulkHandlers = (deps: BulkDeps): Handlers<typeof issueBulkApi> => ({
  updateIssues: ({ body }, { caller }) => patchIssues(deps, caller!, body),
  undoIssues: ({ body }, { caller }) => undoIssues(deps, caller!, body),
  listIssueChanges: (_, { caller }) => listIssueChanges(deps, caller!),
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

export const issueIgnoreHandlers = (deps: BulkDeps): Handlers<typeof issueIgnoreApi> => ({
  listRegister: ({ query }, { caller }) => listVisibleIgnores(deps, caller!, query),
  listRegisterChoices: (_, { caller }) => listChoices(deps, caller!),
  exportRegisterCsv: ({ query }, { caller }) => Promise.resolve(exportRegister(deps, caller!, query, 'csv')),
  exportRegisterJson: ({ query }, { caller }) => Promise.resolve(exportRegister(deps, caller!, query, 'json')),
  listIgnores: ({ params }) => listScanIgnores(deps, params.id),
  updateIgnore: ({ params, body }, { caller }) => changeIgnore(deps, caller!, params, body),
  deleteIgnore: ({ params }) => endIgnore(deps, params),
})
