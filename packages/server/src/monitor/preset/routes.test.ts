import { beforeAll, expect, it } from 'vitest'
import { scanBody, apiOfFile } from '../../../test/api.ts'

const api = apiOfFile()
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

type Stored = { id: string; settings: Record<string, never>; version: number }
const ruleSet = { axeVersion: '4.13', standard: 'wcag21aa', bestPractices: false, experimental: false }
const urlScope = {
  domains: [],
  includeRules: [],
  excludeRules: [{ kind: 'prefix', pattern: 'https://example.org/no' }],
  sources: {},
}
const make = async (name: string, more: object = {}) =>
  (await api.call('POST', '/presets', { ...admin, body: { name, ...more } })).body as Stored
const errorsOf = (reply: { body: never }) =>
  (reply.body as { errors: { path: string; code: string }[] }).errors.map(
    ({ path, code }) => `${path} ${code}`,
  )
const scan = async (name: string) =>
  (await api.call('POST', '/scans', { body: scanBody(name) })).body as Stored
const read = async (id: string) => (await api.call('GET', `/scans/${id}/settings`)).body as Stored
const save = async ({ id }: Stored, change: object) => {
  const { settings, version } = await read(id)
  return api.call('PUT', `/scans/${id}`, { body: { settings: { ...settings, ...change }, version } })
}

it('sets a scan, and holds it where the scan admin may not decide', async () => {
  const preset = await make('House', {
    ruleSet,
    urlScope,
    scanScope: { type: 'quick' },
    allowOverride: { scanScope: true },
  })
  const made = await scan('Held')
  expect((await api.call('POST', `/scans/${made.id}/preset?presetId=${preset.id}`)).body).toMatchObject({
    version: 2,
    settings: { presetId: preset.id, ruleSet, type: 'quick', excludeRules: urlScope.excludeRules },
  })
  expect(
    errorsOf(await save(made, { ruleSet: { ...ruleSet, standard: 'wcag22aa' }, excludeRules: [] })),
  ).toEqual(['settings.ruleSet locked-by-preset', 'settings.excludeRules locked-by-preset'])
  expect((await save(made, { type: 'large', name: 'Still held' })).body).toMatchObject({
    settings: { type: 'large' },
  })

  // The preset changes: what is held follows, what is left to the scan stays.
  const change = {
    ...preset.settings,
    ruleSet: { ...ruleSet, standard: 'wcag20a' },
    scanScope: { type: 'standard' },
  }
  await api.call('PUT', `/presets/${preset.id}`, { ...admin, body: { settings: change, version: 1 } })
  expect((await read(made.id)).settings).toMatchObject({ ruleSet: { standard: 'wcag20a' }, type: 'large' })
  const late = await api.call('PUT', `/presets/${preset.id}`, {
    ...admin,
    body: { settings: change, version: 1 },
  })
  expect(late.body).toMatchObject({ code: 'edit-conflict' })

  const taken = await api.call('DELETE', `/scans/${made.id}/preset`, admin)
  expect(taken.body).toMatchObject({ settings: { presetId: null } })
  expect((await save(made, { ruleSet })).status).toBe(200)
})

it('puts its values into a new scan, and forbids a public link', async () => {
  const preset = await make('No links', { ruleSet, shareLink: false })
  const body = scanBody('Born with it', { presetId: preset.id })
  const made = (await api.call('POST', '/scans', { body })).body as Stored
  expect(made.settings).toMatchObject({ ruleSet })
  const share = () => api.call('POST', `/scans/${made.id}/public-token`, { body: {} })
  expect((await share()).body).toMatchObject({ code: 'locked-by-preset' })
  const allow = { ...preset.settings, allowOverride: { shareLink: true } }
  await api.call('PUT', `/presets/${preset.id}`, { ...admin, body: { settings: allow, version: 1 } })
  expect((await share()).status).toBe(201)
  expect((await api.call('GET', `/presets?search=no%20links`)).body).toMatchObject({
    content: [{ name: 'No links', assignedScanCount: 1 }],
  })
  expect((await api.call('DELETE', `/presets/${preset.id}`, admin)).status).toBe(204)
  expect((await read(made.id)).settings).toMatchObject({ presetId: null, ruleSet })
  expect(errorsOf(await api.call('POST', '/scans', { body: { ...body, name: 'Too late' } }))).toEqual([
    'presetId unknown-value',
  ])
})

it('has a name of its own', async () => {
  await make('Mine')
  expect((await api.call('POST', '/presets', { ...admin, body: { name: 'MINE' } })).status).toBe(409)
  const asked = (body: object) => api.call('POST', '/presets/validate', { ...admin, body })
  expect((await asked({ name: 'mine ' })).body).toMatchObject({ success: false, code: 'name-taken' })
  expect((await asked({ name: '' })).body).toMatchObject({ success: false, code: 'required' })
  const { id } = await make('Other')
  expect((await asked({ name: 'other', presetId: id })).body).toEqual({ success: true })
})

it('is assigned to many at once, with all that it says; those that have one keep theirs', async () => {
  const preset = await make('Many', { ruleSet, scanScope: { type: 'large' } })
  const other = await make('Few')
  const [first, second] = [await scan('Many 1'), await scan('Many 2')]
  await api.call('POST', `/scans/${second.id}/preset?presetId=${other.id}`)
  const body = { presetId: preset.id, selectAllMode: false, selectedScans: [first.id, second.id] }
  expect((await api.call('PATCH', '/bulk/scans', { body })).body).toMatchObject({ changed: 1, ignored: 1 })
  expect((await read(first.id)).settings).toMatchObject({ presetId: preset.id, ruleSet, type: 'large' })
  expect((await read(second.id)).settings).toMatchObject({ presetId: other.id })
  expect((await api.call('GET', `/scans/${first.id}`)).body).toMatchObject({ type: 'large' })
})

it('cannot be left in order to set what it locks, or to keep a link that it forbids', async () => {
  const made = await scan('Would be free')
  const link = (await api.call('POST', `/scans/${made.id}/public-token`, { body: {} })).body as {
    token: string
  }
  const see = async () => (await api.call('GET', `/scans/${made.id}`, { guest: link.token })).status
  expect(await see()).toBe(200)
  const locking = await make('Locks links', { shareLink: false })
  const free = await make('Locks nothing')
  const assign = (id: string, who = {}) => api.call('POST', `/scans/${made.id}/preset?presetId=${id}`, who)
  expect((await assign(locking.id)).status).toBe(200)
  expect(await see()).toBe(401)
  expect((await api.call('DELETE', `/scans/${made.id}/preset`)).body).toMatchObject({
    code: 'locked-by-preset',
  })
  expect((await assign(free.id)).body).toMatchObject({ code: 'locked-by-preset' })
  expect(errorsOf(await save(made, { presetId: null }))).toEqual(['settings.presetId locked-by-preset'])
  expect(errorsOf(await save(made, { presetId: free.id }))).toEqual(['settings.presetId locked-by-preset'])
  expect((await assign(free.id, admin)).status).toBe(200)
  expect(await see()).toBe(200)
  expect((await api.call('DELETE', `/scans/${made.id}/preset`)).status).toBe(200)
})
