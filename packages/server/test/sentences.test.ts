import { beforeAll, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from './api.ts'
import { uploadTo } from './upload.ts'
import { makeWorld, type World } from './world.ts'

/** Product behavior, one sentence per test. */
const api = useTestApi()
let world: World
let admin: { token: string }
beforeAll(async () => {
  world = await makeWorld(api)
  admin = { token: await api.token('admin', ['admin']) }
})

let count = 0
const collectErrors = async (settings: object) => {
  const { body } = await api.call('POST', '/scans', {
    body: buildScanBody(`Sentence ${count++}`, { ...settings }),
  })
  return ((body as { errors?: { path: string; code: string; params: object }[] }).errors ?? []).map(
    ({ path, code }) => `${path} ${code}`,
  )
}
const buildComponents = (...componentNames: string[]) => ({
  commonComponents: {
    templateUrls: ['https://example.org/'],
    components: componentNames.map((name, index) => ({ name, selectors: [`#c${index}`] })),
  },
})
const weekly = {
  frequency: 'weekly',
  startDate: '2101-01-03',
  startTime: '03:00',
  timeZone: 'Europe/Berlin',
  weekdays: ['monday', 'monday'],
}
const pdf = { mimeTypes: ['text/html', 'application/pdf'], pdfModifiedFrom: '2026-05-02' }

it.each([
  ['PDF "to" lies after "from"', { advanced: { ...pdf, pdfModifiedTo: '2026-05-02' } }, ['advanced.pdfModifiedTo too-small']],
  ['page types: each once', { advanced: { mimeTypes: ['text/html', 'text/html'] } }, ['advanced.mimeTypes.1 duplicate']],
  [
    'e-mail receivers: each once',
    { notification: { specificUsers: ['a@example.org', 'A@example.org'] } },
    ['notification.specificUsers.1 duplicate'],
  ],
  [
    'names of common components are unique',
    buildComponents('Header', 'header'),
    ['commonComponents.components.1.name duplicate'],
  ],
  [
    'invalid CSS selectors are refused',
    { advanced: { bannerSelectors: ['a:contains("x")'] } },
    ['advanced.bannerSelectors.0 wrong-format'],
  ],
])('%s', async (_statement, settings, expectedErrors) => {
  expect(await collectErrors(settings)).toEqual(expectedErrors)
})

it('weekdays: each once', async () =>
  expect(await collectErrors({ schedule: weekly })).toContain('schedule.weekdays.1 duplicate'))

it('"Scan or Scan Group must not be empty"', async () => {
  const assignments = [{ teamId: world.team, role: 'scanViewer' }]
  expect((await api.call('POST', '/team-access', { ...admin, body: { assignments } })).body).toMatchObject({
    detail: 'Scan or Scan Group must not be empty.',
    errors: [{ path: 'assignments.0.scanId', code: 'required' }],
  })
})

it.each(['', '\uFEFF', ' \r\n'])('an empty team-access CSV: "the file is empty" (%j)', async (content) => {
  const body = { filename: 'a.csv', content }
  expect((await api.call('POST', '/team-access/import', { ...admin, body })).body).toMatchObject({
    success: false,
    errors: [{ code: 'empty', message: 'The file is empty.' }],
  })
})

it('a viewer reads no session user name and no receivers of others', async () => {
  const session = { connection: { authType: 'basic', username: 'scan-robot', password: 'hush' } }
  const notification = { specificUsers: ['somebody@example.org'] }
  const { body } = await api.call('GET', `/scans/${world.scan}/settings`, admin)
  const { settings, version } = body as { settings: object; version: number }
  const change = { settings: { ...settings, session, notification }, version }
  expect((await api.call('PUT', `/scans/${world.scan}`, { ...admin, body: change })).status).toBe(200)
  const viewer = { token: await api.token('scanViewer') }
  const settingsReply = await api.call('GET', `/scans/${world.scan}/settings`, viewer)
  expect(settingsReply.status).toBe(200)
  expect(JSON.stringify(settingsReply.body)).not.toMatch(/scan-robot|somebody@/)
})

it('upload: broken JSON has a code of its own, and a file without results is no wrong version', async () => {
  const uploadAndReadCodes = async (fileText: string) => {
    const file = { name: 'x.json', type: 'application/json', text: fileText }
    const { body } = await uploadTo(api, { ...admin, scan: world.scan, run: 1 }, [file])
    return (body as { errors: { code: string }[] }).errors.map(({ code }) => code)
  }
  expect(await uploadAndReadCodes('{"a":')).toEqual(['not-json'])
  expect(await uploadAndReadCodes('{"a":1}')).toEqual(['invalid-issues'])
})
