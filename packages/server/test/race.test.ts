/** @module-tag slow */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startDueRuns } from '../src/monitor/schedule/service.ts'
import { buildScanBody, useTestApi } from './api.ts'
import { fireBoth, listPairs, runRounds } from './simultaneous.ts'
import { taskScript } from './world.ts'

// Fires every pair of changes of one noun at the same time, and then checks what must hold whatever the order was. All pairs with
// 200 rounds take half an hour on an idle machine, so they are run noun by noun (script, preset, group, scan, schedule, team, access,
// share):
//   RACE_ROUNDS=200 npm test -- race.test -t '^script: '

const api = useTestApi()
let adminToken: string
const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  api.call(method, path, { token: adminToken, ...(body && { body }) })
const callAccount = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  api.account(method, path, { token: adminToken, ...(body && { body }) })

type Settings = { ruleSet: { standard: string }; presetId: string | null; scripts: { shared: string[] } }
type StoredScan = { settings: Settings; version: number }
/** The objects of one round. */
type Stage = { scan: StoredScan & { id: string } } & Record<'script' | 'preset' | 'group' | 'team', string | null>
type Reply = { status: number; body: never }

const ruleSet = { axeVersion: '4.13', standard: 'wcag21aa', bestPractices: false, experimental: false }
const forbiddenRuleSet = { ...ruleSet, standard: 'wcag22aa' }
const sessionScript = taskScript.replace('          - analyze', '          - click element "a"')

const scheduledStart = { startDate: '2040-01-02', startTime: '03:00', timeZone: 'Europe/Berlin' }
const dueSchedule = { frequency: 'weekly', ...scheduledStart, weekdays: ['monday'] }
const dueTime = new Date('2040-01-03')

