import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PlannedSecrets, readRunSecrets } from '../../src/monitor/run/plan/service.ts'
import { findScan } from '../../src/monitor/scan/store.ts'
import { readRunScripts } from '../../src/monitor/script/service.ts'
import { createSecretReader, sealOldHeaders } from '../../src/monitor/session/service.ts'
import { scanBody, apiOfFile } from '../api.ts'

/** What somebody who may edit a scan, but does not know what is stored in it, tries in order to get it. */
const api = apiOfFile({ worker: true })
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

const script = (url: string) => `projects:
  - name: P
    id: p
    pageList:
      - name: Start
        url: ${url}
        actions:
          - 'type "<PASSWORD>" into element "input"'
`
const connection = { authType: 'basic', username: 'ann', password: 'hush-hush' }
const kept = { connection: { ...connection, password: null } }
const variables = [{ name: 'PASSWORD', value: 'open-sesame' }]
const nullVariables = [{ name: 'PASSWORD', value: null }]
const own = (text: string) => [{ name: 'Sign in', type: 'SESSION', text }]
const home = 'https://shop.example.org/'

type Made = { id: string; version: number; settings: Record<string, object> & { scripts: object } }
let count = 0
const make = async (more: object = {}) => {
  const body = scanBody(`Target ${count++}`, {
    urls: [home],
    domains: ['shop.example.org', '*.cdn.example.org'],
    session: { connection },
    scripts: { own: own(script(home)), variables },
    ...more,
  })
  const { status, body: made } = await api.call('POST', '/scans', { body })
  expect(status, JSON.stringify(made)).toBe(201)
  return made as Made
}
const put = ({ id, version, settings }: Made, change: object) =>
  api.call('PUT', `/scans/${id}`, { body: { settings: { ...settings, ...change }, version } })
const preview = ({ id, settings }: Made, change: object) =>
  api.call('POST', '/scans/scope-test', {
    body: { settings: { ...settings, session: kept, ...change }, scanId: id, url: home },
  })
const password = (prefix = 'settings.') => ({
  status: 400,
  body: {
    code: 'validation-failed',
    errors: [
      {
        path: `${prefix}session.connection.password`,
        code: 'required',
        params: { reason: 'used-elsewhere' },
      },
    ],
  },
})

describe('to have a stored password sent to a host of their own', () => {
  it.each([
    ['another start URL', { urls: ['https://evil.example.net/'], domains: [] }],
    ['a domain more', { domains: ['shop.example.org', 'evil.example.net'] }],
    ['every host below one', { domains: ['shop.example.org', '*.example.org'] }],
    ['another port', { urls: ['https://shop.example.org:8443/'], domains: [] }],
    ['a start URL in clear', { urls: ['http://shop.example.org/'] }],
    ['a listed URL in clear', { sources: { urls: ['http://shop.example.org/'] } }],
  ])('%s, by saving, by a preview and by a dry run', async (_what, change) => {
    const scan = await make()
    expect(await put(scan, change)).toMatchObject(password())
    expect(await preview(scan, change)).toMatchObject(password())
    const settings = { ...scan.settings, session: kept, ...change }
    const body = { script: script(home), type: 'TASK', variables, settings, scanId: scan.id }
    expect(await api.call('POST', '/scripts/dry-run', { body })).toMatchObject(password())
  })

  it('not in the way of whoever enters it anew, takes hosts away, or changes something else', async () => {
    const scan = await make()
    const fresh = { session: { connection } }
    const moved = await put(scan, { urls: ['https://other.example.net/'], domains: [], ...fresh })
    expect(moved.status).toBe(200)
    const second = await make()
    const less = { domains: ['shop.example.org', 'img.cdn.example.org'], urls: [`${home}de/`] }
    expect((await put(second, less)).status).toBe(200)
  })
})

