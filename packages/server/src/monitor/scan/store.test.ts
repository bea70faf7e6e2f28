import { expect, test } from 'vitest'
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
