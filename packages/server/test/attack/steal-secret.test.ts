/** @module-tag slow */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PlannedSecrets, readRunSecrets } from '../../src/monitor/run/plan/service.ts'
import { findScan } from '../../src/monitor/scan/store.ts'
import { readRunScripts } from '../../src/monitor/script/service.ts'
import { createSecretReader, sealOldHeaders } from '../../src/monitor/session/service.ts'
import { buildScanBody, useTestApi } from '../api.ts'

/** Attempts of a user who may edit a scan to obtain stored secrets that they do not know. */
const api = useTestApi({ worker: true })
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

const buildScript = (url: string) => `projects:
  - name: P
    id: p
    pageList:
      - name: Start
        url: ${url}
        actions:
          - 'type "<PASSWORD>" into element "input"'
`
const connection = { authType: 'basic', username: 'ann', password: 'hush-hush' }
const keptSession = { connection: { ...connection, password: null } }
const variables = [{ name: 'PASSWORD', value: 'open-sesame' }]
const nullVariables = [{ name: 'PASSWORD', value: null }]
const buildOwnScripts = (scriptText: string) => [{ name: 'Sign in', type: 'SESSION', text: scriptText }]
const home = 'https://shop.example.org/'

type CreatedObject = { id: string; version: number; settings: Record<string, object> & { scripts: object } }
let count = 0
const createScan = async (extraSettings: object = {}) => {
  const body = buildScanBody(`Target ${count++}`, {
    urls: [home],
    domains: ['shop.example.org', '*.cdn.example.org'],
    session: { connection },
    scripts: { own: buildOwnScripts(buildScript(home)), variables },
    ...extraSettings,
  })
  const { status, body: created } = await api.call('POST', '/scans', { body })
  expect(status, JSON.stringify(created)).toBe(201)
  return created as CreatedObject
}
const saveSettings = ({ id, version, settings }: CreatedObject, change: object) =>
  api.call('PUT', `/scans/${id}`, { body: { settings: { ...settings, ...change }, version } })
const previewSettings = ({ id, settings }: CreatedObject, change: object) =>
  api.call('POST', '/scans/scope-test', {
    body: { settings: { ...settings, session: keptSession, ...change }, scanId: id, url: home },
  })
const buildPasswordFault = (prefix = 'settings.') => ({
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
    const scan = await createScan()
    expect(await saveSettings(scan, change)).toMatchObject(buildPasswordFault())
    expect(await previewSettings(scan, change)).toMatchObject(buildPasswordFault())
    const settings = { ...scan.settings, session: keptSession, ...change }
    const body = { script: buildScript(home), type: 'TASK', variables, settings, scanId: scan.id }
    expect(await api.call('POST', '/scripts/dry-run', { body })).toMatchObject(buildPasswordFault())
  })

  it('by another page with the form', async () => {
    const form = { authType: 'form', url: `${home}login`, username: 'ann', password: 'hush-hush', hasCode: true }
    const codeSecret = 'JBSWY3DPEHPK3PXP'
    const scan = await createScan({ session: { connection: { ...form, codeSecret } }, scripts: {} })
    expect(JSON.stringify(scan)).not.toMatch(/hush-hush|JBSWY3DP/)
    const kept = { ...form, password: null, codeSecret: null }
    for (const url of [
      'https://evil.example.net/',
      `${home}login?next=https://evil.example.net/`,
      'http://shop.example.org/login',
    ]) {
      const change = { session: { connection: { ...kept, url } }, scripts: {} }
      const faults = ['password', 'codeSecret'].map((name) => ({
        path: `settings.session.connection.${name}`,
        code: 'required',
        params: { reason: 'used-elsewhere' },
      }))
      expect(await saveSettings(scan, change)).toMatchObject({ status: 400, body: { errors: faults } })
      expect(await previewSettings(scan, change)).toMatchObject({ status: 400, body: { errors: faults } })
    }
    const again = await saveSettings(scan, { session: { connection: kept }, scripts: {} })
    expect(again.status).toBe(200)
    const { session } = (await readRunSecrets(api, scan.id, (await findScan(api, scan.id))!.settings)) as PlannedSecrets
    expect(session).toMatchObject({ connection: null, form: { password: 'hush-hush', codeSecret } })
    const otherKind = { session: { connection: { ...connection, password: null } }, scripts: {} }
    expect((await previewSettings(scan, otherKind)).status).toBe(400)
  })

  it('without blocking users who enter it again, remove hosts, or change something else', async () => {
    const scan = await createScan()
    const fresh = { session: { connection } }
    const moved = await saveSettings(scan, { urls: ['https://other.example.net/'], domains: [], ...fresh })
    expect(moved.status).toBe(200)
    const second = await createScan()
    const less = { domains: ['shop.example.org', 'img.cdn.example.org'], urls: [`${home}de/`] }
    expect((await saveSettings(second, less)).status).toBe(200)
  })
})

