/** @module-tag slow */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestApi, buildScanBody, type TestApi } from '../../../test/api.ts'
import { finishRun } from '../run/frontier/service.ts'
import { openMailSender, openWebhookSender } from './jobs.ts'
import { sendDueMessages, queueMessages } from './service.ts'
import { resealWebhooks } from './webhook/service.ts'

type Got = { from: string; to: string[]; text: string }
const mails: Got[] = []
type Post = { url: string | undefined; headers: IncomingMessage['headers']; body: string }
const posts: Post[] = []
let answer = 200
let refuse: { responseCode: number } | null = null

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: (_address, _session, done) => done(refuse ? Object.assign(new Error('refused'), refuse) : null),
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope
      const from = mailFrom ? mailFrom.address : ''
      mails.push({ from, to: rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString('utf8') })
      done()
    })
  },
})
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')))
  request.on('end', () => {
    posts.push({ url: request.url, headers: request.headers, body })
    response.writeHead(answer, { location: 'http://169.254.169.254/' }).end('x'.repeat(100_000))
  })
})
const listen = (server: { listen: (port: number, host: string, done: () => void) => unknown }) =>
  new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))

let api: TestApi
let hookUrl: string
let deliver: (allowPrivate?: string[]) => Promise<void>
beforeAll(async () => {
  await listen(smtp)
  await listen(receiver)
  const { port } = smtp.server.address() as AddressInfo
  hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  api = await openTestApi({
    environment: {
      CLEARWAY_SMTP_URL: `smtp://127.0.0.1:${port}`,
      CLEARWAY_MAIL_FROM: 'clearway@example.org',
    },
  })
  const deps = { ...api, publicUrl: 'https://clearway.example.org' }
  const mail = openMailSender(api.config)
  deliver = async (allowPrivate = ['127.0.0.1']) => {
    await queueMessages(deps)
    await sendDueMessages(deps, { mail: mail.send, webhook: openWebhookSender(deps, allowPrivate) })
  }
})
afterAll(async () => {
  await api.close()
  await new Promise<void>((done) => smtp.close(() => done()))
  await new Promise((done) => receiver.close(done))
})
beforeEach(() => {
  mails.length = 0
  posts.length = 0
  answer = 200
  refuse = null
})

const createScan = async (name: string, notification: object, token?: string) => {
  const body = buildScanBody(name, { notification })
  const createdScan = await api.call('POST', '/scans', { body, ...(token !== undefined && { token }) })
  return (createdScan.body as { id: string }).id
}
/** Ends a run like a worker. */
const endRun = async (scanId: string, end: 'failed' | 'cancelled' = 'failed') => {
  const { body } = await api.call('POST', `/scans/${scanId}/startRun`, { token: await api.token('admin', ['admin']) })
  const detail = 'Nothing <b>answered</b>'
  const problem = { kind: 'problem', problem: 'start-urls-failed', detail } as const
  await finishRun(api, (body as { id: string }).id, end === 'failed' ? problem : { kind: 'cancelled' })
}
const createWebhook = async (scanId: string, url: string) =>
  (await api.call('POST', `/scans/${scanId}/webhooks`, { body: { url } })).body as { id: string; secret: string }
const listDeliveries = async (scanId: string, id: string) =>
  ((await api.call('GET', `/scans/${scanId}/webhooks/${id}/deliveries`)).body as { content: object[] }).content
/** Makes all retries due now. */
const makeRetriesDue = () => api.db.updateTable('delivery').set({ next_at: new Date() }).where('state', '=', 'waiting').execute()

it('posts over TLS to receivers of an authority of its own, once that is trusted', async () => {
  const keystores = join(import.meta.dirname, '../../../../../fixtures/keystores')
  const [key, cert, ca] = ['server.key', 'server.pem', 'ca.pem'].map((name) => readFileSync(join(keystores, name), 'utf8'))
  let postCount = 0
  const secureReceiver = createSecureServer({ key, cert }, (_, response) => void (postCount++, response.end()))
  await listen(secureReceiver)
  const publicAuthorities = tls.getCACertificates('default')
  try {
    const scanId = await createScan('Inside', {})
    const { port } = secureReceiver.address() as AddressInfo
    const { id } = await createWebhook(scanId, `https://localhost:${port}/hook`)
    await endRun(scanId)
    await deliver(['127.0.0.1', '::1'])
    expect(await listDeliveries(scanId, id)).toMatchObject([
      { status: 'waiting', lastError: expect.stringContaining('certificate') as string },
    ])
    tls.setDefaultCACertificates([...publicAuthorities, ca!])
    await makeRetriesDue()
    await deliver(['127.0.0.1', '::1'])
    expect([await listDeliveries(scanId, id), postCount]).toMatchObject([[{ lastStatus: 200, lastError: null }], 1])
  } finally {
    // Other test files share the process.
    tls.setDefaultCACertificates(publicAuthorities)
    await new Promise((done) => secureReceiver.close(done))
  }
})

