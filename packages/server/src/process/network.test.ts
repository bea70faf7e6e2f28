import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { setOutboundProxy } from '@clearway/engine/guard/outbound-proxy.ts'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase, withClient } from '../../test/database.ts'
import { type Config, readConfig } from '../config.ts'
import { createMailClient } from '../kit/mail.ts'
import { createS3Store } from '../kit/object-store/s3.ts'
import { applyNetworkSettings } from './network.ts'

const keystores = join(import.meta.dirname, '../../../../fixtures/keystores')
const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(join(keystores, name)))
const caFile = join(keystores, 'ca.pem')
const publicAuthorities = tls.getCACertificates('default')
const folder = mkdtempSync(join(tmpdir(), 'clearway-network-'))
const readFingerprint = (pem: string) => new X509Certificate(pem).fingerprint256
const readSettings = (environment: Record<string, string>) => readConfig(environment) as Config

const closers: (() => unknown)[] = []
async function listen(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return (server.address() as AddressInfo).port
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  // The process runs other test files as well.
  tls.setDefaultCACertificates(publicAuthorities)
  for (const close of closers) close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

/** Puts TLS with the private authority in front of the test's PostgreSQL. Returns the port. */
function listenForDatabase(): Promise<number> {
  const { hostname, port } = new URL(database.url)
  return listen(
    net.createServer((client) => {
      client.on('error', () => undefined)
      // The request for TLS.
      client.once('data', () => {
        client.write('S')
        const secure = new tls.TLSSocket(client, { isServer: true, key, cert })
        const upstream = net.connect(Number(port), hostname)
        for (const socket of [secure, upstream]) socket.on('error', () => void (secure.destroy(), upstream.destroy()))
        secure.pipe(upstream).pipe(secure)
      })
    }),
  )
}

it('trusts own authorities for the identity provider, S3, mail and the database', async () => {
  const webPort = await listen(https.createServer({ key, cert }, (_, response) => response.end('{}')))
  const smtp = new SMTPServer({
    secure: true,
    key,
    cert,
    authOptional: true,
    onData: (stream, _session, done) => void stream.resume().on('end', done),
  })
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
  closers.push(() => smtp.close())
  const mailPort = (smtp.server.address() as AddressInfo).port
  const databaseUrl = new URL(database.url)
  databaseUrl.host = `localhost:${await listenForDatabase()}`
  databaseUrl.searchParams.set('sslmode', 'verify-full')

  const store = createS3Store({ url: `https://localhost:${webPort}/bucket`, region: 'a', keyId: 'a', secret: 'b' })
  const mail = createMailClient({ url: `smtps://localhost:${mailPort}`, product: 'Clearway', sender: 'a@example.org' })
  closers.push(mail.close)
  const letter = { id: '1', receiver: 'ann@example.org', subject: 'a', text: 'b', html: 'c', language: 'en' }
  const attempts: Record<string, () => Promise<unknown>> = {
    provider: () => fetch(`https://localhost:${webPort}/.well-known/openid-configuration`),
    s3: () => store.put('a', Buffer.from('b')),
    mail: () => mail.send(letter),
    database: () => withClient(databaseUrl.href, (client) => client.query('select 1')),
  }
  const tryAll = async () => {
    const results: Record<string, boolean> = {}
    for (const [name, attempt] of Object.entries(attempts))
      results[name] = await attempt().then(
        () => true,
        () => false,
      )
    return results
  }
  expect(await tryAll()).toEqual({ provider: false, s3: false, mail: false, database: false })
  applyNetworkSettings(readSettings({ CLEARWAY_CA_FILE: caFile }))
  expect(await tryAll()).toEqual({ provider: true, s3: true, mail: true, database: true })
  // Public authorities are still trusted.
  const trusted = new Set(tls.getCACertificates('default').map(readFingerprint))
  expect(publicAuthorities.map(readFingerprint).filter((fingerprint) => !trusted.has(fingerprint))).toEqual([])
})

it('names an unusable file of authorities', () => {
  const missingFile = join(folder, 'none.pem')
  expect(() => applyNetworkSettings(readSettings({ CLEARWAY_CA_FILE: missingFile }))).toThrow(missingFile)
  const textFile = join(folder, 'text.pem')
  writeFileSync(textFile, 'no certificate')
  expect(() => applyNetworkSettings(readSettings({ CLEARWAY_CA_FILE: textFile }))).toThrow('contains no certificate')
  writeFileSync(textFile, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  expect(() => applyNetworkSettings(readSettings({ CLEARWAY_CA_FILE: textFile }))).toThrow(`${textFile} cannot be used`)
})

it('calls the identity provider through a proxy, except for excepted and local hosts', async () => {
  const seen: string[] = []
  const proxy = http.createServer((request, response) => void (seen.push(request.url!), response.end('by the proxy')))
  const proxyPort = await listen(proxy)
  proxy.on('connect', (request, client) => void (seen.push(request.url!), client.end('HTTP/1.1 403 No\r\n\r\n')))
  const sitePort = await listen(http.createServer((_, response) => response.end('direct')))
  const proxyUrl = `http://ann:secret@127.0.0.1:${proxyPort}`
  applyNetworkSettings(readSettings({ CLEARWAY_PROXY_URL: proxyUrl, CLEARWAY_PROXY_EXCEPT: 'own.invalid' }))
  try {
    await fetch('https://sso.example/x').catch(() => undefined)
    await fetch('http://own.invalid/').catch(() => undefined)
    expect(await (await fetch(`http://127.0.0.1:${sitePort}/`)).text()).toBe('direct')
    expect(seen).toEqual(['sso.example:443'])
  } finally {
    setOutboundProxy(null)
    http.setGlobalProxyFromEnv({})
  }
})
