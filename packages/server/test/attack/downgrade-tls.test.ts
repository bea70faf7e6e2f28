import { readFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import tls from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMailClient, type Letter } from '../../src/kit/mail.ts'
import { openWebhookSender } from '../../src/monitor/notification/jobs.ts'
import { recordRun } from '../run.ts'
import { useTestApi } from '../api.ts'

// Someone between this server and another one removes the offer of TLS, or offers an old version or another certificate.

const readKey = (name: string) => readFileSync(new URL(`../../../../fixtures/keystores/${name}`, import.meta.url))
const identity = { key: readKey('server.key'), cert: readKey('server.pem') }
const oldTls = { ...identity, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
const defaultAuthorities = tls.getCACertificates('default')
beforeAll(() => tls.setDefaultCACertificates([...defaultAuthorities, readKey('ca.pem').toString()]))
afterAll(() => tls.setDefaultCACertificates(defaultAuthorities))

const api = useTestApi()
const closers: (() => void)[] = []
afterAll(() => closers.forEach((close) => close()))
async function listen(server: Pick<Server, 'listen' | 'address' | 'close'>): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Passwords that a mail server received, and how mails arrived. */
type Received = { passwords: string[]; mails: string[] }
async function startMailServer(options: object): Promise<Received & { port: number }> {
  const received: Received = { passwords: [], mails: [] }
  const smtp = new SMTPServer({
    ...identity,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => {
      received.passwords.push(password ?? '')
      done(null, { user: 'ann' })
    },
    onData: (stream, session, done) => {
      stream.resume()
      stream.on('end', () => (received.mails.push(session.secure ? 'encrypted' : 'plain'), done()))
    },
    ...options,
  })
  // A failed handshake ends the connection of the client.
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
  closers.push(() => smtp.close())
  return { ...received, port: (smtp.server.address() as AddressInfo).port }
}
const letter: Letter = { id: '1', receiver: 'bob@example.org', subject: 'Hi', text: 'Hi', html: '<p>Hi</p>', language: 'en' }
async function trySend(url: string): Promise<string> {
  const client = createMailClient({ url, product: 'Clearway', sender: 'clearway@example.org' })
  try {
    await client.send(letter)
    return 'sent'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  } finally {
    client.close()
  }
}

it.each([
  ['without the offer of STARTTLS', { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }],
  ['that refuses STARTTLS', { disabledCommands: ['STARTTLS'] }],
  ['with an old version', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
])('sends no password and no mail to a mail server %s', async (_, options) => {
  const { port, passwords, mails } = await startMailServer(options)
  expect(await trySend(`smtp://ann:secret@127.0.0.1:${port}`)).not.toBe('sent')
  expect([passwords, mails]).toEqual([[], []])
})

it('sends a password by TLS, and unencrypted only if the URL says so', async () => {
  const offering = await startMailServer({})
  expect(await trySend(`smtp://ann:secret@127.0.0.1:${offering.port}`)).toBe('sent')
  expect(offering).toMatchObject({ passwords: ['secret'], mails: ['encrypted'] })
  const plain = await startMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
  expect(await trySend(`smtp://ann:secret@127.0.0.1:${plain.port}?ignoreTLS=true`)).toBe('sent')
  expect(plain).toMatchObject({ passwords: ['secret'], mails: ['plain'] })
  // Without a password, nothing secret is sent to a server of the own network.
  expect(await trySend(`smtp://127.0.0.1:${plain.port}`)).toBe('sent')
})

it('posts no webhook to a server with an old version or another certificate, nor unencrypted', async () => {
  const token = await api.token('admin', ['access', 'admin'])
  const { scanId } = await recordRun(api, undefined, {}, 'Downgraded')
  const posts: string[] = []
  const answer = (name: string) => (_request: unknown, response: { end: () => void }) => (posts.push(name), response.end())
  // A proxy that speaks plain HTTP.
  const plainServer = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => (posts.push(data.toString('latin1')), socket.end('HTTP/1.1 200 OK\r\n\r\n')))
  })
  const servers = {
    old: await listen(createHttpsServer(oldTls, answer('old'))),
    plain: await listen(plainServer),
    good: await listen(createHttpsServer(identity, answer('good'))),
  }
  const send = openWebhookSender({ ...api, publicUrl: '' }, ['127.0.0.1'])
  const post = async (port: number) => {
    const body = { url: `https://127.0.0.1:${port}/hook` }
    const { id } = (await api.call('POST', `/scans/${scanId}/webhooks`, { token, body })).body as { id: string }
    const delivery = {
      scan_id: scanId,
      webhook_id: id,
      id: '1',
      event: 'test',
      created_at: new Date(),
      payload: { event: 'test' },
    }
    return (await send(delivery as unknown as Parameters<typeof send>[0])).ok
  }
  expect(await post(servers.old)).toBe(false)
  expect(await post(servers.plain)).toBe(false)
  expect(posts.filter((text) => text.includes('hook') || text === 'old')).toEqual([])
  expect(await post(servers.good)).toBe(true)
  tls.setDefaultCACertificates(defaultAuthorities)
  expect(await post(servers.good)).toBe(false)
  expect(posts.filter((text) => text === 'good')).toHaveLength(1)
})