describe('to have a stored variable typed somewhere else', () => {
  const buildRefusal = (path: string) => ({
    status: 400,
    body: { errors: [{ path, code: 'required', params: { reason: 'used-elsewhere' } }] },
  })

  it('by another text of the script, saved or tried', async () => {
    const scan = await createScan()
    const evil = buildScript('https://evil.example.net/')
    expect(await saveSettings(scan, { scripts: { own: buildOwnScripts(evil), variables: nullVariables } })).toMatchObject(
      buildRefusal('settings.scripts.variables.0.value'),
    )
    const body = { script: evil, type: 'TASK', variables: nullVariables, scanId: scan.id }
    expect(await api.call('POST', '/scripts/dry-run', { body })).toMatchObject(buildRefusal('variables.0.value'))
    expect((await saveSettings(scan, { scripts: { own: buildOwnScripts(evil), variables } })).status).toBe(200)
  })

  it('by another value of the variable that names the host', async () => {
    const scriptText = buildScript('https://<HOST>/')
    const buildVariables = (host: string | null, passwordValue: string | null) => [
      { name: 'HOST', value: host },
      { name: 'PASSWORD', value: passwordValue },
    ]
    const scan = await createScan({
      scripts: { own: buildOwnScripts(scriptText), variables: buildVariables('shop.example.org', 'open-sesame') },
    })
    const scripts = { own: buildOwnScripts(scriptText), variables: buildVariables('evil.example.net', null) }
    expect(await saveSettings(scan, { scripts })).toMatchObject(buildRefusal('settings.scripts.variables.1.value'))
  })

  it('by a host of their own in a shared script, whose host no scan may decide', async () => {
    const body = {
      name: 'Locked',
      type: 'SESSION',
      text: buildScript('https://<HOST>/'),
      variables: [{ name: 'HOST', value: 'shop.example.org', locked: true }, ...variables],
    }
    const createdScript = (await api.call('POST', '/scripts', { ...admin, body })).body as CreatedObject
    expect(createdScript.settings.variables).toEqual([
      { name: 'HOST', value: null, locked: true },
      { name: 'PASSWORD', value: null, locked: false },
    ])
    const evil = [{ name: 'HOST', value: 'evil.example.net' }]
    const scripts = { own: [], shared: [createdScript.id], variables: evil }
    const locked = { status: 400, body: { errors: [{ code: 'locked-by-script' }] } }
    const scan = await createScan({ scripts: { shared: [createdScript.id] } })
    expect(await saveSettings(scan, { scripts })).toMatchObject(locked)
    expect(await previewSettings(scan, { scripts })).toMatchObject(locked)
    // Not even if the scan stated it before the script did.
    const run = await readRunScripts(api, scripts)
    expect(run.scripts[0]!.variables).toEqual([
      { name: 'HOST', value: 'shop.example.org' },
      { name: 'PASSWORD', value: 'open-sesame' },
    ])
    // The scan still decides everything that the script does not lock.
    const ownScripts = { ...scripts, variables: [{ name: 'PASSWORD', value: 'mine' }] }
    expect((await saveSettings(scan, { scripts: ownScripts })).status).toBe(200)
  })

  it('by another text of a shared script, saved or tried', async () => {
    const body = { name: 'Shared', type: 'SESSION', text: buildScript(home), variables }
    const createdScript = (await api.call('POST', '/scripts', { ...admin, body })).body as CreatedObject
    const scriptText = buildScript('https://evil.example.net/')
    const settings = { ...body, text: scriptText, variables: nullVariables }
    expect(
      await api.call('PUT', `/scripts/${createdScript.id}`, { ...admin, body: { settings, version: createdScript.version } }),
    ).toMatchObject(buildRefusal('settings.variables.0.value'))
    const previewBody = { script: scriptText, type: 'SESSION', variables: nullVariables, scriptId: createdScript.id }
    expect(await api.call('POST', '/scripts/dry-run', { ...admin, body: previewBody })).toMatchObject(
      buildRefusal('variables.0.value'),
    )
  })
})

