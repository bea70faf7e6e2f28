import { newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { buildEmpty, selectOtherScan, selectAllOf, nonEmptyList, type Step } from './step.ts'

export const issueSteps: Step[] = [
  { source: 'Issues', call: 'GET /issues/{id}', permission: 'scan.see', has: { rule: 'image-alt' } },
  {
    source: 'Issues',
    call: 'PATCH /issues/{id}',
    permission: 'scan.discuss',
    body: () => ({ fieldsToUpdate: { status: 'open', assignedTo: 'scanMember', remediationComment: 'Add alt' } }),
    has: { status: 'open', assignedTo: { id: 'scanMember' }, remediationComment: 'Add alt' },
  },
  {
    source: 'Issues',
    call: 'PATCH /issues/{id}',
    permission: 'scan.discuss',
    body: () => ({ fieldsToUpdate: { ticketUrl: 'https://tickets.example.org/1' } }),
    has: { ticketUrl: 'https://tickets.example.org/1' },
  },
  {
    source: 'Issues',
    call: 'POST /issues/{id}/labels',
    permission: 'scan.discuss',
    body: () => ({ labels: ['urgent', 'shop'] }),
    has: { labels: ['shop', 'urgent'] },
  },
  {
    source: 'Issues',
    call: 'POST /issues/{id}/removeLabel',
    permission: 'scan.discuss',
    body: () => ({ label: 'urgent' }),
    has: { labels: ['shop'] },
  },
  { source: 'Issues', call: 'POST /scans/{id}/runs/{run}/report', permission: 'scan.run', has: { success: false } },
  { source: 'Issues', call: 'GET /violations', permission: 'list', query: 'size=5', has: { page: { size: 5 } } },
  {
    source: 'Issues',
    call: 'GET /ruleSets/axeSupported',
    permission: 'list',
    has: { default: { axeVersion: newestAxeVersion } },
  },
  { source: 'Issues', call: 'GET /scans/{id}/ruleset', permission: 'scan.see', has: { lastRun: { number: 2, driven: 'off' } } },
  { source: 'Issues', call: 'GET /users/scan/{id}', permission: 'scan.discuss', has: { content: nonEmptyList } },
  { source: 'Issues', call: 'GET /users/permissions', permission: 'list', has: { isAdmin: true } },
  { source: 'Issues', call: 'GET /tags', permission: 'list', has: { content: nonEmptyList } },
]

export const bulkSteps: Step[] = [
  {
    source: 'Bulk issues/pages',
    call: 'POST /bulk/issues/getSelectedIssuesCount',
    permission: 'list',
    body: selectAllOf,
    has: { count: 7, scans: 1 },
  },
  {
    source: 'Bulk issues/pages',
    call: 'POST /bulk/issues/selected/users',
    permission: 'user',
    body: selectAllOf,
    has: { content: nonEmptyList },
  },
  {
    source: 'Bulk issues/pages',
    call: 'PATCH /bulk/issues',
    permission: 'user',
    body: (world) => ({ ...selectAllOf(world), fieldsToUpdate: { status: 'ignored' } }),
    has: { success: true, changed: 7, skipped: 0 },
  },
  {
    source: 'Bulk issues/pages',
    call: 'GET /bulk/issues/changes',
    permission: 'user',
    has: { content: nonEmptyList },
  },
  {
    source: 'Bulk issues/pages',
    call: 'POST /bulk/pages/getSelectedPagesCount',
    permission: 'list',
    body: selectAllOf,
    has: { count: 3 },
  },
  ...(
    [
      ['issues/export/csv', 'text/csv'],
      ['issues/export/csv/brief', 'text/csv'],
      ['issues/export/csv/detailed', 'text/csv'],
      ['issues/export/json', 'application/json'],
      ['pages/export/json', 'application/json'],
      ['pages/export/csv', 'text/csv'],
    ] as const
  ).map(([path, type]): Step => ({
    source: 'Exports',
    call: `POST /bulk/${path}`,
    permission: 'user',
    body: selectAllOf,
    has: { type },
  })),
  {
    source: 'Exports',
    call: 'POST /scan/export/csv',
    permission: 'user',
    body: () => ({ selectAllMode: true }),
    has: { type: 'text/csv' },
  },
  {
    source: 'Bulk scans',
    call: 'POST /bulk/scans/selected',
    permission: 'list',
    body: selectOtherScan,
    has: { count: 1, manageable: 1 },
  },
  {
    source: 'Bulk scans',
    call: 'PATCH /bulk/scans',
    permission: 'user',
    body: (world) => ({ ...selectOtherScan(world), presetId: world.preset, sharedTaskScripts: [world.script] }),
    has: { success: true, changed: 1, ignored: 0 },
  },
  {
    source: 'Bulk scans',
    call: 'POST /bulk/scans/config',
    permission: 'user',
    body: (world) => ({ ...selectOtherScan(world), favorite: true }),
    has: { success: true, changed: 1 },
  },
  { source: 'Pages', call: 'GET /pages/{id}', permission: 'scan.see', has: { status: 'completed', hasContent: true } },
  { source: 'Pages', call: 'GET /pages/{id}/content', permission: 'scan.see', has: { type: 'text/plain' } },
  { source: 'Public token', call: 'POST /scans/{id}/public-token', permission: 'scan.manage', body: buildEmpty, status: 201 },
  { source: 'Public token', call: 'GET /scans/{id}/public-token', permission: 'scan.manage', has: { exists: true } },
  { source: 'Public token', call: 'DELETE /scans/{id}/public-token', permission: 'scan.manage', status: 204 },
  {
    source: 'Session task',
    call: 'POST /session-establishment-task/validate',
    permission: 'user',
    body: () => ({ connection: { authType: 'ntlm', username: 'domain\\user', password: 'x' } }),
    has: { success: true },
  },
]

export const accountSteps: Step[] = (
  [
    ['GET /axe-account/teams', 'user', 200],
    ['GET /axe-account/teams-by-ids', 'user', 200],
    ['GET /axe-account/team/{id}', 'user', 200],
    ['POST /axe-account/teams', 'admin', 201],
    ['GET /axe-account/teams/all', 'user', 200],
    ['GET /axe-account/me', 'signed-in', 200],
    ['GET /axe-account/global-config', 'signed-in', 200],
    ['GET /axe-account/global-config-notice', 'signed-in', 200],
    ['POST /axe-account/global-config-notice', 'signed-in', 200],
  ] as const
).map(([call, permission, status]): Step => ({
  source: 'Account service',
  call,
  permission,
  status,
  service: 'account',
  ...(call.startsWith('GET /axe-account/teams') && !call.endsWith('/all') && { query: 'search=e' }),
  ...(call === 'POST /axe-account/teams' && { body: () => ({ name: 'Writers' }) }),
  ...(call === 'POST /axe-account/global-config-notice' && { body: () => ({ action: 'remind' }) }),
}))
