import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../../../../test/api.ts'
import { mailServerOfFile } from '../../../../test/mail-server.ts'
import { completed, finding, wholeRun } from '../../../../test/run.ts'
import { newId } from '../../../kit/id.ts'
import { forgetAccount, keepAccount } from '../../user/person/service.ts'
import { openMail } from '../jobs.ts'
import { sendDue } from '../service.ts'

const { url: mailUrl, mails } = await mailServerOfFile()
let api: TestApi
let mail: ReturnType<typeof openMail>
let admin: string
let scanId: string
let issue: string
const tokens = new Map<string, string>()
const publicUrl = 'https://clearway.example.org'
beforeAll(async () => {
  api = await openTestApi({ environment: { CLEARWAY_SMTP_URL: mailUrl } })
  mail = openMail(api.config)
  admin = await api.token('admin', ['access', 'admin'], { email: 'admin@example.org' })
  for (const name of ['ben', 'cleo', 'dora'])
    tokens.set(name, await api.token(name, ['access'], { email: `${name}@example.org` }))
  for (const token of [admin, ...tokens.values()]) await api.call('GET', '/users/permissions', { token })
  const run = await wholeRun(api, undefined, { a: completed([finding('a')]) }, 'Shop')
  scanId = run.scanId
  const { body } = await api.call('GET', `/issues?scanId=${scanId}`, { token: admin })
  issue = (body as { content: { id: string }[] }).content[0]!.id
  for (const name of ['ben', 'cleo']) await give(name)
})
afterAll(async () => {
  mail.close()
  await api.close()
})
beforeEach(async () => {
  mails.length = 0
  await api.db.deleteFrom('delivery').execute()
})

const give = (person_id: string) =>
  api.db
    .insertInto('scan_access')
    .values({ id: newId(), scan_id: scanId, group_id: null, team_id: null, person_id, role: 'scanViewer' })
    .execute()
const say = async (text: string, token = admin) =>
  (await api.call('POST', `/issues/${issue}/comments`, { token, body: { text } })).body as { id: string }
const edit = (id: string, text: string) =>
  api.call('PATCH', `/issues/${issue}/comments/${id}`, { token: admin, body: { text } })
const send = () =>
  sendDue(
    { ...api, publicUrl },
    { mail: mail.send, webhook: () => Promise.reject(new Error('there is no webhook')) },
  )
const sentTo = async () => {
  await send()
  return mails.map(({ to }) => to).toSorted()
}
const want = (name: string, mentionMails: boolean) =>
  api.call('PUT', '/users/settings', { token: tokens.get(name)!, body: { mentionMails } })
const waiting = () => api.db.selectFrom('delivery').selectAll().where('state', '=', 'waiting').execute()

it('mails a comment to those whom it mentions, once, each in their language, and not to its author', async () => {
  await api.app.inject({
    url: '/monitor-api/users/permissions',
    headers: { authorization: `Bearer ${tokens.get('cleo')}`, 'accept-language': 'fr-CH' },
  })
  await say(`@[ben] @[cleo] @[ben] @[admin] ${'look '.repeat(200)}`)
  expect(await sentTo()).toEqual(['ben@example.org', 'cleo@example.org'])
  await send()
  expect(mails).toHaveLength(2)
  const [ben, cleo] = mails.toSorted((a, b) => a.to.localeCompare(b.to))
  expect(ben!.text).toContain('<html lang="en">')
  expect(ben!.text).toMatch(/^Auto-Submitted: auto-generated/m)
  expect(ben!.text).toContain('> @ben Test @cleo Test @ben Test @admin Test look look')
  expect(ben!.text).not.toContain('look '.repeat(150))
  expect(ben!.text).toContain('Images must have alternative text')
  const link = new URL(/^https:\S+issues\S+$/m.exec(ben!.text)![0])
  expect(link.href).toMatch(`${publicUrl}/monitor/issues?`)
  expect(Object.fromEntries(link.searchParams)).toEqual({ scanId: JSON.stringify([scanId]), issue })
  expect(cleo!.text).toMatch(/^Content-Language: fr/m)
})

