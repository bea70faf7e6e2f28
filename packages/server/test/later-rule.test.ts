import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { apiOfFile, scanBody } from './api.ts'

/** Rows of before a rule came: they are shown and work, and their next saving says what to fix. */
const api = apiOfFile()
let admin: { token: string }
beforeAll(async () => {
  admin = { token: await api.token('admin', ['admin']) }
})

type Made = { id: string; version: number; settings: Record<string, unknown> }
const make = async (name: string) => (await api.call('POST', '/scans', { body: scanBody(name) })).body as Made
const overwrite = (table: 'scan' | 'preset', id: string, settings: object) =>
  sql`update ${sql.ref(table)} set settings = ${JSON.stringify(settings)}::jsonb where id = ${id}`.execute(
    api.db,
  )

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
  [
    'a user name that is an option of kinit',
    { session: { connection: kerberos, mark: null } },
    'session.connection.username',
  ],
])('shows %s, which a later rule refuses, and asks for another when it is saved', async (what, old, path) => {
  const { id, settings: made } = await make(what)
  await overwrite('scan', id, { ...made, ...old })
  if ('schedule' in old)
    await sql`insert into schedule (scan_id, recurrence, started, next_run_at)
      values (${id}, ${JSON.stringify(old.schedule)}::jsonb, 0, null)`.execute(api.db)
  const shown = await api.call('GET', `/scans/${id}/settings`)
  expect(shown.status).toBe(200)
  const { settings, version } = shown.body as Made
  expect(settings).toMatchObject(old)
  for (const other of ['/scans?size=500', `/scans/${id}`, `/scans/${id}/schedule/preview`])
    expect((await api.call('GET', other)).status, other).toBe(200)
  expect((await api.call('PUT', `/scans/${id}`, { body: { settings, version } })).body).toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ path: `settings.${path}` })]) as object,
  })
  const fixed = { ...settings, schedule: made.schedule, commonComponents: null, session: made.session }
  expect((await api.call('PUT', `/scans/${id}`, { body: { settings: fixed, version } })).status).toBe(200)
})

it('shows a preset that a later rule refuses', async () => {
  const { id, settings } = (await api.call('POST', '/presets', { ...admin, body: { name: 'Twice' } }))
    .body as Made
  const commonComponents = {
    templateUrls: ['https://example.org', 'https://example.org/'],
    components: [{ name: 'Header', selectors: ['header'] }],
  }
  await overwrite('preset', id, { ...settings, commonComponents })
  expect((await api.call('GET', `/presets/${id}/settings`, admin)).body).toMatchObject({
    settings: { commonComponents },
  })
  const scan = await make('Under an older preset')
  expect((await api.call('POST', `/scans/${scan.id}/preset?presetId=${id}`)).status).toBe(200)
})

it('tells of a row whose shape is wrong, and does not guess', async () => {
  const { id, settings } = await make('Damaged')
  await overwrite('scan', id, { ...settings, urls: 'https://example.org/' })
  expect((await api.call('GET', `/scans/${id}/settings`)).status).toBe(500)
})
