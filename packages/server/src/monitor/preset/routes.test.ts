import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'

const api = useTestApi()
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
const createPreset = async (name: string, more: object = {}) =>
  (await api.call('POST', '/presets', { ...admin, body: { name, ...more } })).body as Stored
const listErrors = (reply: { body: never }) =>
  (reply.body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`)
const createScan = async (name: string) => (await api.call('POST', '/scans', { body: buildScanBody(name) })).body as Stored
const readSettings = async (id: string) => (await api.call('GET', `/scans/${id}/settings`)).body as Stored
const saveSettings = async ({ id }: Stored, change: object) => {
  const { settings, version } = await readSettings(id)
  return api.call('PUT', `/scans/${id}`, { body: { settings: { ...settings, ...change }, version } })
}

it('applies its values to a scan and locks those that the scan admin may not change', async () => {
  const preset = await createPreset('House', {
    ruleSet,
    urlScope,
    scanScope: { type: 'quick' },
    allowOverride: { scanScope: true },
  })
  const createdScan = await createScan('Held')
  expect((await api.call('POST', `/scans/${createdScan.id}/preset?presetId=${preset.id}`)).body).toMatchObject({
    version: 2,
    settings: { presetId: preset.id, ruleSet, type: 'quick', excludeRules: urlScope.excludeRules },
  })
  expect(
    listErrors(await saveSettings(createdScan, { ruleSet: { ...ruleSet, standard: 'wcag22aa' }, excludeRules: [] })),
  ).toEqual(['settings.ruleSet locked-by-preset', 'settings.excludeRules locked-by-preset'])
  expect((await saveSettings(createdScan, { type: 'large', name: 'Still held' })).body).toMatchObject({
    settings: { type: 'large' },
  })

  // After a change of the preset, locked values follow; all others stay.
  const change = { ...preset.settings, ruleSet: { ...ruleSet, standard: 'wcag20a' }, scanScope: { type: 'standard' } }
  await api.call('PUT', `/presets/${preset.id}`, { ...admin, body: { settings: change, version: 1 } })
  expect((await readSettings(createdScan.id)).settings).toMatchObject({ ruleSet: { standard: 'wcag20a' }, type: 'large' })
  const late = await api.call('PUT', `/presets/${preset.id}`, { ...admin, body: { settings: change, version: 1 } })
  expect(late.body).toMatchObject({ code: 'edit-conflict' })

  const removalReply = await api.call('DELETE', `/scans/${createdScan.id}/preset`, admin)
  expect(removalReply.body).toMatchObject({ settings: { presetId: null } })
  expect((await saveSettings(createdScan, { ruleSet })).status).toBe(200)
})

it('applies its values to a new scan, and can forbid a public link', async () => {
  const preset = await createPreset('No links', { ruleSet, shareLink: false })
  const body = buildScanBody('Born with it', { presetId: preset.id })
  const createdScan = (await api.call('POST', '/scans', { body })).body as Stored
  expect(createdScan.settings).toMatchObject({ ruleSet })
  const share = () => api.call('POST', `/scans/${createdScan.id}/public-token`, { body: {} })
  expect((await share()).body).toMatchObject({ code: 'locked-by-preset' })
  const allow = { ...preset.settings, allowOverride: { shareLink: true } }
  await api.call('PUT', `/presets/${preset.id}`, { ...admin, body: { settings: allow, version: 1 } })
  expect((await share()).status).toBe(201)
  expect((await api.call('GET', `/presets?search=no%20links`)).body).toMatchObject({
    content: [
      { name: 'No links', assignedScanCount: 1, scanNames: [], decisions: { shareLink: false, ruleSet, urlScope: false } },
    ],
  })
  // Other people may not see the scan.
  expect((await api.call('GET', `/presets?search=no%20links`, admin)).body).toMatchObject({
    content: [{ scanNames: [body.name] }],
  })
  expect((await api.call('DELETE', `/presets/${preset.id}`, admin)).status).toBe(204)
  expect((await readSettings(createdScan.id)).settings).toMatchObject({ presetId: null, ruleSet })
  expect(listErrors(await api.call('POST', '/scans', { body: { ...body, name: 'Too late' } }))).toEqual([
    'presetId unknown-value',
  ])
})

it('has a unique name', async () => {
  await createPreset('Mine')
  expect((await api.call('POST', '/presets', { ...admin, body: { name: 'MINE' } })).status).toBe(409)
  const validateName = (body: object) => api.call('POST', '/presets/validate', { ...admin, body })
  expect((await validateName({ name: 'mine ' })).body).toMatchObject({ success: false, code: 'name-taken' })
  expect((await validateName({ name: '' })).body).toMatchObject({ success: false, code: 'required' })
  const { id } = await createPreset('Other')
  expect((await validateName({ name: 'other', presetId: id })).body).toEqual({ success: true })
})

it('is assigned to many scans at once with all its values; scans with a preset keep theirs', async () => {
  const preset = await createPreset('Many', { ruleSet, scanScope: { type: 'large' } })
  const other = await createPreset('Few')
  const [first, second] = [await createScan('Many 1'), await createScan('Many 2')]
  await api.call('POST', `/scans/${second.id}/preset?presetId=${other.id}`)
  const body = { presetId: preset.id, selectAllMode: false, selectedScans: [first.id, second.id] }
  expect((await api.call('PATCH', '/bulk/scans', { body })).body).toMatchObject({ changed: 1, ignored: 1 })
  expect((await readSettings(first.id)).settings).toMatchObject({ presetId: preset.id, ruleSet, type: 'large' })
  expect((await readSettings(second.id)).settings).toMatchObject({ presetId: other.id })
  expect((await api.call('GET', `/scans/${first.id}`)).body).toMatchObject({ type: 'large' })
})

it('cannot be removed to change locked settings or to keep a forbidden link', async () => {
  const createdScan = await createScan('Would be free')
  const link = (await api.call('POST', `/scans/${createdScan.id}/public-token`, { body: {} })).body as { token: string }
  const see = async () => (await api.call('GET', `/scans/${createdScan.id}`, { guest: link.token })).status
  expect(await see()).toBe(200)
  const locking = await createPreset('Locks links', { shareLink: false })
  const free = await createPreset('Locks nothing')
  const assign = (id: string, who = {}) => api.call('POST', `/scans/${createdScan.id}/preset?presetId=${id}`, who)
  expect((await assign(locking.id)).status).toBe(200)
  expect(await see()).toBe(401)
  expect((await api.call('DELETE', `/scans/${createdScan.id}/preset`)).body).toMatchObject({ code: 'locked-by-preset' })
  expect((await assign(free.id)).body).toMatchObject({ code: 'locked-by-preset' })
  expect(listErrors(await saveSettings(createdScan, { presetId: null }))).toEqual(['settings.presetId locked-by-preset'])
  expect(listErrors(await saveSettings(createdScan, { presetId: free.id }))).toEqual(['settings.presetId locked-by-preset'])
  expect((await assign(free.id, admin)).status).toBe(200)
  expect(await see()).toBe(200)
  expect((await api.call('DELETE', `/scans/${createdScan.id}/preset`)).status).toBe(200)
})

it('lists a preset whose settings cannot be read', async () => {
  const preset = await createPreset('Damaged', { shareLink: false })
  await sql`update preset set settings = '{"shareLink":"?"}' where id = ${preset.id}`.execute(api.db)
  expect((await api.call('GET', '/presets?search=Damaged', admin)).body).toMatchObject({
    content: [{ name: 'Damaged', decisions: { shareLink: null } }],
  })
})