it('mails nobody who reads no comments of the scan, is deactivated or has turned it off', async () => {
  expect((await say('@[dora] @[stranger]')).id).toBeTruthy()
  expect(await sentTo()).toEqual([])
  const settings = { sendsMail: true, email: 'ben@example.org' }
  expect((await want('ben', false)).body).toEqual({ ...settings, mentionMails: false })
  await say('@[ben] @[cleo]')
  expect(await sentTo()).toEqual(['cleo@example.org'])
  expect((await want('ben', true)).body).toEqual({ ...settings, mentionMails: true })
  mails.length = 0
  const cleo = {
    id: 'cleo',
    username: 'cleo',
    firstName: 'cleo',
    lastName: 'Test',
    email: 'cleo@example.org',
    role: 'user',
  } as const
  await keepAccount(api, { ...cleo, state: 'deactivated' } as never)
  await say('@[ben] @[cleo]')
  expect(await sentTo()).toEqual(['ben@example.org'])
  await keepAccount(api, { ...cleo, state: 'active' } as never)
})

it('mails a change of a comment to those alone whom it mentions newly', async () => {
  const { id } = await say('@[ben] first')
  expect(await sentTo()).toEqual(['ben@example.org'])
  await edit(id, '@[ben] and @[cleo]')
  expect(await sentTo()).toEqual(['ben@example.org', 'cleo@example.org'])
  // People who are mentioned again were notified already.
  await edit(id, 'nobody')
  await edit(id, '@[ben] @[cleo]')
  expect(await sentTo()).toHaveLength(2)
})

it('does not send what was taken back before it went out', async () => {
  const deleted = await say('@[ben] @[cleo] oops')
  await api.call('DELETE', `/issues/${issue}/comments/${deleted.id}`, { token: admin })
  expect(await waiting()).toEqual([])
  const edited = await say('@[ben] @[cleo]')
  await edit(edited.id, '@[cleo]')
  expect(await sentTo()).toEqual(['cleo@example.org'])
  mails.length = 0
  await say('@[ben] @[cleo]')
  await want('ben', false)
  await api.db.deleteFrom('scan_access').where('person_id', '=', 'cleo').execute()
  expect(await sentTo()).toEqual([])
  expect(await waiting()).toEqual([])
  // A mail that was taken back is no fault of the mail server.
  const { rows } = await sql<{ failed: number }>`select count(*)::int as failed from delivery
    where last_error is not null`.execute(api.db)
  expect(rows).toEqual([{ failed: 0 }])
  await want('ben', true)
  await give('cleo')
})

it('sends what a comment says by then, and nothing of an author who was deleted', async () => {
  const { id } = await say('@[ben] the password is swordfish')
  await edit(id, '@[ben] never mind')
  await give('dora')
  await say('@[ben] of somebody else', tokens.get('dora'))
  await forgetAccount(api, 'dora')
  expect(await sentTo()).toEqual(['ben@example.org'])
  expect(mails[0]!.text).toContain('> @ben Test never mind')
  expect(mails[0]!.text).not.toContain('swordfish')
})

it('sends one mail to an address that two people share', async () => {
  await api.db.updateTable('person').set({ email: 'BEN@example.org' }).where('id', '=', 'cleo').execute()
  await say('@[ben] @[cleo]')
  expect(await sentTo()).toEqual(['ben@example.org'])
  await api.db.updateTable('person').set({ email: 'cleo@example.org' }).where('id', '=', 'cleo').execute()
})

it('sends nothing of whoever is gone, and keeps what others get', async () => {
  await say('@[ben] @[cleo]')
  await forgetAccount(api, 'ben')
  expect(await sentTo()).toEqual(['cleo@example.org'])
})