describe('to have a stored header shown, or sent to a host of their own', () => {
  const buildHeaders = (headerValue: string | null) => ({ extraHeaders: [{ name: 'X-Token', value: headerValue }] })
  const readStored = async (table: 'scan' | 'preset' | 'run_plan' | 'secret') =>
    JSON.stringify(await api.db.selectFrom(table).selectAll().execute())
  const readPlan = async ({ id }: CreatedObject) =>
    readRunSecrets(api, id, (await findScan(api, id))!.settings) as Promise<PlannedSecrets>
  const path = 'settings.advanced.extraHeaders.0.value'
  const refused = { status: 400, body: { errors: [{ path, params: { reason: 'used-elsewhere' } }] } }

  it('by reading the scan that they manage, its plan, or the database', async () => {
    const scan = await createScan({ advanced: buildHeaders('header-hush') })
    expect(scan.settings.advanced).toMatchObject(buildHeaders(null))
    await api.call('POST', `/scans/${scan.id}/startRun`)
    for (const table of ['scan', 'run_plan', 'secret'] as const) expect(await readStored(table)).not.toContain('header-hush')
    // The run still has it, also after a save without a new value.
    expect((await saveSettings(scan, { name: 'Again' })).status).toBe(200)
    expect((await readPlan(scan)).headers).toEqual(buildHeaders('header-hush').extraHeaders)
  })

  it('by saving or trying the scan with another host', async () => {
    const scan = await createScan({ advanced: buildHeaders('header-hush'), session: { connection: null } })
    const session = { connection: null }
    const change = { domains: ['shop.example.org', 'evil.example.net'], session }
    expect(await saveSettings(scan, change)).toMatchObject(refused)
    expect(await previewSettings(scan, change)).toMatchObject(refused)
    expect((await saveSettings(scan, { ...change, advanced: buildHeaders('typed anew') })).status).toBe(200)
  })

  const urlScope = { domains: ['shop.example.org'], includeRules: [], excludeRules: [], sources: {} }
  const createPreset = (extraSettings: object) =>
    api.call('POST', '/presets', { ...admin, body: { name: `Preset ${count++}`, ...extraSettings } })

  it('by a scan of their own host with the preset that has it', async () => {
    for (const openSettings of [{}, { urlScope: { ...urlScope, domains: [] } }, { urlScope, allowOverride: { urlScope: true } }])
      expect(await createPreset({ advanced: buildHeaders('preset-hush'), ...openSettings })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'urlScope.domains', code: 'required' }] },
      })
    const preset = (await createPreset({ advanced: buildHeaders('preset-hush'), urlScope })).body as CreatedObject
    expect(preset.settings.advanced).toMatchObject(buildHeaders(null))
    expect(await readStored('preset')).not.toContain('preset-hush')
    const moved = { ...preset.settings, urlScope: { ...urlScope, domains: ['evil.example.net'] } }
    expect(
      await api.call('PUT', `/presets/${preset.id}`, { ...admin, body: { settings: moved, version: preset.version } }),
    ).toMatchObject(refused)
    const scan = await createScan({ presetId: preset.id, session: { connection: null } })
    expect(scan.settings.domains).toEqual(['shop.example.org'])
    expect(scan.settings.advanced).toMatchObject(buildHeaders(null))
    expect((await readPlan(scan)).headers).toEqual(buildHeaders('preset-hush').extraHeaders)
    // Saved and tried like any other scan; without the preset it keeps its previous values.
    expect((await saveSettings(scan, { name: 'With a preset' })).status).toBe(200)
    expect((await previewSettings(scan, { session: { connection: null } })).status).toBe(200)
    expect((await api.call('DELETE', `/presets/${preset.id}`, admin)).status).toBe(204)
    expect((await readPlan(scan)).headers).toEqual(buildHeaders('preset-hush').extraHeaders)
  })

  it('by a preset that was saved before it had to name its domains', async () => {
    const createPresetScan = async () => {
      const preset = (await createPreset({ advanced: buildHeaders('preset-hush'), urlScope })).body as CreatedObject
      const scan = await createScan({ presetId: preset.id, session: { connection: null } })
      expect((await readPlan(scan)).headers).toEqual(buildHeaders('preset-hush').extraHeaders)
      return { preset, scan }
    }
    const evil = ['evil.example.net']
    for (const [pathPart, presetValue, domains] of [
      ['{urlScope}', null, evil],
      ['{urlScope,domains}', [], []],
      ['{allowOverride,urlScope}', true, evil],
    ] as const) {
      const { preset, scan } = await createPresetScan()
      await sql`update preset set settings = jsonb_set(settings, ${pathPart}, ${JSON.stringify(presetValue)}::jsonb)
        where id = ${preset.id}`.execute(api.db)
      const change = {
        urls: ['https://evil.example.net/'],
        domains,
        session: { connection: null },
      }
      const expectedRefusal = { status: 400, body: { errors: [{ path, code: 'required' }] } }
      expect(await previewSettings(scan, change)).toMatchObject(expectedRefusal)
      const settings = { ...scan.settings, ...change }
      const body = { script: buildScript(home), type: 'TASK', variables, settings, scanId: scan.id }
      expect(await api.call('POST', '/scripts/dry-run', { body })).toMatchObject(expectedRefusal)
      expect((await saveSettings(scan, change)).status).toBe(200)
      const run = await readPlan(scan)
      expect(run).toMatchObject({ missing: expect.stringContaining('the header X-Token') as string })
      // The scan does not inherit them when the preset is removed, either.
      expect((await api.call('DELETE', `/presets/${preset.id}`, admin)).status).toBe(204)
      expect(await readPlan(scan)).toHaveProperty('missing')
    }
  })

  it('from rows of an older version, which stored them in plain text', async () => {
    const scan = await createScan({ advanced: buildHeaders('header-hush') })
    await api.call('POST', `/scans/${scan.id}/startRun`)
    const preset = (await createPreset({ advanced: buildHeaders('preset-hush'), urlScope })).body as CreatedObject
    await api.db.deleteFrom('secret').where('owner_id', 'in', [scan.id, preset.id]).where('name', 'like', 'header %').execute()
    const oldHeaders = JSON.stringify([
      { name: 'X-Token', value: 'old-hush' },
      { name: 'x-token', value: 'second-hush' },
    ])
    for (const table of ['scan', 'preset', 'run_plan'])
      await sql`update ${sql.table(table)} set settings = jsonb_set(settings, '{advanced,extraHeaders}', ${oldHeaders}::jsonb)
        where ${sql.ref(table === 'run_plan' ? 'run_id' : 'id')} in (${scan.id}, ${preset.id}) or ${table} = 'run_plan'`.execute(
        api.db,
      )
    await sealOldHeaders(api)
    for (const table of ['scan', 'preset', 'run_plan', 'secret'] as const)
      expect(await readStored(table)).not.toMatch(/(old|second)-hush/)
    expect((await readPlan(scan)).headers).toEqual([
      { name: 'X-Token', value: 'old-hush' },
      { name: 'x-token', value: 'second-hush' },
    ])
    const read = await createSecretReader(api, preset.id)
    expect([read('header 1 x-token'), read('header 2 x-token')]).toEqual(['old-hush', 'second-hush'])
  })
})
