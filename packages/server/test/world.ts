import type { Finding } from '@clearway/engine/outcome.ts'
import { createId } from '../src/kit/id.ts'
import { buildScanBody, type TestApi } from './api.ts'
import { buildCompleted, buildFailed, buildFinding, type TestRun, recordRun } from './run.ts'

/** One object of everything, with ids for the parameters of paths. */
export type World = {
  scan: string
  otherScan: string
  run: TestRun
  page: string
  otherPage: string
  issue: string
  otherIssue: string
  comment: string
  ignore: string
  group: string
  preset: string
  script: string
  team: string
  /** Creates a new guest link of the scan; previous ones become invalid. */
  guest: (scan: string) => Promise<string>
}

export const taskScript = `projects:
  - name: Shop
    id: shop
    pageList:
      - name: Start
        url: https://example.org/
        actions:
          - analyze
`

const buildContrastFinding = (key: string): Finding =>
  buildFinding(key, {
    rule: 'color-contrast',
    impact: 'serious',
    severity: 'serious',
    help: 'Elements must have sufficient contrast',
    html: `<p>${key}</p>`,
    elementPattern: 'p',
    tags: ['cat.color', 'wcag2aa', 'wcag143'],
  })
const buildReviewFinding = (key: string): Finding =>
  buildFinding(key, {
    rule: 'label',
    severity: 'needs review',
    html: `<input name="${key}">`,
    elementPattern: 'input',
  })

const createObject = async (api: TestApi, token: string, path: string, body: unknown): Promise<string> => {
  const reply = await api.call('POST', path, { token, body })
  if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return (reply.body as { id: string }).id
}

/** Grants roles on a scan: a member directly, a viewer through a team and a group of scans. */
async function grantRoles(api: TestApi, admin: string, scan: string, group: string): Promise<string> {
  await api.account('GET', '/me', { token: await api.token('scanViewer') })
  const createdTeam = await api.account('POST', '/teams', { token: admin, body: { name: 'Editors', members: ['scanViewer'] } })
  const team = (createdTeam.body as { id: string }).id
  const teams = [{ teamId: team, role: 'scanViewer' }]
  await api.call('PATCH', `/groups/${group}`, { token: admin, body: { teams } })
  const member = { id: createId(), scan_id: scan, group_id: null, team_id: null, person_id: 'scanMember' }
  await api.db
    .insertInto('scan_access')
    .values({ ...member, role: 'scanMember' })
    .execute()
  return team
}

/** Builds a world of a scan with three runs, owned by the user `scanAdmin`, and another scan on which this user has no role. */
export async function makeWorld(api: TestApi): Promise<World> {
  const admin = await api.token('admin', ['access', 'admin'])
  const owner = await api.token('scanAdmin')
  for (const username of ['scanMember', 'scanViewer'])
    await api.call('GET', '/users/permissions', { token: await api.token(username) })
  const scan = await createObject(api, owner, '/scans', buildScanBody('World'))
  const otherScan = await createObject(api, admin, '/scans', buildScanBody('Another world'))
  const logo = buildFinding('logo', { component: 'Header' })
  await recordRun(api, scan, {
    a: buildCompleted([buildFinding('a'), buildContrastFinding('c1'), buildContrastFinding('c2'), buildReviewFinding('r'), logo]),
    b: buildCompleted([buildFinding('b'), buildContrastFinding('c3'), logo]),
    gone: buildCompleted([buildFinding('g')]),
  })
  const run = await recordRun(api, scan, {
    a: buildCompleted([buildFinding('a'), buildContrastFinding('c1'), buildContrastFinding('c4'), buildReviewFinding('r'), logo]),
    b: buildCompleted([buildContrastFinding('c3'), logo]),
    gone: buildFailed('http-404'),
  })
  await recordRun(api, otherScan, { x: buildCompleted([buildFinding('x'), buildContrastFinding('y')]) })
  const readFirstId = async (path: string) =>
    (await api.call('GET', path, { token: admin })).body as { content: { id: string }[] }
  const page = (await readFirstId(`/pages?scanId=${scan}&status=completed`)).content[0]!.id
  const otherPage = (await readFirstId(`/pages?scanId=${otherScan}`)).content[0]!.id
  const issue = (await readFirstId(`/issues?scanId=${scan}&rule=image-alt`)).content[0]!.id
  const otherIssue = (await readFirstId(`/issues?scanId=${otherScan}`)).content[0]!.id
  const comment = await createObject(api, admin, `/issues/${issue}/comments`, { text: 'Look at this' })
  const contrasts = (await readFirstId(`/issues?scanId=${scan}&rule=color-contrast`)).content[0]!.id
  const scope = { status: 'ignored', ignore: { scope: 'rule', reason: 'The brand wants it' } }
  await api.call('PATCH', `/issues/${contrasts}`, { token: admin, body: { fieldsToUpdate: scope } })
  const ignore = (await readFirstId(`/scans/${scan}/ignores`)).content[0]!.id
  const groupBody = { scanGroupName: 'Group', scans: [scan] }
  const createdGroup = await api.call('POST', '/groups', { token: admin, body: groupBody })
  const group = (createdGroup.body as { scanGroupId: string }).scanGroupId
  const team = await grantRoles(api, admin, scan, group)
  const preset = await createObject(api, admin, '/presets', { name: 'House rules' })
  const script = await createObject(api, admin, '/scripts', { name: 'Shop', type: 'TASK', text: taskScript })
  return {
    scan,
    otherScan,
    run,
    page,
    otherPage,
    issue,
    otherIssue,
    comment,
    ignore,
    group,
    preset,
    script,
    team,
    guest: async (scanId) => {
      const link = await api.call('POST', `/scans/${scanId}/public-token`, { token: admin, body: {} })
      return (link.body as { token: string }).token
    },
  }
}

/** Returns the URL of a call, with its parameters replaced by a world's ids. */
export function buildUrl(path: string, world: World, isOwnScan = true): string {
  const noun = path.split('/')[1] ?? ''
  const scan = isOwnScan ? world.scan : world.otherScan
  const ids: Record<string, string> = {
    pages: isOwnScan ? world.page : world.otherPage,
    issues: isOwnScan ? world.issue : world.otherIssue,
    groups: world.group,
    presets: world.preset,
    scripts: world.script,
    'axe-account': world.team,
  }
  const parameters: Record<string, string> = {
    run: '2',
    other: '1',
    rule: 'image-alt',
    comment: world.comment,
    ignore: world.ignore,
  }
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'id' ? (ids[noun] ?? scan) : (parameters[name] ?? createId()),
  )
}
