import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '../../../../test/api.ts'
import { useMailServer } from '../../../../test/mail-server.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'
import { createId } from '../../../kit/id.ts'
import { removeAccount, syncAccount } from '../../user/person/service.ts'
import { openMailSender } from '../jobs.ts'
import { sendDueMessages } from '../service.ts'

const { url: mailUrl, mails } = await useMailServer()
let api: TestApi
let mail: ReturnType<typeof openMailSender>
let admin: string
let scanId: string
let issue: string
const tokens = new Map<string, string>()
const publicUrl = 'https://clearway.example.org'
beforeAll(async () => {
  api = await openTestApi({ environment: { CLEARWAY_SMTP_URL: mailUrl } })
  mail = openMailSender(api.config)
  admin = await api.token('admin', ['access', 'admin'], { email: 'admin@example.org' })
  for (const name of ['ben', 'cleo', 'dora'])
    tokens.set(name, await api.token(name, ['access'], { email: `${name}@example.org` }))
  for (const token of [admin, ...tokens.values()]) await api.call('GET', '/users/permissions', { token })
  const run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Shop')
  scanId = run.scanId
  const { body } = await api.call('GET', `/issues?scanId=${scanId}`, { token: admin })
  issue = (body as { content: { id: string }[] }).content[0]!.id
  for (const name of ['ben', 'cleo']) await grantRole(name)
})
afterAll(async () => {
  mail.close()
  await api.close()
})
beforeEach(async () => {
  mails.length = 0
  await api.db.deleteFrom('delivery').execute()
})

const grantRole = (person_id: string) =>
  api.db
    .insertInto('scan_access')
    .values({ id: createId(), scan_id: scanId, group_id: null, team_id: null, person_id, role: 'scanViewer' })
    .execute()
const addComment = async (text: string, token = admin) =>
  (await api.call('POST', `/issues/${issue}/comments`, { token, body: { text } })).body as { id: string }
const editComment = (id: string, text: string) =>
  api.call('PATCH', `/issues/${issue}/comments/${id}`, { token: admin, body: { text } })
const sendDueMails = () =>
  sendDueMessages({ ...api, publicUrl }, { mail: mail.send, webhook: () => Promise.reject(new Error('there is no webhook')) })
const listReceivers = async () => {
  await sendDueMails()
  return mails.map(({ to }) => to).toSorted()
}
const setMentionMails = (name: string, mentionMails: boolean) =>
  api.call('PUT', '/users/settings', { token: tokens.get(name)!, body: { mentionMails } })
const listWaiting = () => api.db.selectFrom('delivery').selectAll().where('state', '=', 'waiting').execute()

it('mails a comment once to mentioned people in their language, but not to its author', async () => {
  await api.app.inject({
    url: '/monitor-api/users/permissions',
    headers: { authorization: `Bearer ${tokens.get('cleo')}`, 'accept-language': 'fr-CH' },
  })
  await addComment(`@[ben] @[cleo] @[ben] @[admin] ${'look '.repeat(200)}`)
  expect(await listReceivers()).toEqual(['ben@example.org', 'cleo@example.org'])
  await sendDueMails()
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

it('mails no people without access to comments, deactivated people, or people who opted out', async () => {
  expect((await addComment('@[dora] @[stranger]')).id).toBeTruthy()
  expect(await listReceivers()).toEqual([])
  const settings = { sendsMail: true, email: 'ben@example.org' }
  expect((await setMentionMails('ben', false)).body).toEqual({ ...settings, mentionMails: false })
  await addComment('@[ben] @[cleo]')
  expect(await listReceivers()).toEqual(['cleo@example.org'])
  expect((await setMentionMails('ben', true)).body).toEqual({ ...settings, mentionMails: true })
  mails.length = 0
  const cleo = {
    id: 'cleo',
    username: 'cleo',
    firstName: 'cleo',
    lastName: 'Test',
    email: 'cleo@example.org',
    role: 'user',
  } as const
  await syncAccount(api, { ...cleo, state: 'deactivated' } as never)
  await addComment('@[ben] @[cleo]')
  expect(await listReceivers()).toEqual(['ben@example.org'])
  await syncAccount(api, { ...cleo, state: 'active' } as never)
})

it('mails a changed comment only to newly mentioned people', async () => {
  const { id } = await addComment('@[ben] first')
  expect(await listReceivers()).toEqual(['ben@example.org'])
  await editComment(id, '@[ben] and @[cleo]')
  expect(await listReceivers()).toEqual(['ben@example.org', 'cleo@example.org'])
  // People who are mentioned again were already notified.
  await editComment(id, 'nobody')
  await editComment(id, '@[ben] @[cleo]')
  expect(await listReceivers()).toHaveLength(2)
})

it('does not send mails for mentions removed before delivery', async () => {
  const deleted = await addComment('@[ben] @[cleo] oops')
  await api.call('DELETE', `/issues/${issue}/comments/${deleted.id}`, { token: admin })
  expect(await listWaiting()).toEqual([])
  const edited = await addComment('@[ben] @[cleo]')
  await editComment(edited.id, '@[cleo]')
  expect(await listReceivers()).toEqual(['cleo@example.org'])
  mails.length = 0
  await addComment('@[ben] @[cleo]')
  await setMentionMails('ben', false)
  await api.db.deleteFrom('scan_access').where('person_id', '=', 'cleo').execute()
  expect(await listReceivers()).toEqual([])
  expect(await listWaiting()).toEqual([])
  // A withdrawn mail does not count as a failure of the mail server.
  const { rows } = await sql<{ failed: number }>`select count(*)::int as failed from delivery
    where last_error is not null`.execute(api.db)
  expect(rows).toEqual([{ failed: 0 }])
  await setMentionMails('ben', true)
  await grantRole('cleo')
})

it('sends the comment as of the time of delivery, and none of a deleted author', async () => {
  const { id } = await addComment('@[ben] the password is swordfish')
  await editComment(id, '@[ben] never mind')
  await grantRole('dora')
  await addComment('@[ben] of somebody else', tokens.get('dora'))
  await removeAccount(api, 'dora')
  expect(await listReceivers()).toEqual(['ben@example.org'])
  expect(mails[0]!.text).toContain('> @ben Test never mind')
  expect(mails[0]!.text).not.toContain('swordfish')
})

it('sends one mail to an address that two people share', async () => {
  await api.db.updateTable('person').set({ email: 'BEN@example.org' }).where('id', '=', 'cleo').execute()
  await addComment('@[ben] @[cleo]')
  expect(await listReceivers()).toEqual(['ben@example.org'])
  await api.db.updateTable('person').set({ email: 'cleo@example.org' }).where('id', '=', 'cleo').execute()
})

it('deletes mails about comments of a deleted person, and keeps all others', async () => {
  await addComment('@[ben] @[cleo]')
  await removeAccount(api, 'ben')
  expect(await listReceivers()).toEqual(['cleo@example.org'])
})
