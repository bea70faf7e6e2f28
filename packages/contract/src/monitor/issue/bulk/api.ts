import * as z from 'zod/mini'
import { define } from '../../../kit/endpoint.ts'
import { BulkResult } from '../../../kit/selection.ts'
import {
  Assignee,
  BulkIssuePatch,
  BulkIssueRestored,
  BulkIssueResult,
  BulkIssueUndo,
  IssueSelection,
  SelectedCount,
} from './schema.ts'

const body = IssueSelection
const exporting = { method: 'POST', permission: 'user', body } as const

/** Calls on many issues. Each works on what the caller may see, as far as the caller's roles allow it. */
export const issueBulkApi = define({
  updateIssues: {
    method: 'PATCH',
    path: '/bulk/issues',
    permission: 'user',
    summary: 'Changes many issues at once',
    body: BulkIssuePatch,
    reply: BulkIssueResult,
  },
  undoIssues: {
    method: 'POST',
    path: '/bulk/issues/undo',
    permission: 'user',
    summary: 'Undoes the last bulk change of issues, except issues that were changed since',
    body: BulkIssueUndo,
    reply: BulkIssueRestored,
    problems: ['not-found'],
  },
  deleteIssues: {
    method: 'POST',
    path: '/bulk/issues/delete',
    permission: 'user',
    summary: 'Deletes many issues',
    body,
    reply: BulkResult,
  },
  countSelectedIssues: {
    method: 'POST',
    path: '/bulk/issues/getSelectedIssuesCount',
    permission: 'list',
    summary: 'Number of selected issues',
    body,
    reply: SelectedCount,
  },
  usersOfSelectedIssues: {
    method: 'POST',
    path: '/bulk/issues/selected/users',
    permission: 'user',
    summary: 'People who can be assigned all selected issues',
    body,
    reply: z.object({ content: z.array(Assignee) }),
  },
  exportIssuesCsv: {
    ...exporting,
    path: '/bulk/issues/export/csv',
    summary: 'Issues as CSV, the brief columns',
    reply: { blob: 'text/csv' },
  },
  exportIssuesCsvBrief: {
    ...exporting,
    path: '/bulk/issues/export/csv/brief',
    summary: 'Issues as CSV, the brief columns',
    reply: { blob: 'text/csv' },
  },
  exportIssuesCsvDetailed: {
    ...exporting,
    path: '/bulk/issues/export/csv/detailed',
    summary: 'Issues as CSV, all columns',
    reply: { blob: 'text/csv' },
  },
  exportIssuesJson: {
    ...exporting,
    path: '/bulk/issues/export/json',
    summary: 'Issues as JSON; its schema is IssueExport',
    reply: { blob: 'application/json' },
  },
  exportIssuesXlsx: {
    ...exporting,
    path: '/bulk/issues/export/xlsx',
    summary: 'Issues as an Excel workbook, all columns',
    reply: { blob: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  },
  exportIssuesSarif: {
    ...exporting,
    path: '/bulk/issues/export/sarif',
    summary: 'Issues as SARIF 2.1.0',
    reply: { blob: 'application/sarif+json' },
  },
  exportIssuesJunit: {
    ...exporting,
    path: '/bulk/issues/export/junit',
    summary: 'Issues as JUnit XML: a suite for each page, a failure for each open issue',
    reply: { blob: 'application/xml' },
  },
  exportIssuesEarl: {
    ...exporting,
    path: '/bulk/issues/export/earl',
    summary: 'Issues as EARL 1.0 in JSON-LD',
    reply: { blob: 'application/ld+json' },
  },
})
