import { describe, expect, test } from 'vitest'
import { buildScanBody, useTestApi } from '../../../test/api.ts'
import { addSignOutUrl, readSignOutUrls } from './store.ts'

const api = useTestApi()

test('links that ended a session are kept once each, shown with the settings, and forgotten on request', async () => {
  const { id } = (await api.call('POST', '/scans', { body: buildScanBody('Signs in') })).body as { id: string }
  const patterns = ['https://a.example/feierabend', 'https://a.example/x?do=bye&s=*']
  for (const pattern of [...patterns, patterns[0]!]) await addSignOutUrl(api, id, pattern)
  const readSettings = async () =>
    (await api.call('GET', `/scans/${id}/settings`)).body as { signOutUrls: string[]; version: number }
  expect((await readSettings()).signOutUrls).toEqual(patterns)
  const forget = async (pattern: string) =>
    (await api.call('DELETE', `/scans/${id}/signOutUrls?pattern=${encodeURIComponent(pattern)}`)).status
  const { version } = await readSettings()
  expect([await forget(patterns[1]!), await forget(patterns[1]!)]).toEqual([204, 404])
  // An open form can still be saved.
  expect(await readSettings()).toMatchObject({ signOutUrls: [patterns[0]], version })
})

test('a scan keeps a limited number of them', async () => {
  const { id } = (await api.call('POST', '/scans', { body: buildScanBody('Signs out often') })).body as { id: string }
  for (let index = 0; index < 60; index++) await addSignOutUrl(api, id, `https://a.example/${index}`)
  expect(await readSignOutUrls(api, id)).toHaveLength(50)
})

describe('the offer to drive pages', () => {
  type Summary = { offersDriving: boolean }
  const readOffer = async (id: string) => ((await api.call('GET', `/scans/${id}`)).body as Summary).offersDriving
  const createScan = async (name: string, settings: Record<string, unknown> = {}) =>
    ((await api.call('POST', '/scans', { body: buildScanBody(name, settings) })).body as { id: string }).id
  /** As the migration leaves scans from before. */
  const createOlderScan = async (name: string, settings: Record<string, unknown> = {}) => {
    const id = await createScan(name, settings)
    await api.db.updateTable('scan').set({ offers_driving: true }).where('id', '=', id).execute()
    return id
  }
  const save = async (id: string, driven: string) => {
    const { settings, version } = (await api.call('GET', `/scans/${id}/settings`)).body as {
      settings: { advanced: object }
      version: number
    }
    const body = { version, settings: { ...settings, advanced: { ...settings.advanced, driven } } }
    return (await api.call('PUT', `/scans/${id}`, { body })).status
  }

  test('is for scans from before, until they drive pages, and does not come back', async () => {
    const id = await createOlderScan('From before')
    expect(await readOffer(id)).toBe(true)
    expect(await save(id, 'off')).toBe(200)
    expect(await readOffer(id)).toBe(true)
    expect([await save(id, 'templates'), await readOffer(id)]).toEqual([200, false])
    expect([await save(id, 'off'), await readOffer(id)]).toEqual([200, false])
    expect(await readOffer(await createScan('A new one'))).toBe(false)
  })

  test('ends when an admin of the scan declines', async () => {
    const id = await createOlderScan('Declined')
    expect((await api.call('DELETE', `/scans/${id}/drivingOffer`, { token: await api.token('stranger') })).status).toBe(404)
    expect(await readOffer(id)).toBe(true)
    const { version } = (await api.call('GET', `/scans/${id}/settings`)).body as { version: number }
    for (let time = 0; time < 2; time++) expect((await api.call('DELETE', `/scans/${id}/drivingOffer`)).status).toBe(204)
    expect(await readOffer(id)).toBe(false)
    // An open form can still be saved.
    expect((await api.call('GET', `/scans/${id}/settings`)).body).toMatchObject({
      version,
      settings: { advanced: { driven: 'off' } },
    })
  })

  test('is not made to scans whose pages are driven already, or whose preset decides', async () => {
    expect(await readOffer(await createOlderScan('Driven', { advanced: { driven: 'every' } }))).toBe(false)
    const token = await api.token('admin', ['access', 'admin'])
    const preset = (await api.call('POST', '/presets', { token, body: { name: 'Decides' } })).body as { id: string }
    const id = await createOlderScan('By preset')
    expect((await api.call('POST', `/scans/${id}/preset?presetId=${preset.id}`)).body).toMatchObject({ id })
    expect(await readOffer(id)).toBe(false)
    // A preset was chosen instead: without it, the offer does not come back.
    expect((await api.call('DELETE', `/scans/${id}/preset`)).status).toBe(200)
    const bulkId = await createOlderScan('By preset, as one of many')
    const body = { presetId: preset.id, selectAllMode: false, selectedScans: [bulkId] }
    expect((await api.call('PATCH', '/bulk/scans', { body })).body).toMatchObject({ changed: 1 })
    expect((await api.call('DELETE', `/presets/${preset.id}`, { token })).status).toBe(204)
    expect([await readOffer(id), await readOffer(bulkId)]).toEqual([false, false])
  })

  test('ends once a preset drives the pages', async () => {
    const token = await api.token('admin', ['access', 'admin'])
    const preset = (await api.call('POST', '/presets', { token, body: { name: 'Drives' } })).body as { id: string }
    const id = await createScan('Driven by preset', { presetId: preset.id })
    const otherId = await createScan('Preset without driving')
    await api.db.updateTable('scan').set({ offers_driving: true }).where('id', 'in', [id, otherId]).execute()
    for (const [version, driven] of ['every', 'off'].entries()) {
      const body = { version: version + 1, settings: { name: 'Drives', advanced: { driven } } }
      expect((await api.call('PUT', `/presets/${preset.id}`, { token, body })).status).toBe(200)
    }
    expect((await api.call('DELETE', `/presets/${preset.id}`, { token })).status).toBe(204)
    expect([await readOffer(id), await readOffer(otherId)]).toEqual([false, true])
  })
})
