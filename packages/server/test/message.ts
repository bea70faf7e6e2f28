import { axeVersions, newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { createId } from '../src/kit/id.ts'
import type { TestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'
import type { World } from './world.ts'
import { uploadTo } from './upload.ts'

export type Stage = {
  api: TestApi
  world: World
  admin: string
  /** Makes the server report running migrations during `work`. */
  inMaintenance: <T>(work: () => Promise<T>) => Promise<T>
  /** Renames a table of the server during `work`. */
  withoutTable: <T>(table: string, work: () => Promise<T>) => Promise<T>
}
type Reply = { status: number; body: unknown }

/** A message by its identifying words, a way to make the server cause it, and the expected response. */
export type Message = { words: string; cause: (stage: Stage) => Promise<Reply>; expectedReply: { status: number; body: object } }

const buildProblem = (status: number, code: string, extraFields: object = {}) => ({ status, body: { code, ...extraFields } })
const buildFieldProblem = (path: string, code: string) => buildProblem(400, 'validation-failed', { errors: [{ path, code }] })
type RequestOptions = { body?: object; as?: string; guest?: string }
async function sendRequest(
  { api, admin }: Stage,
  method: string,
  path: string,
  { body, as, guest }: RequestOptions = {},
): Promise<Reply> {
  const token = as === undefined ? admin : await api.token(as)
  return api.call(method, path, { ...(guest === undefined ? { token } : { guest }), ...(body && { body }) })
}
const selectAllOf = (world: World) => ({ filters: { scanId: [world.scan] }, selected: { selectAllMode: true } })

const scans: Message[] = [
  {
    words: 'System status fetch failure: maintenance page',
    cause: (stage) => stage.inMaintenance(() => sendRequest(stage, 'GET', '/scans')),
    expectedReply: buildProblem(503, 'maintenance'),
  },
  {
    words: 'not an admin of the scan or scan missing',
    cause: (stage) => sendRequest(stage, 'GET', `/scans/${stage.world.scan}/settings`, { as: 'stranger' }),
    expectedReply: buildProblem(404, 'not-found'),
  },
  {
    words: 'no run found',
    cause: (stage) => sendRequest(stage, 'GET', `/scans/${stage.world.scan}/runs/99/overview`),
    expectedReply: buildProblem(404, 'not-found'),
  },
  {
    words: 'scan data fetch error',
    cause: (stage) => stage.withoutTable('run', () => sendRequest(stage, 'GET', '/scans')),
    expectedReply: buildProblem(500, 'server-error'),
  },
  {
    words: 'favorite setting errors',
    cause: (stage) => sendRequest(stage, 'POST', `/scans/${stage.world.scan}/favorite?status=perhaps`),
    expectedReply: buildFieldProblem('status', 'unknown-value'),
  },
  {
    words: 'delete scans error',
    cause: (stage) => {
      const body = { selectedScans: [stage.world.scan] }
      return sendRequest(stage, 'POST', '/bulk/scans/delete', { as: 'scanViewer', body })
    },
    expectedReply: { status: 200, body: { changed: 0, skipped: 1 } },
  },
  {
    words: 'unknown delete error',
    cause: (stage) => sendRequest(stage, 'DELETE', `/scans/${createId()}`),
    expectedReply: buildProblem(404, 'not-found'),
  },
  {
    words: 'start/cancel scan failure',
    cause: async (stage) => {
      await sendRequest(stage, 'POST', `/scans/${stage.world.otherScan}/startRun`)
      return sendRequest(stage, 'POST', `/scans/${stage.world.otherScan}/startRun`)
    },
    expectedReply: buildProblem(409, 'run-active'),
  },
  {
    words: 'start/cancel scan failure',
    cause: async (stage) => {
      await sendRequest(stage, 'POST', `/scans/${stage.world.otherScan}/cancel`)
      return sendRequest(stage, 'POST', `/scans/${stage.world.otherScan}/cancel`)
    },
    expectedReply: buildProblem(409, 'run-not-active'),
  },
  {
    words: 'update reports failure',
    cause: (stage) => sendRequest(stage, 'POST', `/scans/${stage.world.scan}/runs/2/report`),
    expectedReply: { status: 200, body: { success: false, message: 'No reporting product is set up.' } },
  },
  {
    words: 'preset assign/remove errors',
    cause: (stage) => sendRequest(stage, 'POST', `/scans/${stage.world.scan}/preset?presetId=${createId()}`),
    expectedReply: buildFieldProblem('presetId', 'unknown-value'),
  },
  {
    words: 'preset assign/remove errors',
    cause: (stage) => sendRequest(stage, 'DELETE', `/scans/${stage.world.scan}/preset?presetId=${stage.world.preset}`),
    expectedReply: buildFieldProblem('presetId', 'unknown-value'),
  },
  {
    words: 'apply shared script or session script errors',
    cause: ({ world, ...stage }) => {
      const body = { selectedScans: [world.scan], sharedTaskScripts: [createId()] }
      return sendRequest({ world, ...stage }, 'PATCH', '/bulk/scans', { body })
    },
    expectedReply: buildFieldProblem('sharedTaskScripts.0', 'unknown-value'),
  },
  ...['/scan/export/csv', '/bulk/issues/export/csv', '/bulk/issues/export/json', '/bulk/pages/export/csv'].map(
    (path): Message => ({
      words: 'export errors (CSV/JSON for scans, issues, pages)',
      cause: async (stage) => sendRequest(stage, 'POST', path, { guest: await stage.world.guest(stage.world.scan), body: {} }),
      expectedReply: buildProblem(403, 'access-denied'),
    }),
  ),
]

const patchIssues = (stage: Stage, fieldsToUpdate: object, as?: string) =>
  sendRequest(stage, 'PATCH', '/bulk/issues', {
    body: { ...selectAllOf(stage.world), fieldsToUpdate },
    ...(as !== undefined && { as }),
  })
const issues: Message[] = [
  {
    words: '"Error while trying to assign issues: {errorMessage}"',
    cause: (stage) => patchIssues(stage, { assignedTo: 'nobody' }),
    expectedReply: buildFieldProblem('fieldsToUpdate.assignedTo', 'unknown-value'),
  },
  {
    words: 'mark/unmark as issue errors',
    cause: (stage) => patchIssues(stage, { markAsIssue: true }, 'scanViewer'),
    expectedReply: { status: 200, body: { changed: 0 } },
  },
  {
    words: '"Error while trying to set {status} status"',
    cause: (stage) => patchIssues(stage, { status: 'none' }),
    expectedReply: buildFieldProblem('fieldsToUpdate.status', 'unknown-value'),
  },
  {
    words: '"Page deletion failed!"',
    cause: (stage) => sendRequest(stage, 'DELETE', `/pages/${stage.world.page}`, { as: 'scanViewer' }),
    expectedReply: buildProblem(403, 'access-denied'),
  },
]

const people: Message[] = [
  {
    words: '"Error creating new scan group"',
    cause: (stage) => sendRequest(stage, 'POST', '/groups', { body: { scanGroupName: 'Group' } }),
    expectedReply: buildProblem(409, 'name-taken'),
  },
  {
    words: '"Error when trying to delete scan group!"',
    cause: (stage) => sendRequest(stage, 'DELETE', `/groups/${stage.world.group}`, { as: 'scanAdmin' }),
    expectedReply: buildProblem(404, 'not-found'),
  },
  {
    words: '"Teams fetch error"',
    cause: ({ api }) => api.account('GET', '/teams', { token: null }),
    expectedReply: buildProblem(401, 'not-signed-in'),
  },
  {
    words: '"Team assignment error: {message}"',
    cause: (stage) => {
      const assignments = [{ teamId: 'no-such-team', scanId: stage.world.scan, role: 'scanViewer' }]
      return sendRequest(stage, 'POST', '/team-access', { body: { assignments } })
    },
    expectedReply: buildFieldProblem('assignments.0.teamId', 'unknown-value'),
  },
  {
    words: '"Upload failed in {filename}" listing team, scan, group and role errors',
    cause: (stage) => {
      const content = 'team,scan,scan group,role\nNobody,Nowhere,,Boss\nEditors,,Nothing,Scan Viewer\n'
      return sendRequest(stage, 'POST', '/team-access/import', { body: { filename: 'roles.csv', content } })
    },
    expectedReply: {
      status: 200,
      body: {
        success: false,
        errorMessage: 'Upload failed in roles.csv',
        errors: [
          { line: 2, column: 'team', code: 'unknown-team' },
          { line: 2, column: 'scan', code: 'unknown-scan' },
          { line: 2, column: 'role', code: 'bad-role' },
          { line: 3, column: 'scan group', code: 'unknown-group' },
        ],
      },
    },
  },
  {
    words: '"Error saving permissions settings: {errorMessage}"',
    cause: (stage) =>
      sendRequest(stage, 'PUT', '/system-settings', {
        body: { allowScanMembersToCreateScans: 'yes', allowScanViewersToCreateScans: true },
      }),
    expectedReply: buildFieldProblem('allowScanMembersToCreateScans', 'wrong-type'),
  },
  {
    words: 'A preset submit error offers Try again',
    cause: (stage) =>
      sendRequest(stage, 'PUT', `/presets/${stage.world.preset}`, { body: { settings: { name: 'House rules' }, version: 99 } }),
    expectedReply: buildProblem(409, 'edit-conflict'),
  },
  {
    words: 'Scan finish-saving error',
    cause: (stage) => {
      const settings = { name: 'World', urls: ['https://example.org/'] }
      return sendRequest(stage, 'PUT', `/scans/${stage.world.scan}`, { body: { settings, version: 99 } })
    },
    expectedReply: buildProblem(409, 'edit-conflict'),
  },
  {
    words: '"The shared script {name} is currently applied to one or more scans',
    cause: async (stage) => {
      const body = { selectedScans: [stage.world.otherScan], sharedTaskScripts: [stage.world.script] }
      await sendRequest(stage, 'PATCH', '/bulk/scans', { body })
      return sendRequest(stage, 'DELETE', `/scripts/${stage.world.script}`)
    },
    expectedReply: buildProblem(409, 'in-use', {
      detail:
        'The shared script Shop is currently applied to one or more scans. Please remove it from those scans before proceeding with deletion.',
    }),
  },
]

const buildResults = (extraFields: object = {}) =>
  JSON.stringify({
    testEngine: { name: 'axe-core', version: axeVersions[newestAxeVersion] },
    url: 'https://example.org/u',
    violations: [],
    ...extraFields,
  })
const buildUploadMessage = (words: string, code: string, files: { type?: string; text: string }[]): Message => ({
  words,
  cause: ({ api, world, admin }) => uploadTo(api, { token: admin, scan: world.scan, run: 2 }, files),
  expectedReply: { status: 200, body: { success: false, errors: [{ code }] } },
})
const uploads: Message[] = [
  buildUploadMessage('Issue upload failures: not application/json', 'not-json', [{ type: 'text/html', text: buildResults() }]),
  buildUploadMessage('invalid issues', 'invalid-issues', [{ text: buildResults({ violations: [{}] }) }]),
  buildUploadMessage('unsupported source', 'unsupported-source', [{ text: '{"testEngine":{"name":"other"}}' }]),
  buildUploadMessage('file too large', 'file-too-large', [{ text: ' '.repeat(20 * 1024 * 1024 + 1) }]),
  buildUploadMessage(
    'too many files',
    'too-many-files',
    Array.from({ length: 21 }, () => ({ text: buildResults() })),
  ),
  {
    words: 'server issue',
    cause: (stage) =>
      stage.withoutTable('page', () =>
        uploadTo(stage.api, { token: stage.admin, scan: stage.world.scan, run: 2 }, [{ text: buildResults() }]),
      ),
    expectedReply: buildProblem(500, 'server-error'),
  },
]

const limits: Message[] = [
  {
    words: 'A warning appears when the maximum issue count per page is reached',
    cause: async (stage) => {
      const findings = Array.from({ length: 501 }, (_, n) => buildFinding(`e${n}`))
      const { scanId } = await recordRun(stage.api, undefined, { a: buildCompleted(findings) }, 'Too much')
      const { body } = await sendRequest(stage, 'GET', `/pages?scanId=${scanId}`)
      return sendRequest(stage, 'GET', `/pages/${(body as { content: { id: string }[] }).content[0]!.id}`)
    },
    expectedReply: { status: 200, body: { notices: ['issue-limit-reached'], issuesNotStored: 1 } },
  },
]

export const messages: readonly Message[] = [...scans, ...issues, ...people, ...uploads, ...limits]