it('mails each reader once, separately, in their language, as text and HTML', async () => {
  const german = await api.token('anna', ['access'], { email: 'anna@example.org' })
  await api.app.inject({
    url: '/monitor-api/users/permissions',
    headers: { authorization: `Bearer ${german}`, 'accept-language': 'de-AT,en;q=0.5' },
  })
  const scanId = await createScan('Shop <1>', { me: true, specificUsers: ['boss@example.com', 'ANNA@example.org'] }, german)
  await endRun(scanId)
  await deliver()
  await deliver()
  expect(mails.map(({ to }) => to).toSorted(([a], [b]) => a!.localeCompare(b!))).toEqual([
    ['anna@example.org'],
    ['boss@example.com'],
  ])
  const [anna, boss] = mails.toSorted((a, b) => a.to[0]!.localeCompare(b.to[0]!))
  expect(boss!.from).toBe('clearway@example.org')
  expect(boss!.text).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(boss!.text).toMatch(/^Auto-Submitted: auto-generated/m)
  const decodeMail = (raw: string) =>
    Buffer.from(
      raw.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      'latin1',
    ).toString('utf8')
  expect(decodeMail(boss!.text)).toContain('- Reason: Nothing <b>answered</b>')
  expect(decodeMail(boss!.text)).toContain('Nothing &lt;b&gt;answered&lt;/b&gt;</td>')
  expect(decodeMail(boss!.text)).toContain('<h1>Run 1 of “Shop &lt;1&gt;” failed</h1>')
  expect(decodeMail(boss!.text)).toContain(`https://clearway.example.org/monitor/scans/${scanId}/1`)
  expect(decodeMail(anna!.text)).toContain('<html lang="de">')
  expect(decodeMail(anna!.text)).toContain('Lauf 1 von „Shop <1>“ ist fehlgeschlagen')
})

it('mails all team members when configured, and no one about events without subscribers', async () => {
  const admin = await api.token('admin', ['admin'])
  await api.account('GET', '/me', { token: await api.token('mara', ['access'], { email: 'mara@example.org' }) })
  const team = await api.account('POST', '/teams', { token: admin, body: { name: 'T', members: ['mara'] } })
  api.forgetAccounts()
  const scanId = await createScan('Team', { allTeamMembers: true, events: ['failed'] })
  const teams = [{ teamId: (team.body as { id: string }).id, role: 'scanViewer' }]
  await api.call('PUT', `/scans/${scanId}/access`, { body: { teams } })
  await endRun(scanId, 'cancelled')
  await deliver()
  expect(mails).toEqual([])
  await endRun(scanId)
  await deliver()
  expect(mails.map(({ to }) => to)).toEqual([['mara@example.org']])
})

it('retries a deferred mail, and gives up a refused one', async () => {
  const scanId = await createScan('Retry', { specificUsers: ['x@example.org'] })
  await endRun(scanId)
  refuse = { responseCode: 451 }
  await deliver()
  const waiting = api.db.selectFrom('delivery').selectAll().where('scan_id', '=', scanId)
  expect(await waiting.executeTakeFirst()).toMatchObject({ state: 'waiting', attempts: 1, last_status: 451 })
  refuse = { responseCode: 550 }
  await makeRetriesDue()
  await deliver()
  expect(await waiting.executeTakeFirst()).toMatchObject({ state: 'failed', attempts: 2, last_status: 550 })
  expect((await api.call('GET', '/actuator/health/system')).body).toMatchObject({ details: { mail: { status: 'DOWN' } } })
})

