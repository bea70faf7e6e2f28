import type { Permission } from '@clearway/contract/kit/permission.ts'
import { taskScript, type World } from './test-world.ts'

/** Stands for a list with something in it. */
export const some = ['some']

type Service = 'monitor' | 'account' | 'origin'
/** A line of section 7: where it stands there, the call to the letter, its permission, and what it is called with. */
export type Step = {
  source: string
  call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  permission: Permission
  service?: Service
  query?: string
  body?: (world: World) => unknown
  status?: number
  /** Something that must stand in the answer; `some` for a list that is not empty. */
  has?: object | typeof some
}

const selected = (world: World) => ({ filters: { scanId: [world.scan] }, selected: { selectAllMode: true } })
const scans = (world: World) => ({ selectedScans: [world.otherScan] })
const daily = {
  frequency: 'weekly',
  startDate: '2099-01-05',
  startTime: '08:00',
  timeZone: 'Europe/Berlin',
  weekdays: ['monday'],
}
const empty = () => ({})

const issueSteps: Step[] = [
  { source: 'Issues', call: 'GET /issues/{id}', permission: 'scan.see', has: { rule: 'image-alt' } },
  {
    source: 'Issues',
    call: 'PATCH /issues/{id}',
    permission: 'scan.discuss',
    body: () => ({
      fieldsToUpdate: { status: 'open', assignedTo: 'scanMember', remediationComment: 'Add alt' },
    }),
    has: { status: 'open', assignedTo: { id: 'scanMember' }, remediationComment: 'Add alt' },
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
  {
    source: 'Issues',
    call: 'POST /scans/{id}/runs/{run}/report',
    permission: 'scan.run',
    has: { success: false },
  },
  {
    source: 'Issues',
    call: 'GET /violations',
    permission: 'list',
    query: 'size=5',
    has: { page: { size: 5 } },
  },
  {
    source: 'Issues',
    call: 'GET /ruleSets/axeSupported',
    permission: 'list',
    has: { default: { axeVersion: '4.14' } },
  },
  {
    source: 'Issues',
    call: 'GET /scans/{id}/ruleset',
    permission: 'scan.see',
    has: { lastRun: { number: 2 } },
  },
  { source: 'Issues', call: 'GET /users/scan/{id}', permission: 'scan.discuss', has: { content: some } },
  { source: 'Issues', call: 'GET /users/permissions', permission: 'list', has: { isAdmin: true } },
  { source: 'Issues', call: 'GET /tags', permission: 'list', has: { content: some } },
]

const bulkSteps: Step[] = [
  {
    source: 'Bulk issues/pages',
    call: 'POST /bulk/issues/getSelectedIssuesCount',
    permission: 'list',
    body: selected,
    has: { count: 7, scans: 1 },
  },
  {
    source: 'Bulk issues/pages',
    call: 'POST /bulk/issues/selected/users',
    permission: 'user',
    body: selected,
    has: { content: some },
  },
  {
    source: 'Bulk issues/pages',
    call: 'PATCH /bulk/issues',
    permission: 'user',
    body: (world) => ({ ...selected(world), fieldsToUpdate: { status: 'ignored' } }),
    has: { success: true, changed: 7, skipped: 0 },
  },
  {
    source: 'Bulk issues/pages',
    call: 'POST /bulk/pages/getSelectedPagesCount',
    permission: 'list',
    body: selected,
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
    body: selected,
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
    body: scans,
    has: { count: 1, manageable: 1 },
  },
  {
    source: 'Bulk scans',
    call: 'PATCH /bulk/scans',
    permission: 'user',
    body: (world) => ({ ...scans(world), presetId: world.preset, sharedTaskScripts: [world.script] }),
    has: { success: true, changed: 1, ignored: 0 },
  },
  {
    source: 'Bulk scans',
    call: 'POST /bulk/scans/config',
    permission: 'user',
    body: (world) => ({ ...scans(world), favorite: true }),
    has: { success: true, changed: 1 },
  },
  {
    source: 'Pages',
    call: 'GET /pages/{id}',
    permission: 'scan.see',
    has: { status: 'completed', hasContent: true },
  },
  { source: 'Pages', call: 'GET /pages/{id}/content', permission: 'scan.see', has: { type: 'text/plain' } },
  {
    source: 'Public token',
    call: 'POST /scans/{id}/public-token',
    permission: 'scan.manage',
    body: empty,
    status: 201,
  },
  {
    source: 'Public token',
    call: 'GET /scans/{id}/public-token',
    permission: 'scan.manage',
    has: { exists: true },
  },
  { source: 'Public token', call: 'DELETE /scans/{id}/public-token', permission: 'scan.manage', status: 204 },
  {
    source: 'Session task',
    call: 'POST /session-establishment-task/validate',
    permission: 'user',
    body: () => ({ connection: { authType: 'ntlm', username: 'domain\\user', password: 'x' } }),
    has: { success: true },
  },
]

const accountSteps: Step[] = (
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
  ...(call.startsWith('GET /axe-account/teams') && { query: 'search=e' }),
  ...(call === 'POST /axe-account/teams' && { body: () => ({ name: 'Writers' }) }),
  ...(call === 'POST /axe-account/global-config-notice' && { body: () => ({ action: 'remind' }) }),
}))