describe('to have a stored variable typed somewhere else', () => {
  const refused = (path: string) => ({
    status: 400,
    body: { errors: [{ path, code: 'required', params: { reason: 'used-elsewhere' } }] },
  })

  it('by another text of the script, saved or tried', async () => {
    const scan = await make()
    const evil = script('https://evil.example.net/')
    expect(await put(scan, { scripts: { own: own(evil), variables: nullVariables } })).toMatchObject(
      refused('settings.scripts.variables.0.value'),
    )
    const body = { script: evil, type: 'TASK', variables: nullVariables, scanId: scan.id }
    expect(await api.call('POST', '/scripts/dry-run', { body })).toMatchObject(refused('variables.0.value'))
    expect((await put(scan, { scripts: { own: own(evil), variables } })).status).toBe(200)
  })

  it('by another value of the variable that names the host', async () => {
    const text = script('https://<HOST>/')
    const both = (host: string | null, value: string | null) => [
      { name: 'HOST', value: host },
      { name: 'PASSWORD', value },
    ]
    const scan = await make({
      scripts: { own: own(text), variables: both('shop.example.org', 'open-sesame') },
    })
    const scripts = { own: own(text), variables: both('evil.example.net', null) }
    expect(await put(scan, { scripts })).toMatchObject(refused('settings.scripts.variables.1.value'))
  })

  it('by a host of their own in a shared script, whose host no scan may decide', async () => {
    const body = {
      name: 'Locked',
      type: 'SESSION',
      text: script('https://<HOST>/'),
      variables: [{ name: 'HOST', value: 'shop.example.org', locked: true }, ...variables],
    }
    const made = (await api.call('POST', '/scripts', { ...admin, body })).body as Made
    expect(made.settings.variables).toEqual([
      { name: 'HOST', value: null, locked: true },
      { name: 'PASSWORD', value: null, locked: false },
    ])
    const evil = [{ name: 'HOST', value: 'evil.example.net' }]
    const scripts = { own: [], shared: [made.id], variables: evil }
    const locked = { status: 400, body: { errors: [{ code: 'locked-by-script' }] } }
    const scan = await make({ scripts: { shared: [made.id] } })
    expect(await put(scan, { scripts })).toMatchObject(locked)
    expect(await preview(scan, { scripts })).toMatchObject(locked)
    // Nor where the scan said so before the script did.
    const run = await readRunScripts(api, scripts)
    expect(run.scripts[0]!.variables).toEqual([
      { name: 'HOST', value: 'shop.example.org' },
      { name: 'PASSWORD', value: 'open-sesame' },
    ])
    // What it does not lock is the scan's to decide, as before.
    const own = { ...scripts, variables: [{ name: 'PASSWORD', value: 'mine' }] }
    expect((await put(scan, { scripts: own })).status).toBe(200)
  })

  it('by another text of a shared script, saved or tried', async () => {
    const body = { name: 'Shared', type: 'SESSION', text: script(home), variables }
    const made = (await api.call('POST', '/scripts', { ...admin, body })).body as Made
    const text = script('https://evil.example.net/')
    const settings = { ...body, text, variables: nullVariables }
    expect(
      await api.call('PUT', `/scripts/${made.id}`, { ...admin, body: { settings, version: made.version } }),
    ).toMatchObject(refused('settings.variables.0.value'))
    const tried = { script: text, type: 'SESSION', variables: nullVariables, scriptId: made.id }
    expect(await api.call('POST', '/scripts/dry-run', { ...admin, body: tried })).toMatchObject(
      refused('variables.0.value'),
    )
  })
})