it('sends signed JSON to webhooks, retries failures, and lists deliveries', async () => {
  const scanId = await createScan('Hooked', {})
  const { id, secret } = await createWebhook(scanId, hookUrl)
  answer = 500
  await endRun(scanId)
  await deliver()
  expect(await listDeliveries(scanId, id)).toMatchObject([{ status: 'waiting', attempts: 1, lastStatus: 500, event: 'failed' }])
  // Sent once, and not again before the back-off ends.
  await deliver()
  expect(posts).toHaveLength(1)
  answer = 204
  await makeRetriesDue()
  await deliver()
  expect(await listDeliveries(scanId, id)).toMatchObject([{ status: 'delivered', attempts: 2, lastStatus: 204 }])
  const { headers, body } = posts[1]!
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-clearway-signature'])) ?? []
  expect(hex).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
  expect(Math.abs(Number(seconds) * 1000 - Date.now())).toBeLessThan(60_000)
  expect(JSON.parse(body)).toMatchObject({ event: 'failed', scanName: 'Hooked', run: { number: 1, status: 'failed' } })
  expect(JSON.parse(posts[0]!.body)).toEqual(JSON.parse(body))
  // The secret is only returned on creation, and not stored in plain text.
  const again = await api.call('GET', `/scans/${scanId}/webhooks`)
  expect(JSON.stringify([again.body, await api.db.selectFrom('webhook').selectAll().execute()])).not.toContain(secret)
})

it('stores no URL of a webhook in plain text, also of older versions', async () => {
  const scanId = await createScan('Sealed', {})
  const url = `${hookUrl}/token-a9f3`
  const { id } = await createWebhook(scanId, url)
  const changed = { url: `${url}-changed`, events: ['failed'], active: true }
  expect((await api.call('PUT', `/scans/${scanId}/webhooks/${id}`, { body: changed })).body).toMatchObject(changed)
  await endRun(scanId)
  await api.call('POST', `/scans/${scanId}/webhooks/${id}/test`)
  const older = await createWebhook(scanId, url)
  const listUrls = async () =>
    ((await api.call('GET', `/scans/${scanId}/webhooks`)).body as { url: string }[]).map((webhook) => webhook.url)
  await sql`update webhook set url = convert_to(${url}, 'UTF8') where id = ${older.id}`.execute(api.db)
  expect(await listUrls()).toEqual([changed.url, url])
  await resealWebhooks(api)
  expect(await listUrls()).toEqual([changed.url, url])
  await deliver()
  const paths = posts.map(({ url: path }) => path).filter((path) => path?.includes('token'))
  // The run for both webhooks, and the test.
  expect(paths.map(String).toSorted()).toEqual(['', '-changed', '-changed'].map((end) => `/hook/token-a9f3${end}`))
  const { rows } = await sql<{ text: string }>`select encode(url, 'escape') as text from webhook
    union all select delivery::text from delivery union all select audit::text from audit`.execute(api.db)
  expect(rows.length).toBeGreaterThan(4)
  expect(rows.filter(({ text }) => text.includes('token-a9f3'))).toEqual([])
  // A URL sealed for one webhook is not the URL of another.
  await sql`update webhook set url = (select url from webhook where id = ${older.id}) where id = ${id}`.execute(api.db)
  expect(await listUrls()).toEqual(['', url])
})

it('never posts to private addresses, directly or indirectly', async () => {
  const scanId = await createScan('Private', {})
  const hosts = [hookUrl, hookUrl.replace('127.0.0.1', 'localhost'), hookUrl.replace('127.0.0.1', '[::ffff:127.0.0.1]')]
  const hooks = await Promise.all(hosts.map((url) => createWebhook(scanId, url)))
  for (const { id } of hooks) await api.call('POST', `/scans/${scanId}/webhooks/${id}/test`)
  await deliver([])
  expect(posts).toEqual([])
  for (const { id } of hooks)
    expect(await listDeliveries(scanId, id)).toMatchObject([
      { event: 'test', status: 'failed', attempts: 1, lastError: expect.stringContaining('private or reserved') },
    ])
  // A redirect to an internal address is not followed.
  answer = 302
  const { id } = hooks[0]!
  await api.call('POST', `/scans/${scanId}/webhooks/${id}/test`)
  await deliver()
  expect(posts).toHaveLength(1)
  expect((await listDeliveries(scanId, id))[0]).toMatchObject({ status: 'waiting', lastStatus: 302 })
  for (const url of ['ftp://example.org/', 'https://u:p@example.org/', 'nonsense'])
    expect((await api.call('POST', `/scans/${scanId}/webhooks`, { body: { url } })).status).toBe(400)
})