const adminSteps: Step[] = [
  {
    source: 'Presets',
    call: 'GET /presets',
    permission: 'user',
    query: 'page=0&size=10&sort=name,asc',
    has: { content: some },
  },
  {
    source: 'Presets',
    call: 'GET /presets/{id}/settings',
    permission: 'user',
    has: { settings: { name: 'House rules' } },
  },
  {
    source: 'Presets',
    call: 'POST /presets',
    permission: 'admin',
    body: () => ({ name: 'More rules' }),
    status: 201,
  },
  {
    source: 'Presets',
    call: 'PUT /presets/{id}',
    permission: 'admin',
    body: () => ({ settings: { name: 'House rules, new' }, version: 1 }),
    has: { version: 2 },
  },
  {
    source: 'Presets',
    call: 'POST /presets/validate',
    permission: 'admin',
    body: () => ({ name: 'more RULES' }),
    has: { success: false, code: 'name-taken' },
  },
  {
    source: 'System settings',
    call: 'GET /system-settings',
    permission: 'admin',
    has: { allowScanMembersToCreateScans: true },
  },
  {
    source: 'System settings',
    call: 'PUT /system-settings',
    permission: 'admin',
    body: () => ({ allowScanMembersToCreateScans: false, allowScanViewersToCreateScans: true }),
    has: { allowScanMembersToCreateScans: false },
  },
  {
    source: 'Selectors',
    call: 'GET /scans/{id}/runs/{run}/selectors',
    permission: 'scan.see',
    query: 'includeNeedsReview=true&search=img&page=0&size=5&sort=issues,desc',
  },
  {
    source: 'Groups',
    call: 'GET /groups/scan-groups',
    permission: 'user',
    query: 'search=gr&size=0&page=0&sortBy=scanGroupName&order=asc&timeZone=Europe/Berlin',
    has: { content: some },
  },
  { source: 'Groups', call: 'GET /groups/scan-groups/{id}/scans', permission: 'group.manage' },
  { source: 'Groups', call: 'GET /groups/scans/all', permission: 'user' },
  { source: 'Groups', call: 'GET /groups/teams/all', permission: 'user' },
  {
    source: 'Groups',
    call: 'POST /groups/validate',
    permission: 'user',
    body: () => ({ scanGroupName: 'Group' }),
    has: { success: false },
  },
  {
    source: 'Groups',
    call: 'POST /groups',
    permission: 'admin',
    body: () => ({ scanGroupName: 'Second' }),
    status: 201,
  },
  {
    source: 'Groups',
    call: 'PATCH /groups/{id}',
    permission: 'group.manage',
    body: () => ({ scanGroupName: 'Renamed' }),
  },
  {
    source: 'Scripts',
    call: 'POST /scripts/validate',
    permission: 'user',
    body: () => ({ script: '{}', allowedScriptType: 'TASK' }),
    has: { success: false, message: 'Please upload a valid script file.' },
  },
  {
    source: 'Scripts',
    call: 'GET /scripts',
    permission: 'admin',
    query: 'shared=true&page=0&sort=name,asc',
    has: { content: some },
  },
  {
    source: 'Scripts',
    call: 'GET /scripts/names',
    permission: 'user',
    query: 'shared=true&type=TASK',
    has: some,
  },
  {
    source: 'Scripts',
    call: 'GET /scripts/{id}/settings',
    permission: 'admin',
    has: { settings: { name: 'Shop' } },
  },
]