let createdCount = 0
async function create(path: string, body: object): Promise<string> {
  const reply = await call('POST', path, body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  const { id, scanGroupId = id } = reply.body as { id: string; scanGroupId?: string }
  return scanGroupId
}
const readScan = async (id: string) => (await call('GET', `/scans/${id}/settings`)).body as StoredScan

/** Objects of each noun's changes, in addition to a scan. */
const neededObjects: Record<string, readonly string[]> = {
  script: ['script'],
  preset: ['preset'],
  group: ['group', 'team'],
  scan: [],
  schedule: [],
  team: ['group', 'team'],
  access: ['group', 'team'],
  share: ['preset'],
}

async function createTeam(name: string): Promise<string> {
  const reply = await callAccount('POST', '/teams', { name, members: [] })
  api.forgetAccounts()
  return (reply.body as { id: string }).id
}

async function setStage(noun: string): Promise<Stage> {
  // Tokens expire before all rounds have ended.
  adminToken = await api.token('admin', ['access', 'admin'])
  const name = `Race ${++createdCount}`
  const createIfNeeded = (object: string, createObject: () => Promise<string>) =>
    neededObjects[noun]!.includes(object) ? createObject() : null
  const [preset, script, group, team, id] = await Promise.all([
    createIfNeeded('preset', () => create('/presets', { name, ruleSet, allowOverride: { ruleSet: true } })),
    createIfNeeded('script', () => create('/scripts', { name, type: 'SESSION', text: sessionScript })),
    createIfNeeded('group', () => create('/groups', { scanGroupName: name })),
    createIfNeeded('team', () => createTeam(name)),
    create('/scans', buildScanBody(name, { schedule: dueSchedule })),
  ])
  return { scan: { id, ...(await readScan(id)) }, script, preset, group, team }
}

type Change = (stage: Stage) => Promise<Reply>
const saveScan = ({ scan }: Stage, change: object) =>
  call('PUT', `/scans/${scan.id}`, { settings: { ...scan.settings, ...change }, version: scan.version })
const selectScan = ({ scan }: Stage) => ({ selectAllMode: false, selectedScans: [scan.id] })
const replacePreset = ({ preset, scan }: Stage, change: object) =>
  call('PUT', `/presets/${preset}`, { settings: { name: `Kept ${scan.id}`, ruleSet, ...change }, version: 1 })
const assignPreset: Change = ({ scan, preset }) => call('POST', `/scans/${scan.id}/preset?presetId=${preset}`)

const deleteScan: Change = ({ scan }) => call('DELETE', `/scans/${scan.id}`)
const deleteTeam: Change = ({ team }) => callAccount('DELETE', `/team/${team}`)
const deleteGroup: Change = ({ group }) => call('DELETE', `/groups/${group}`)
const startScan: Change = ({ scan }) => call('POST', `/scans/${scan.id}/startRun`)
const saveTeams: Change = ({ scan, team, group }) =>
  call('PUT', `/scans/${scan.id}/access`, { teams: [{ teamId: team, role: 'scanViewer' }], groups: [group] })
const grantTeam: Change = ({ scan, group, team }) =>
  call('POST', '/team-access', {
    assignments: [
      { teamId: team, scanId: scan.id, role: 'scanMember' },
      { teamId: team, scanGroupId: group, role: 'scanMember' },
    ],
  })

const changesByNoun: Record<string, Record<string, Change>> = {
  script: {
    'delete it': ({ script }) => call('DELETE', `/scripts/${script}`),
    'replace it': ({ script, scan }) =>
      call('PUT', `/scripts/${script}`, {
        settings: { name: `Kept ${scan.id}`, type: 'SESSION', text: sessionScript },
        version: 1,
      }),
    'save a scan with it': (stage) => saveScan(stage, { scripts: { ...stage.scan.settings.scripts, shared: [stage.script] } }),
    'create a scan with it': ({ script, scan }) =>
      call('POST', '/scans', buildScanBody(`With script ${scan.id}`, { scripts: { own: [], shared: [script], variables: [] } })),
    'apply it to many': (stage) => call('PATCH', '/bulk/scans', { ...selectScan(stage), sharedSessionScript: stage.script }),
  },
  preset: {
    'delete it': ({ preset }) => call('DELETE', `/presets/${preset}`),
    'lock it': (stage) => replacePreset(stage, { allowOverride: { ruleSet: false } }),
    'assign it': assignPreset,
    'save a scan with it': (stage) => saveScan(stage, { presetId: stage.preset }),
    'save what it may forbid': (stage) => saveScan(stage, { ruleSet: forbiddenRuleSet }),
    'create a scan with it': ({ preset, scan }) =>
      call('POST', '/scans', buildScanBody(`With preset ${scan.id}`, { presetId: preset })),
    'apply it to many': (stage) => call('PATCH', '/bulk/scans', { ...selectScan(stage), presetId: stage.preset }),
    'remove it from the scan': ({ scan }) => call('DELETE', `/scans/${scan.id}/preset`),
  },
  group: {
    'delete it': deleteGroup,
    'set its scans': ({ group, scan }) => call('PATCH', `/groups/${group}`, { scans: [scan.id] }),
    'set its teams': ({ group, team }) => call('PATCH', `/groups/${group}`, { teams: [{ teamId: team, role: 'scanViewer' }] }),
    'save a scan in it': (stage) => saveScan(stage, { access: { teams: [], groups: [stage.group] } }),
    'give a scan to it': saveTeams,
    'grant a team': grantTeam,
    'delete its scan': deleteScan,
  },
  scan: {
    'delete it': deleteScan,
    'delete many': (stage) => call('POST', '/bulk/scans/delete', selectScan(stage)),
    'save it': (stage) => saveScan(stage, { name: `Saved ${stage.scan.id}` }),
    'tag it': (stage) => call('POST', '/bulk/scans/tags', { ...selectScan(stage), add: ['race'], remove: [] }),
    'start it': startScan,
    'like it': ({ scan }) => call('POST', `/scans/${scan.id}/favorite?status=true`),
  },
  schedule: {
    'replace it': (stage) => saveScan(stage, { schedule: { frequency: 'once', ...scheduledStart } }),
    'remove it': (stage) => saveScan(stage, { schedule: { frequency: 'manual' } }),
    'start what is due': async () => {
      const startedRunIds = await startDueRuns(api, dueTime)
      return { status: startedRunIds.length > 0 ? 200 : 409, body: {} as never }
    },
    'start it by hand': startScan,
    'delete its scan': deleteScan,
  },
  team: {
    'delete it': deleteTeam,
    'rename it': ({ team }) => callAccount('PUT', `/team/${team}`, { name: `Team ${team}`, members: [] }),
    'give it a scan': saveTeams,
    'grant it roles': grantTeam,
    'give it a group': ({ group, team }) => call('PATCH', `/groups/${group}`, { teams: [{ teamId: team, role: 'scanAdmin' }] }),
  },
  access: {
    'replace it': saveTeams,
    'remove it': ({ scan }) => call('PUT', `/scans/${scan.id}/access`, { teams: [], groups: [] }),
    'add to it': grantTeam,
    'save it with the scan': (stage) =>
      saveScan(stage, { access: { teams: [{ teamId: stage.team, role: 'scanAdmin' }], groups: [stage.group] } }),
    'delete its team': deleteTeam,
    'delete its group': deleteGroup,
  },
  share: {
    'create it': ({ scan }) => call('POST', `/scans/${scan.id}/public-token`, {}),
    'delete it': ({ scan }) => call('DELETE', `/scans/${scan.id}/public-token`),
    'forbid it': (stage) => replacePreset(stage, { shareLink: false }),
    'assign what may forbid it': assignPreset,
    'delete its scan': deleteScan,
  },
}

/** Returns what is wrong with the stored state after a race. */
async function findViolations({ scan, script, preset, group, team }: Stage, replies: readonly Reply[]): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    select 'the scan ' || s.name || ' has a preset that is gone' as problem from scan s
      where s.preset_id is not null and s.deleted_at is null and not exists (select from preset p where p.id = s.preset_id)
    union all select 'the scan ' || s.name || ' has a script that is gone' from scan s,
      jsonb_array_elements_text(s.settings->'scripts'->'shared') as shared (id)
      where s.deleted_at is null and not exists (select from script where script.id = shared.id::uuid)
    union all select 'the scan ' || s.name || ' breaks its locked preset' from scan s join preset p on p.id = s.preset_id
      where s.deleted_at is null and p.settings->'allowOverride'->'ruleSet' = 'false' and p.settings->'ruleSet' <> s.settings->'ruleSet'
    union all select 'the scan ' || s.name || ' has another schedule than its settings' from scan s left join schedule d on d.scan_id = s.id
      where s.id = ${scan.id}::uuid and s.deleted_at is null
        and s.settings->'schedule' is distinct from coalesce(to_jsonb(d.recurrence), '{"frequency": "manual"}')
    union all select 'the scan has ' || count(*) || ' active runs' from run where scan_id = ${scan.id}::uuid and ended_at is null
      having count(*) > 1
    union all select 'the deleted scan has an active run' from run join scan s on s.id = run.scan_id
      where s.id = ${scan.id}::uuid and s.deleted_at is not null and run.ended_at is null and not run.cancelled
    union all select 'a deletion has ' || count(*) || ' entries in the audit log' from audit
      where action = 'deleted' and subject = any(${[scan.id, script, preset, group, team]}::text[])
      group by noun, subject having count(*) > 1`.execute(api.db)
  const problems = rows.map(({ problem }) => problem)
  for (const { status, body } of replies) if (status >= 500) problems.push(`${status} ${JSON.stringify(body)}`)
  const { settings, version } = await readScan(scan.id)
  if (settings !== undefined) {
    const saved = await call('PUT', `/scans/${scan.id}`, { settings, version })
    if (saved.status !== 200) problems.push(`What was read cannot be saved: ${JSON.stringify(saved.body)}`)
  }
  // Later rounds meet neither the quota of scans nor that of runs, and do not search these.
  await sql`update run set ended_at = now() where ended_at is null and scan_id = ${scan.id}::uuid`.execute(api.db)
  await sql`update scan set deleted_at = now()
    where deleted_at is null and (id = ${scan.id}::uuid or name like '%' || ${scan.id})`.execute(api.db)
  return problems
}

const pairs = Object.entries(changesByNoun).flatMap(([noun, changes]) =>
  listPairs(Object.keys(changes)).map((pair) => ({ noun, ...pair })),
)

it.each(pairs)('$noun: $first, $second', { timeout: 600_000 }, async ({ noun, first, second }) => {
  const changes = changesByNoun[noun]!
  await runRounds(async (round) => {
    const stage = await setStage(noun)
    const replies = await fireBoth(
      round,
      () => changes[first]!(stage),
      () => changes[second]!(stage),
    )
    expect(await findViolations(stage, replies), `round ${round}: ${replies.map(({ status }) => status).join(' ')}`).toEqual([])
  })
})

it('lets each change succeed alone, so that the pairs race about something', async () => {
  const refused: string[] = []
  for (const [noun, changes] of Object.entries(changesByNoun))
    for (const [name, change] of Object.entries(changes)) {
      const reply = await change(await setStage(noun))
      if (reply.status >= 300) refused.push(`${noun}, ${name}: ${JSON.stringify(reply.body)}`)
    }
  expect(refused).toEqual([])
})
