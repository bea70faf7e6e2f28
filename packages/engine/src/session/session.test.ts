import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { writePdf } from '../../../../fixtures/pdf/write.ts'
import { fate, html, rulesOf, serve, tryScan, type Route, poolOfFile } from '../../test/harness.ts'
import type { PlannedConnection } from '../settings.ts'
import { kerberosMissing, openRealm } from '../../test/kerberos-server.ts'
import { ntlmMissing, openNtlmSite } from '../../test/ntlm-server.ts'

// Each way to sign in, against a server that really asks for it. Machines without Debian's packages skip what needs them,
// but not where `TEST_SERVERS=required` says that they are installed.

const mustHave = process.env.TEST_SERVERS === 'required'
const pool = poolOfFile()

const home = html(
  'Home',
  `<p id="me">Hello</p><a href="/second.html">second</a><a href="/secret.html">no</a>
   <a href="/paper.pdf">paper</a><a href="/other.pdf">other</a><script src="/part.js"></script>`,
)
const pdf = writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] })
const files: Record<string, string | Uint8Array> = {
  'robots.txt': 'User-agent: *\nDisallow: /secret.html',
  'sitemap.xml': '<urlset><url><loc>ORIGIN/mapped.html</loc></url></urlset>',
  'index.html': home,
  'second.html': html('Second', ''),
  'mapped.html': html('Mapped', ''),
  'secret.html': html('Secret', ''),
  // Two, which are visited at once: each needs a page of the browser beside its own.
  'paper.pdf': pdf,
  'other.pdf': pdf,
  'part.js': `document.body.insertAdjacentHTML('beforeend', '<img src="data:,">')`,
}
const types: Record<string, string> = {
  html: 'text/html',
  txt: 'text/plain',
  xml: 'text/xml',
  js: 'text/javascript',
  pdf: 'application/pdf',
}

/** Serves the files above below an origin. */
const serveFiles =
  (origin: () => string): Exclude<Route, string> =>
  (request, response) => {
    const name = new URL(request.url ?? '/', 'http://x').pathname.slice(1) || 'index.html'
    const file = files[name]
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': types[name.split('.')[1]!] ?? 'text/html',
    })
    response.end(typeof file === 'string' ? file.replaceAll('ORIGIN', origin()) : file)
  }

const scanWith = (origin: string, connection: PlannedConnection, more: { timeout?: number } = {}) =>
  tryScan(
    pool,
    { origin },
    {
      advanced: {
        pageTimeoutMs: more.timeout ?? 20_000,
        mimeTypes: ['text/html', 'application/pdf'],
      },
      plan: {
        session: { connection, script: null, mark: null },
        sources: z.parse(Sources, { sitemaps: [`${origin}/sitemap.xml`] }),
        allowPrivate: ['127.0.0.0/8', '::1'],
      },
    },
  )

/** What a scan that is signed in comes to: page, sub-resource, PDF, robots.txt and sitemap alike. */
const expectSignedIn = ({ pages, excluded }: Awaited<ReturnType<typeof scanWith>>) => {
  expect(Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, fate(outcome)]))).toEqual({
    '/': 'completed',
    '/second.html': 'completed',
    '/mapped.html': 'completed',
    '/paper.pdf': 'completed',
    '/other.pdf': 'completed',
    '/sitemap.xml': 'excluded not-a-page',
  })
  expect(rulesOf(pages['/'])).toContain('image-alt')
  expect(excluded.map(({ exclusion }) => exclusion)).toEqual(['robots'])
}

describe('basic', () => {
  test('signs in, and sends the password to nobody else', async () => {
    const stolen: string[] = []
    const thief = await serve({
      '/': (request, response) => {
        stolen.push(request.headers.authorization ?? 'nothing')
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('no')
      },
    })
    const wanted = `Basic ${Buffer.from('alice:wonderland').toString('base64')}`
    const site: Awaited<ReturnType<typeof serve>> = await serve({})
    site.server.removeAllListeners('request')
    site.server.on('request', (request, response) => {
      if (request.headers.authorization !== wanted)
        return response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('no')
      if (request.url === '/away') return response.writeHead(302, { location: thief.origin }).end()
      return serveFiles(() => site.origin)(request, response)
    })
    const connection = { authType: 'basic', username: 'alice', password: 'wonderland' } as const
    expectSignedIn(await scanWith(site.origin, connection))
    const away = await tryScan(pool, site, {
      urls: ['/away'],
      plan: { session: { connection, script: null, mark: null } },
    })
    expect(fate(away.pages['/away'])).toBe('excluded other-domain')
    expect(stolen.every((header) => header === 'nothing')).toBe(true)
    expect(stolen.length).toBeGreaterThan(0)
    const wrong = await scanWith(site.origin, { ...connection, password: 'no' })
    expect(fate(wrong.pages['/'])).toBe('failed authentication')
    await Promise.all([site.close(), thief.close()])
  })
})