const scanSteps: Step[] = [
  {
    source: 'Scans',
    call: 'GET /scans',
    permission: 'list',
    query: 'page=0&size=10&sort=criticalPages,desc',
    has: { content: some },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs',
    permission: 'scan.see',
    query: 'runNumber=2&page=0',
    has: { page: { totalElements: 1 } },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs/{run}/overview',
    permission: 'scan.see',
    has: { number: 2, change: { previousNumber: 1, fixed: 2, pagesGone: 1 } },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs/{run}/overview/issues',
    permission: 'scan.see',
    has: { byStatus: {} },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs/{run}/overview/pages',
    permission: 'scan.see',
    has: { pages: { completed: 2, failed: 1 } },
  },
  { source: 'Scans', call: 'GET /scans/{id}/runs/{run}/stats', permission: 'scan.see', has: { trend: some } },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs/{run}/violations',
    permission: 'scan.see',
    has: { content: some },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs/{run}/violations/{rule}',
    permission: 'scan.see',
    has: { content: some },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs/{run}/pages',
    permission: 'scan.see',
    has: { page: { totalElements: 3 } },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs/{run}/commonIssues',
    permission: 'scan.see',
    has: { content: [{ component: 'Header', pages: 2 }] },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/runs/{run}/violationGroups',
    permission: 'scan.see',
    has: { content: some },
  },
  {
    source: 'Scans',
    call: 'GET /scans/{id}/settings',
    permission: 'scan.see',
    has: { settings: { name: 'World' } },
  },
  {
    source: 'Scans',
    call: 'POST /scans/schedule/preview',
    permission: 'user',
    body: () => ({ schedule: daily }),
    has: { next3Days: [], next: some },
  },
  { source: 'Scans', call: 'GET /scans/{id}/schedule/preview', permission: 'scan.see', query: 'size=3' },
  { source: 'Scans', call: 'GET /scan/fetchScanScores', permission: 'list', has: { content: some } },
  {
    source: 'Scans',
    call: 'POST /scans',
    permission: 'scan.create',
    body: () => ({ name: 'Third world', urls: ['https://third.example/'] }),
    status: 201,
  },
  {
    source: 'Scans',
    call: 'PUT /scans/{id}',
    permission: 'scan.manage',
    body: () => ({ settings: { name: 'World', urls: ['https://example.org/'] }, version: 1 }),
    has: { version: 2 },
  },
  {
    source: 'Scans',
    call: 'POST /scans/{id}/favorite',
    permission: 'scan.favorite',
    query: 'status=true',
    has: { favorite: true },
  },
  { source: 'Scans', call: 'GET /scans/{id}/access', permission: 'scan.access' },
  {
    source: 'Scans',
    call: 'POST /scans/validate',
    permission: 'user',
    body: (world) => ({ name: 'World', scanId: world.scan }),
    has: { success: true },
  },
  { source: 'Scans', call: 'GET /scan/withPresets', permission: 'user', has: { content: some } },
  { source: 'Scans', call: 'GET /scan/activity', permission: 'list', has: { content: some } },
  { source: 'Scans', call: 'POST /scans/{id}/preset', permission: 'scan.manage', query: 'presetId={preset}' },
  {
    source: 'Scans',
    call: 'DELETE /scans/{id}/preset',
    permission: 'scan.manage',
    query: 'presetId={preset}',
  },
  {
    source: 'Scans',
    call: 'POST /scans/{id}/startRun',
    permission: 'scan.run',
    status: 202,
    has: { status: 'queued' },
  },
  { source: 'Scans', call: 'POST /scans/{id}/cancel', permission: 'scan.run', has: { status: 'cancelled' } },
]

const lastSteps: Step[] = [
  {
    source: 'Scripts',
    call: 'POST /scripts',
    permission: 'admin',
    status: 201,
    body: () => ({ name: 'Spare', type: 'TASK', text: taskScript }),
  },
  {
    source: 'Scripts',
    call: 'PUT /scripts/{id}',
    permission: 'admin',
    body: () => ({ settings: { name: 'Shop 2', type: 'TASK', text: taskScript }, version: 1 }),
    has: { version: 2 },
  },
  { source: 'Issues', call: 'DELETE /issues/{id}', permission: 'scan.curate', status: 204 },
  { source: 'Pages', call: 'DELETE /pages/{id}', permission: 'scan.curate', status: 204 },
  {
    source: 'Bulk issues/pages',
    call: 'POST /bulk/issues/delete',
    permission: 'user',
    body: selected,
    has: { success: true },
  },
  {
    source: 'Bulk issues/pages',
    call: 'POST /bulk/pages/delete',
    permission: 'user',
    body: selected,
    has: { success: true },
  },
  {
    source: 'Bulk scans',
    call: 'POST /bulk/scans/delete',
    permission: 'user',
    body: scans,
    has: { changed: 1 },
  },
  { source: 'Scans', call: 'DELETE /scans/{id}', permission: 'scan.manage', status: 204 },
  { source: 'Groups', call: 'DELETE /groups/{id}', permission: 'group.manage', status: 204 },
  { source: 'Presets', call: 'DELETE /presets/{id}', permission: 'admin', status: 204 },
  { source: 'Scripts', call: 'DELETE /scripts/{id}', permission: 'admin', status: 204 },
]

/** Section 7, line by line, in an order in which each call finds what it needs. Uploading takes a form of its own. */
export const walk: readonly Step[] = [
  {
    source: 'Config and identity',
    call: 'GET /config',
    permission: 'open',
    service: 'origin',
    has: { productName: 'Clearway' },
  },
  {
    source: 'Health',
    call: 'GET /actuator/health/system',
    permission: 'open',
    has: { details: { migrations: { status: 'COMPLETE' } } },
  },
  ...scanSteps,
  ...issueSteps,
  ...bulkSteps,
  ...accountSteps,
  ...adminSteps,
  ...lastSteps,
]
