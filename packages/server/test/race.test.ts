/** @module-tag slow */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { buildScanBody, useTestApi } from './api.ts'
import { taskScript } from './world.ts'

// Fires every pair of changes of one noun at the same time, and then checks what must hold whatever the order was. All pairs with
// 200 rounds take half an hour on an idle machine, so they are run noun by noun (script, preset, group, scan, team, share):
//   RACE_ROUNDS=200 npm test -- race.test -t '^script: '

/** Rounds of each pair; the environment sets another number. */
const rounds = Number(process.env.RACE_ROUNDS ?? 2)

const api = useTestApi()
let adminToken: string
const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  api.call(method, path, { token: adminToken, ...(body && { body }) })
const callAccount = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  api.account(method, path, { token: adminToken, ...(body && { body }) })

type Settings = { ruleSet: { standard: string }; presetId: string | null; scripts: { shared: string[] } }
type StoredScan = { settings: Settings; version: number }
/** The objects of one round. */
type Stage = { scan: StoredScan & { id: string }; script: string; preset: string; group: string; team: string; round: number }
type Reply = { status: number; body: never }

const ruleSet = { axeVersion: '4.13', standard: 'wcag21aa', bestPractices: false, experimental: false }
const forbiddenRuleSet = { ...ruleSet, standard: 'wcag22aa' }
const sessionScript = taskScript.replace('          - analyze', '          - click element "a"')

let createdCount = 0
async function create(path: string, body: object): Promise<string> {
  const reply = await call('POST', path, body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  const { id, scanGroupId = id } = reply.body as { id: string; scanGroupId?: string }
  return scanGroupId
}
const readScan = async (id: string) => (await call('GET', `/scans/${id}/settings`)).body as StoredScan

async function setStage(round: number): Promise<Stage> {
  // Tokens expire before all rounds have ended.
  adminToken = await api.token('admin', ['access', 'admin'])
  const name = `Race ${++createdCount}`
  const preset = await create('/presets', { name, ruleSet, allowOverride: { ruleSet: true } })
  const script = await create('/scripts', { name, type: 'SESSION', text: sessionScript })
  const group = await create('/groups', { scanGroupName: name })
  const id = await create('/scans', buildScanBody(name))
  const createdTeam = await callAccount('POST', '/teams', { name, members: [] })
  api.forgetAccounts()
  const scan = { id, ...(await readScan(id)) }
  return { scan, script, preset, group, team: (createdTeam.body as { id: string }).id, round }
}

type Change = (stage: Stage) => Promise<Reply>
const saveScan = ({ scan }: Stage, change: object) =>
  call('PUT', `/scans/${scan.id}`, { settings: { ...scan.settings, ...change }, version: scan.version })
const selectScan = ({ scan }: Stage) => ({ selectAllMode: false, selectedScans: [scan.id] })
const replacePreset = ({ preset, scan }: Stage, change: object) =>
  call('PUT', `/presets/${preset}`, { settings: { name: `Kept ${scan.id}`, ruleSet, ...change }, version: 1 })
const assignPreset: Change = ({ scan, preset }) => call('POST', `/scans/${scan.id}/preset?presetId=${preset}`)

const deleteScan: Change = ({ scan }) => call('DELETE', `/scans/${scan.id}`)
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
    'delete it': ({ group }) => call('DELETE', `/groups/${group}`),
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
    'start it': ({ scan }) => call('POST', `/scans/${scan.id}/startRun`),
    'like it': ({ scan }) => call('POST', `/scans/${scan.id}/favorite?status=true`),
    'schedule it': (stage) =>
      saveScan(stage, {
        schedule: {
          frequency: 'weekly',
          startDate: '2030-01-01',
          startTime: '03:00',
          timeZone: 'Europe/Berlin',
          weekdays: ['monday'],
        },
      }),
  },
  team: {
    'delete it': ({ team }) => callAccount('DELETE', `/team/${team}`),
    'rename it': ({ team }) => callAccount('PUT', `/team/${team}`, { name: `Team ${team}`, members: [] }),
    'give it a scan': saveTeams,
    'grant it roles': grantTeam,
    'give it a group': ({ group, team }) => call('PATCH', `/groups/${group}`, { teams: [{ teamId: team, role: 'scanAdmin' }] }),
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
  // Later rounds neither meet the quota of scans nor search these.
  await sql`update scan set deleted_at = now() where deleted_at is null`.execute(api.db)
  return problems
}

const pairs = Object.entries(changesByNoun).flatMap(([noun, changes]) => {
  const names = Object.keys(changes)
  return names.flatMap((first, index) => names.slice(index).map((second) => ({ noun, first, second })))
})

it.each(pairs)('$noun: $first, $second', { timeout: 600_000 }, async ({ noun, first, second }) => {
  const changes = changesByNoun[noun]!
  for (let round = 0; round < rounds; round++) {
    const stage = await setStage(round)
    // In later rounds, one starts up to four milliseconds after the other, either first.
    const replies = await Promise.all([
      sleep(round % 2 === 0 ? 0 : (round % 9) / 2).then(() => changes[first]!(stage)),
      sleep(round % 2 === 0 ? (round % 9) / 2 : 0).then(() => changes[second]!(stage)),
    ])
    expect(await findViolations(stage, replies), `round ${round}: ${replies.map(({ status }) => status).join(' ')}`).toEqual([])
  }
})

it('lets each change succeed alone, so that the pairs race about something', async () => {
  const refused: string[] = []
  for (const [noun, changes] of Object.entries(changesByNoun))
    for (const [name, change] of Object.entries(changes)) {
      const reply = await change(await setStage(0))
      if (reply.status >= 300) refused.push(`${noun}, ${name}: ${JSON.stringify(reply.body)}`)
    }
  expect(refused).toEqual([])
})