describe('to have a stored header shown, or sent to a host of their own', () => {
  const headers = (value: string | null) => ({ extraHeaders: [{ name: 'X-Token', value }] })
  const stored = async (table: 'scan' | 'preset' | 'run_plan' | 'secret') =>
    JSON.stringify(await api.db.selectFrom(table).selectAll().execute())
  const planned = async ({ id }: Made) =>
    readRunSecrets(api, id, (await findScan(api, id))!.settings) as Promise<PlannedSecrets>
  const path = 'settings.advanced.extraHeaders.0.value'
  const refused = { status: 400, body: { errors: [{ path, params: { reason: 'used-elsewhere' } }] } }

  it('by reading the scan that they manage, its plan, or the database', async () => {
    const scan = await make({ advanced: headers('header-hush') })
    expect(scan.settings.advanced).toMatchObject(headers(null))
    await api.call('POST', `/scans/${scan.id}/startRun`)
    for (const table of ['scan', 'run_plan', 'secret'] as const)
      expect(await stored(table)).not.toContain('header-hush')
    // The run has it all the same, also after it was saved with nothing typed.
    expect((await put(scan, { name: 'Again' })).status).toBe(200)
    expect((await planned(scan)).headers).toEqual(headers('header-hush').extraHeaders)
  })

  it('by saving or trying the scan with another host', async () => {
    const scan = await make({ advanced: headers('header-hush'), session: { connection: null } })
    const session = { connection: null }
    const change = { domains: ['shop.example.org', 'evil.example.net'], session }
    expect(await put(scan, change)).toMatchObject(refused)
    expect(await preview(scan, change)).toMatchObject(refused)
    expect((await put(scan, { ...change, advanced: headers('typed anew') })).status).toBe(200)
  })

  const urlScope = { domains: ['shop.example.org'], includeRules: [], excludeRules: [], sources: {} }
  const makePreset = (more: object) =>
    api.call('POST', '/presets', { ...admin, body: { name: `Preset ${count++}`, ...more } })

  it('by a scan of their own host with the preset that has it', async () => {
    for (const open of [
      {},
      { urlScope: { ...urlScope, domains: [] } },
      { urlScope, allowOverride: { urlScope: true } },
    ])
      expect(await makePreset({ advanced: headers('preset-hush'), ...open })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'urlScope.domains', code: 'required' }] },
      })
    const preset = (await makePreset({ advanced: headers('preset-hush'), urlScope })).body as Made
    expect(preset.settings.advanced).toMatchObject(headers(null))
    expect(await stored('preset')).not.toContain('preset-hush')
    const moved = { ...preset.settings, urlScope: { ...urlScope, domains: ['evil.example.net'] } }
    expect(
      await api.call('PUT', `/presets/${preset.id}`, {
        ...admin,
        body: { settings: moved, version: preset.version },
      }),
    ).toMatchObject(refused)
    const scan = await make({ presetId: preset.id, session: { connection: null } })
    expect(scan.settings.domains).toEqual(['shop.example.org'])
    expect(scan.settings.advanced).toMatchObject(headers(null))
    expect((await planned(scan)).headers).toEqual(headers('preset-hush').extraHeaders)
    // Saved and tried like any other scan; without the preset it keeps what it had.
    expect((await put(scan, { name: 'With a preset' })).status).toBe(200)
    expect((await preview(scan, { session: { connection: null } })).status).toBe(200)
    expect((await api.call('DELETE', `/presets/${preset.id}`, admin)).status).toBe(204)
    expect((await planned(scan)).headers).toEqual(headers('preset-hush').extraHeaders)
  })

  it('by a preset that was saved before it had to name its domains', async () => {
    const made = async () => {
      const preset = (await makePreset({ advanced: headers('preset-hush'), urlScope })).body as Made
      const scan = await make({ presetId: preset.id, session: { connection: null } })
      expect((await planned(scan)).headers).toEqual(headers('preset-hush').extraHeaders)
      return { preset, scan }
    }
    const evil = ['evil.example.net']
    for (const [where, value, domains] of [
      ['{urlScope}', null, evil],
      ['{urlScope,domains}', [], []],
      ['{allowOverride,urlScope}', true, evil],
    ] as const) {
      const { preset, scan } = await made()
      await sql`update preset set settings = jsonb_set(settings, ${where}, ${JSON.stringify(value)}::jsonb)
        where id = ${preset.id}`.execute(api.db)
      const change = {
        urls: ['https://evil.example.net/'],
        domains,
        session: { connection: null },
      }
      const wanted = { status: 400, body: { errors: [{ path, code: 'required' }] } }
      expect(await preview(scan, change)).toMatchObject(wanted)
      const settings = { ...scan.settings, ...change }
      const body = { script: script(home), type: 'TASK', variables, settings, scanId: scan.id }
      expect(await api.call('POST', '/scripts/dry-run', { body })).toMatchObject(wanted)
      expect((await put(scan, change)).status).toBe(200)
      const run = await planned(scan)
      expect(run).toMatchObject({ missing: expect.stringContaining('the header X-Token') as string })
      // Nor does the scan get them for its own when the preset is removed.
      expect((await api.call('DELETE', `/presets/${preset.id}`, admin)).status).toBe(204)
      expect(await planned(scan)).toHaveProperty('missing')
    }
  })

  it('from rows of an older program, which had them in the clear', async () => {
    const scan = await make({ advanced: headers('header-hush') })
    await api.call('POST', `/scans/${scan.id}/startRun`)
    const preset = (await makePreset({ advanced: headers('preset-hush'), urlScope })).body as Made
    await api.db
      .deleteFrom('secret')
      .where('owner_id', 'in', [scan.id, preset.id])
      .where('name', 'like', 'header %')
      .execute()
    const old = JSON.stringify([
      { name: 'X-Token', value: 'old-hush' },
      { name: 'x-token', value: 'second-hush' },
    ])
    for (const table of ['scan', 'preset', 'run_plan'])
      await sql`update ${sql.table(table)} set settings = jsonb_set(settings, '{advanced,extraHeaders}', ${old}::jsonb)
        where ${sql.ref(table === 'run_plan' ? 'run_id' : 'id')} in (${scan.id}, ${preset.id}) or ${table} = 'run_plan'`.execute(
        api.db,
      )
    await sealOldHeaders(api)
    for (const table of ['scan', 'preset', 'run_plan', 'secret'] as const)
      expect(await stored(table)).not.toMatch(/(old|second)-hush/)
    expect((await planned(scan)).headers).toEqual([
      { name: 'X-Token', value: 'old-hush' },
      { name: 'x-token', value: 'second-hush' },
    ])
    const read = await createSecretReader(api, preset.id)
    expect([read('header 1 x-token'), read('header 2 x-token')]).toEqual(['old-hush', 'second-hush'])
  })
})
