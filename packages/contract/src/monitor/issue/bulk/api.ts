import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import {
  Assignee,
  BulkIssueChange,
  BulkIssueDeletion,
  BulkIssuePatch,
  BulkIssueRestored,
  BulkIssueResult,
  BulkIssueUndo,
  BulkIssuesDeleted,
  IssueSelection,
  SelectedCount,
} from './schema.ts'

const selectionBody = IssueSelection
const exportEndpoint = { method: 'POST', permission: 'user', body: selectionBody } as const

/** Bulk issue endpoints. Each affects visible issues for which the caller's roles allow the change. */
export const issueBulkApi = defineEndpoints({
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
    summary: 'Undoes a bulk change of issues, except issues that were changed since',
    body: BulkIssueUndo,
    reply: BulkIssueRestored,
    problems: ['not-found'],
  },
  listIssueChanges: {
    method: 'GET',
    path: '/bulk/issues/changes',
    permission: 'user',
    summary: 'Bulk changes of the caller that can be undone, the newest first',
    reply: z.object({ content: z.array(BulkIssueChange) }),
  },
  deleteIssues: {
    method: 'POST',
    path: '/bulk/issues/delete',
    permission: 'user',
    summary: 'Deletes many issues',
    body: BulkIssueDeletion,
    reply: BulkIssuesDeleted,
  },
  countSelectedIssues: {
    method: 'POST',
    path: '/bulk/issues/getSelectedIssuesCount',
    permission: 'list',
    summary: 'Number of selected issues',
    body: selectionBody,
    reply: SelectedCount,
  },
  usersOfSelectedIssues: {
    method: 'POST',
    path: '/bulk/issues/selected/users',
    permission: 'user',
    summary: 'People who can be assigned all selected issues',
    body: selectionBody,
    reply: z.object({ content: z.array(Assignee) }),
  },
  exportIssuesCsv: {
    ...exportEndpoint,
    path: '/bulk/issues/export/csv',
    summary: 'Issues as CSV, the brief columns',
    reply: { blob: 'text/csv' },
  },
  exportIssuesCsvBrief: {
    ...exportEndpoint,
    path: '/bulk/issues/export/csv/brief',
    summary: 'Issues as CSV, the brief columns',
    reply: { blob: 'text/csv' },
  },
  exportIssuesCsvDetailed: {
    ...exportEndpoint,
    path: '/bulk/issues/export/csv/detailed',
    summary: 'Issues as CSV, all columns',
    reply: { blob: 'text/csv' },
  },
  exportIssuesJson: {
    ...exportEndpoint,
    path: '/bulk/issues/export/json',
    summary: 'Issues as JSON; its schema is IssueExport',
    reply: { blob: 'application/json' },
  },
  exportIssuesXlsx: {
    ...exportEndpoint,
    path: '/bulk/issues/export/xlsx',
    summary: 'Issues as an Excel workbook, all columns',
    reply: { blob: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  },
  exportIssuesSarif: {
    ...exportEndpoint,
    path: '/bulk/issues/export/sarif',
    summary: 'Issues as SARIF 2.1.0',
    reply: { blob: 'application/sarif+json' },
  },
  exportIssuesJunit: {
    ...exportEndpoint,
    path: '/bulk/issues/export/junit',
    summary: 'Issues as JUnit XML: a suite for each page, a failure for each open issue',
    reply: { blob: 'application/xml' },
  },
  exportIssuesEarl: {
    ...exportEndpoint,
    path: '/bulk/issues/export/earl',
    summary: 'Issues as EARL 1.0 in JSON-LD',
    reply: { blob: 'application/ld+json' },
  },
})
