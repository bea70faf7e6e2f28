/** @module-tag slow */
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi, buildScanBody } from './api.ts'

/** Rows from before a rule existed: they are shown and work, and the next save reports the error. */
const api = useTestApi()
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

type CreatedObject = { id: string; version: number; settings: Record<string, unknown> }
const createScan = async (name: string) => (await api.call('POST', '/scans', { body: buildScanBody(name) })).body as CreatedObject
const overwriteSettings = (table: 'scan' | 'preset', id: string, settings: object) =>
  sql`update ${sql.ref(table)} set settings = ${JSON.stringify(settings)}::jsonb where id = ${id}`.execute(api.db)

const weekly = {
  frequency: 'weekly',
  startTime: '08:00',
  timeZone: 'Europe/Berlin',
  timeoutMs: null,
  interval: 1,
  weekdays: ['monday'],
  end: { kind: 'never' },
}
const kerberos = { authType: 'kerberos', username: '-k', password: null }
it.each([
  ['a schedule before our time', { schedule: { ...weekly, startDate: '1887-01-03' } }, 'schedule.startDate'],
  ['a schedule after our time', { schedule: { ...weekly, startDate: '9999-12-27' } }, 'schedule.startDate'],
  [
    'two spellings of a template URL',
    {
      commonComponents: {
        templateUrls: ['https://example.org', 'https://example.org/'],
        components: [{ name: 'Header', selectors: ['header'] }],
      },
    },
    'commonComponents.templateUrls',
  ],
  ['a user name that is an option of kinit', { session: { connection: kerberos, mark: null } }, 'session.connection.username'],
])('shows %s, which a later rule refuses, and requires a valid value when it is saved', async (description, oldValue, path) => {
  const { id, settings: created } = await createScan(description)
  await overwriteSettings('scan', id, { ...created, ...oldValue })
  if ('schedule' in oldValue)
    await sql`insert into schedule (scan_id, recurrence, started, next_run_at)
      values (${id}, ${JSON.stringify(oldValue.schedule)}::jsonb, 0, null)`.execute(api.db)
  const settingsReply = await api.call('GET', `/scans/${id}/settings`)
  expect(settingsReply.status).toBe(200)
  const { settings, version } = settingsReply.body as CreatedObject
  expect(settings).toMatchObject(oldValue)
  for (const otherPath of ['/scans?size=500', `/scans/${id}`, `/scans/${id}/schedule/preview`])
    expect((await api.call('GET', otherPath)).status, otherPath).toBe(200)
  expect((await api.call('PUT', `/scans/${id}`, { body: { settings, version } })).body).toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ path: `settings.${path}` })]) as object,
  })
  const fixed = { ...settings, schedule: created.schedule, commonComponents: null, session: created.session }
  expect((await api.call('PUT', `/scans/${id}`, { body: { settings: fixed, version } })).status).toBe(200)
})

it('shows a preset that a later rule refuses', async () => {
  const { id, settings } = (await api.call('POST', '/presets', { ...admin, body: { name: 'Twice' } })).body as CreatedObject
  const commonComponents = {
    templateUrls: ['https://example.org', 'https://example.org/'],
    components: [{ name: 'Header', selectors: ['header'] }],
  }
  await overwriteSettings('preset', id, { ...settings, commonComponents })
  expect((await api.call('GET', `/presets/${id}/settings`, admin)).body).toMatchObject({ settings: { commonComponents } })
  const scan = await createScan('Under an older preset')
  expect((await api.call('POST', `/scans/${scan.id}/preset?presetId=${id}`)).status).toBe(200)
})

it('reports a row with a wrong shape, and does not guess', async () => {
  const { id, settings } = await createScan('Damaged')
  await overwriteSettings('scan', id, { ...settings, urls: 'https://example.org/' })
  expect((await api.call('GET', `/scans/${id}/settings`)).status).toBe(500)
})
