import { axeVersions, newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { createId } from '../src/kit/id.ts'
import type { TestApi } from './api.ts'
import { completed, finding, wholeRun } from './run.ts'
import type { World } from './world.ts'
import { uploadTo } from './upload.ts'

export type Stage = {
  api: TestApi
  world: World
  admin: string
  /** Lets the server say that its migrations run, while `work` goes on. */
  inMaintenance: <T>(work: () => Promise<T>) => Promise<T>
  /** Takes a table away from the server while `work` goes on. */
  without: <T>(table: string, work: () => Promise<T>) => Promise<T>
}
type Answer = { status: number; body: unknown }

/** A message by the words that name it, how the server comes to cause it, and what it answers then. */
export type Message = {
  words: string
  cause: (stage: Stage) => Promise<Answer>
  says: { status: number; body: object }
}

const problem = (status: number, code: string, more: object = {}) => ({ status, body: { code, ...more } })
const field = (path: string, code: string) => problem(400, 'validation-failed', { errors: [{ path, code }] })
type Ask = { body?: object; as?: string; guest?: string }
async function ask(
  { api, admin }: Stage,
  method: string,
  path: string,
  { body, as, guest }: Ask = {},
): Promise<Answer> {
  const token = as === undefined ? admin : await api.token(as)
  return api.call(method, path, { ...(guest === undefined ? { token } : { guest }), ...(body && { body }) })
}
const chosen = (world: World) => ({ filters: { scanId: [world.scan] }, selected: { selectAllMode: true } })

const scans: Message[] = [
  {
    words: 'System status fetch failure: maintenance page',
    cause: (stage) => stage.inMaintenance(() => ask(stage, 'GET', '/scans')),
    says: problem(503, 'maintenance'),
  },
  {
    words: 'not an admin of the scan or scan missing',
    cause: (stage) => ask(stage, 'GET', `/scans/${stage.world.scan}/settings`, { as: 'stranger' }),
    says: problem(404, 'not-found'),
  },
  {
    words: 'no run found',
    cause: (stage) => ask(stage, 'GET', `/scans/${stage.world.scan}/runs/99/overview`),
    says: problem(404, 'not-found'),
  },
  {
    words: 'scan data fetch error',
    cause: (stage) => stage.without('run', () => ask(stage, 'GET', '/scans')),
    says: problem(500, 'server-error'),
  },
  {
    words: 'favorite setting errors',
    cause: (stage) => ask(stage, 'POST', `/scans/${stage.world.scan}/favorite?status=perhaps`),
    says: field('status', 'unknown-value'),
  },
  {
    words: 'delete scans error',
    cause: (stage) => {
      const body = { selectedScans: [stage.world.scan] }
      return ask(stage, 'POST', '/bulk/scans/delete', { as: 'scanViewer', body })
    },
    says: { status: 200, body: { changed: 0, skipped: 1 } },
  },
  {
    words: 'unknown delete error',
    cause: (stage) => ask(stage, 'DELETE', `/scans/${createId()}`),
    says: problem(404, 'not-found'),
  },
  {
    words: 'start/cancel scan failure',
    cause: async (stage) => {
      await ask(stage, 'POST', `/scans/${stage.world.otherScan}/startRun`)
      return ask(stage, 'POST', `/scans/${stage.world.otherScan}/startRun`)
    },
    says: problem(409, 'run-active'),
  },
  {
    words: 'start/cancel scan failure',
    cause: async (stage) => {
      await ask(stage, 'POST', `/scans/${stage.world.otherScan}/cancel`)
      return ask(stage, 'POST', `/scans/${stage.world.otherScan}/cancel`)
    },
    says: problem(409, 'run-not-active'),
  },
  {
    words: 'update reports failure',
    cause: (stage) => ask(stage, 'POST', `/scans/${stage.world.scan}/runs/2/report`),
    says: { status: 200, body: { success: false, message: 'No reporting product is set up.' } },
  },
  {
    words: 'preset assign/remove errors',
    cause: (stage) => ask(stage, 'POST', `/scans/${stage.world.scan}/preset?presetId=${createId()}`),
    says: field('presetId', 'unknown-value'),
  },
  {
    words: 'preset assign/remove errors',
    cause: (stage) =>
      ask(stage, 'DELETE', `/scans/${stage.world.scan}/preset?presetId=${stage.world.preset}`),
    says: field('presetId', 'unknown-value'),
  },
  {
    words: 'apply shared script or session script errors',
    cause: ({ world, ...stage }) => {
      const body = { selectedScans: [world.scan], sharedTaskScripts: [createId()] }
      return ask({ world, ...stage }, 'PATCH', '/bulk/scans', { body })
    },
    says: field('sharedTaskScripts.0', 'unknown-value'),
  },
  ...[
    '/scan/export/csv',
    '/bulk/issues/export/csv',
    '/bulk/issues/export/json',
    '/bulk/pages/export/csv',
  ].map((path): Message => ({
    words: 'export errors (CSV/JSON for scans, issues, pages)',
    cause: async (stage) =>
      ask(stage, 'POST', path, { guest: await stage.world.guest(stage.world.scan), body: {} }),
    says: problem(403, 'access-denied'),
  })),
]

const patch = (stage: Stage, fieldsToUpdate: object, as?: string) =>
  ask(stage, 'PATCH', '/bulk/issues', {
    body: { ...chosen(stage.world), fieldsToUpdate },
    ...(as !== undefined && { as }),
  })
const issues: Message[] = [
  {
    words: '"Error while trying to assign issues: {errorMessage}"',
    cause: (stage) => patch(stage, { assignedTo: 'nobody' }),
    says: field('fieldsToUpdate.assignedTo', 'unknown-value'),
  },
  {
    words: 'mark/unmark as issue errors',
    cause: (stage) => patch(stage, { markAsIssue: true }, 'scanViewer'),
    says: { status: 200, body: { changed: 0 } },
  },
  {
    words: '"Error while trying to set {status} status"',
    cause: (stage) => patch(stage, { status: 'none' }),
    says: field('fieldsToUpdate.status', 'unknown-value'),
  },
  {
    words: '"Page deletion failed!"',
    cause: (stage) => ask(stage, 'DELETE', `/pages/${stage.world.page}`, { as: 'scanViewer' }),
    says: problem(403, 'access-denied'),
  },
]

const people: Message[] = [
  {
    words: '"Error creating new scan group"',
    cause: (stage) => ask(stage, 'POST', '/groups', { body: { scanGroupName: 'Group' } }),
    says: problem(409, 'name-taken'),
  },
  {
    words: '"Error when trying to delete scan group!"',
    cause: (stage) => ask(stage, 'DELETE', `/groups/${stage.world.group}`, { as: 'scanAdmin' }),
    says: problem(404, 'not-found'),
  },
  {
    words: '"Teams fetch error"',
    cause: ({ api }) => api.account('GET', '/teams', { token: null }),
    says: problem(401, 'not-signed-in'),
  },
  {
    words: '"Team assignment error: {message}"',
    cause: (stage) => {
      const assignments = [{ teamId: 'no-such-team', scanId: stage.world.scan, role: 'scanViewer' }]
      return ask(stage, 'POST', '/team-access', { body: { assignments } })
    },
    says: field('assignments.0.teamId', 'unknown-value'),
  },
  {
    words: '"Upload failed in {filename}" listing team, scan, group and role errors',
    cause: (stage) => {
      const content = 'team,scan,scan group,role\nNobody,Nowhere,,Boss\nEditors,,Nothing,Scan Viewer\n'
      return ask(stage, 'POST', '/team-access/import', { body: { filename: 'roles.csv', content } })
    },
    says: {
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
      ask(stage, 'PUT', '/system-settings', {
        body: { allowScanMembersToCreateScans: 'yes', allowScanViewersToCreateScans: true },
      }),
    says: field('allowScanMembersToCreateScans', 'wrong-type'),
  },
  {
    words: 'A preset submit error offers Try again',
    cause: (stage) =>
      ask(stage, 'PUT', `/presets/${stage.world.preset}`, {
        body: { settings: { name: 'House rules' }, version: 99 },
      }),
    says: problem(409, 'edit-conflict'),
  },
  {
    words: 'Scan finish-saving error',
    cause: (stage) => {
      const settings = { name: 'World', urls: ['https://example.org/'] }
      return ask(stage, 'PUT', `/scans/${stage.world.scan}`, { body: { settings, version: 99 } })
    },
    says: problem(409, 'edit-conflict'),
  },
  {
    words: '"The shared script {name} is currently applied to one or more scans',
    cause: async (stage) => {
      const body = { selectedScans: [stage.world.otherScan], sharedTaskScripts: [stage.world.script] }
      await ask(stage, 'PATCH', '/bulk/scans', { body })
      return ask(stage, 'DELETE', `/scripts/${stage.world.script}`)
    },
    says: problem(409, 'in-use', {
      detail:
        'The shared script Shop is currently applied to one or more scans. Please remove it from those scans before proceeding with deletion.',
    }),
  },
]

const results = (more: object = {}) =>
  JSON.stringify({
    testEngine: { name: 'axe-core', version: axeVersions[newestAxeVersion] },
    url: 'https://example.org/u',
    violations: [],
    ...more,
  })
const ofUpload = (words: string, code: string, files: { type?: string; text: string }[]): Message => ({
  words,
  cause: ({ api, world, admin }) => uploadTo(api, { token: admin, scan: world.scan, run: 2 }, files),
  says: { status: 200, body: { success: false, errors: [{ code }] } },
})
const uploads: Message[] = [
  ofUpload('Issue upload failures: not application/json', 'not-json', [
    { type: 'text/html', text: results() },
  ]),
  ofUpload('invalid issues', 'invalid-issues', [{ text: results({ violations: [{}] }) }]),
  ofUpload('unsupported source', 'unsupported-source', [{ text: '{"testEngine":{"name":"other"}}' }]),
  ofUpload('file too large', 'file-too-large', [{ text: ' '.repeat(20 * 1024 * 1024 + 1) }]),
  ofUpload(
    'too many files',
    'too-many-files',
    Array.from({ length: 21 }, () => ({ text: results() })),
  ),
  {
    words: 'server issue',
    cause: (stage) =>
      stage.without('page', () =>
        uploadTo(stage.api, { token: stage.admin, scan: stage.world.scan, run: 2 }, [{ text: results() }]),
      ),
    says: problem(500, 'server-error'),
  },
]

const limits: Message[] = [
  {
    words: 'A warning appears when the maximum issue count per page is reached',
    cause: async (stage) => {
      const many = Array.from({ length: 501 }, (_, n) => finding(`e${n}`))
      const { scanId } = await wholeRun(stage.api, undefined, { a: completed(many) }, 'Too much')
      const { body } = await ask(stage, 'GET', `/pages?scanId=${scanId}`)
      return ask(stage, 'GET', `/pages/${(body as { content: { id: string }[] }).content[0]!.id}`)
    },
    says: { status: 200, body: { notices: ['issue-limit-reached'], issuesNotStored: 1 } },
  },
]

export const messages: readonly Message[] = [...scans, ...issues, ...people, ...uploads, ...limits]
