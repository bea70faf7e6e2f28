import type { Finding } from '@clearway/engine/outcome.ts'
import { createId } from '../src/kit/id.ts'
import { buildScanBody, type TestApi } from './api.ts'
import { completed, failed, finding, type TestRun, wholeRun } from './run.ts'

/** One of everything, with ids for the parameters of paths. */
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
  /** Makes a new guest link of the scan; older ones end. */
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

const contrast = (key: string): Finding =>
  finding(key, {
    rule: 'color-contrast',
    impact: 'serious',
    severity: 'serious',
    help: 'Elements must have sufficient contrast',
    html: `<p>${key}</p>`,
    elementPattern: 'p',
    tags: ['cat.color', 'wcag2aa', 'wcag143'],
  })
const review = (key: string): Finding =>
  finding(key, {
    rule: 'label',
    severity: 'needs review',
    html: `<input name="${key}">`,
    elementPattern: 'input',
  })

const madeBy = async (api: TestApi, token: string, path: string, body: unknown): Promise<string> => {
  const reply = await api.call('POST', path, { token, body })
  if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return (reply.body as { id: string }).id
}

/** Roles on a scan: a member directly, a viewer through a team and a group of scans. */
async function giveRoles(api: TestApi, admin: string, scan: string, group: string): Promise<string> {
  await api.account('GET', '/me', { token: await api.token('scanViewer') })
  const made = await api.account('POST', '/teams', {
    token: admin,
    body: { name: 'Editors', members: ['scanViewer'] },
  })
  const team = (made.body as { id: string }).id
  const teams = [{ teamId: team, role: 'scanViewer' }]
  await api.call('PATCH', `/groups/${group}`, { token: admin, body: { teams } })
  const member = { id: createId(), scan_id: scan, group_id: null, team_id: null, person_id: 'scanMember' }
  await api.db
    .insertInto('scan_access')
    .values({ ...member, role: 'scanMember' })
    .execute()
  return team
}

/** Builds a world of a scan with three runs, owned by the user `scanAdmin`, and another scan that this user has no role on. */
export async function makeWorld(api: TestApi): Promise<World> {
  const admin = await api.token('admin', ['access', 'admin'])
  const owner = await api.token('scanAdmin')
  for (const who of ['scanMember', 'scanViewer'])
    await api.call('GET', '/users/permissions', { token: await api.token(who) })
  const scan = await madeBy(api, owner, '/scans', buildScanBody('World'))
  const otherScan = await madeBy(api, admin, '/scans', buildScanBody('Another world'))
  const logo = finding('logo', { component: 'Header' })
  await wholeRun(api, scan, {
    a: completed([finding('a'), contrast('c1'), contrast('c2'), review('r'), logo]),
    b: completed([finding('b'), contrast('c3'), logo]),
    gone: completed([finding('g')]),
  })
  const run = await wholeRun(api, scan, {
    a: completed([finding('a'), contrast('c1'), contrast('c4'), review('r'), logo]),
    b: completed([contrast('c3'), logo]),
    gone: failed('http-404'),
  })
  await wholeRun(api, otherScan, { x: completed([finding('x'), contrast('y')]) })
  const first = async (path: string) =>
    (await api.call('GET', path, { token: admin })).body as { content: { id: string }[] }
  const page = (await first(`/pages?scanId=${scan}&status=completed`)).content[0]!.id
  const otherPage = (await first(`/pages?scanId=${otherScan}`)).content[0]!.id
  const issue = (await first(`/issues?scanId=${scan}&rule=image-alt`)).content[0]!.id
  const otherIssue = (await first(`/issues?scanId=${otherScan}`)).content[0]!.id
  const comment = await madeBy(api, admin, `/issues/${issue}/comments`, { text: 'Look at this' })
  const contrasts = (await first(`/issues?scanId=${scan}&rule=color-contrast`)).content[0]!.id
  const scope = { status: 'ignored', ignore: { scope: 'rule', reason: 'The brand wants it' } }
  await api.call('PATCH', `/issues/${contrasts}`, { token: admin, body: { fieldsToUpdate: scope } })
  const ignore = (await first(`/scans/${scan}/ignores`)).content[0]!.id
  const groupBody = { scanGroupName: 'Group', scans: [scan] }
  const made = await api.call('POST', '/groups', { token: admin, body: groupBody })
  const group = (made.body as { scanGroupId: string }).scanGroupId
  const team = await giveRoles(api, admin, scan, group)
  const preset = await madeBy(api, admin, '/presets', { name: 'House rules' })
  const script = await madeBy(api, admin, '/scripts', { name: 'Shop', type: 'TASK', text: taskScript })
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
    guest: async (of) => {
      const link = await api.call('POST', `/scans/${of}/public-token`, { token: admin, body: {} })
      return (link.body as { token: string }).token
    },
  }
}

/** The URL of a call with the parameters of a world in it. */
export function urlOf(path: string, world: World, own = true): string {
  const noun = path.split('/')[1] ?? ''
  const scan = own ? world.scan : world.otherScan
  const ids: Record<string, string> = {
    pages: own ? world.page : world.otherPage,
    issues: own ? world.issue : world.otherIssue,
    groups: world.group,
    presets: world.preset,
    scripts: world.script,
    'axe-account': world.team,
  }
  const rest: Record<string, string> = {
    run: '2',
    other: '1',
    rule: 'image-alt',
    comment: world.comment,
    ignore: world.ignore,
  }
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'id' ? (ids[noun] ?? scan) : (rest[name] ?? createId()),
  )
}