describe.skipIf(ntlmMissing() && !mustHave)('ntlm and ntlm_ss', () => {
  test.each(['ntlm', 'ntlm_ss'] as const)('%s: signs in', async (authType) => {
    let origin = ''
    const site = await openNtlmSite(serveFiles(() => origin))
    origin = site.origin
    const connection = { authType, username: 'CORP\\alice', password: 'wonderland' } as const
    expectSignedIn(await scanWith(origin, connection))
    expect(site.handshakes().accepted).toBeGreaterThan(0)
    if (authType === 'ntlm') {
      const wrong = await scanWith(origin, { ...connection, password: 'no' })
      expect(fate(wrong.pages['/'])).toBe('failed authentication')
      expect(site.handshakes().refused).toBeGreaterThan(0)
    }
    await site.close()
  })
})

describe.skipIf((kerberosMissing().length > 0 || process.getuid?.() !== 0) && !mustHave)('kerberos', () => {
  test('signs in by a ticket, and reports a wrong password', async () => {
    const realm = await openRealm(files)
    const before = process.env.KRB5_CONFIG
    process.env.KRB5_CONFIG = realm.config
    const connection = { authType: 'kerberos', username: 'alice', password: 'wonderland' } as const
    try {
      const first = await scanWith(realm.origin, connection)
      if (pool.facts.source === 'embedded') {
        expect(first.end).toMatchObject({
          kind: 'problem',
          detail: expect.stringContaining('knows no Kerberos'),
        })
        return
      }
      expectSignedIn(first)
      expect(await realm.log()).toContain('alice@TEST.LOCAL')
      const wrong = await scanWith(realm.origin, { ...connection, password: 'no' })
      expect(wrong.end).toMatchObject({ kind: 'problem', problem: 'session-failed' })
      expect(wrong.pages).toEqual({})
    } finally {
      if (before === undefined) delete process.env.KRB5_CONFIG
      else process.env.KRB5_CONFIG = before
      await realm.close()
    }
  })
})

const keystore = (name: string) =>
  readFileSync(new URL(`../../../../fixtures/keystores/${name}`, import.meta.url))

describe('client_cer', () => {
  const known = tls.getCACertificates('default')
  beforeAll(() => tls.setDefaultCACertificates([...known, keystore('ca.pem').toString()]))
  afterAll(() => tls.setDefaultCACertificates(known))
  const listen = async (handler: Exclude<Route, string>, requestCert: boolean) => {
    const server = createTlsServer(
      {
        key: keystore('server.key'),
        cert: keystore('server.pem'),
        ca: keystore('ca.pem'),
        requestCert,
        rejectUnauthorized: requestCert,
      },
      handler,
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      },
    }
  }
  const connection = {
    authType: 'client_cer',
    keystore: keystore('rsa.p12'),
    keystoreType: 'PKCS12',
    keystorePassword: 'changeit',
  } as const

  test.each([
    ['rsa.p12', 'PKCS12'],
    ['ec.jks', 'JKS'],
  ] as const)('%s: shows the certificate', async (name, keystoreType) => {
    let origin = ''
    const site = await listen(
      serveFiles(() => origin),
      true,
    )
    origin = site.origin
    expectSignedIn(await scanWith(origin, { ...connection, keystore: keystore(name), keystoreType }))
    await site.close()
  })

  test('a broken keystore, a wrong password, an expired certificate: a reason each', async () => {
    for (const [wrong, detail] of [
      [{ keystore: Buffer.from('junk') }, 'Invalid keystore format!'],
      [{ keystorePassword: 'no' }, 'Incorrect password!'],
      [{ keystore: keystore('expired.p12') }, 'The certificate in the keystore has expired'],
    ] as const) {
      const { end } = await scanWith('https://127.0.0.1:1', { ...connection, ...wrong })
      expect(end).toEqual({ kind: 'problem', problem: 'session-failed', detail })
    }
  })
})
