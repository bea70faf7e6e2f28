/** @module-tag slow */
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { writePdf } from '../../../../fixtures/pdf/write.ts'
import { describeOutcome, html, listRules, serve, tryScan, type Route, useTestPool } from '../../test/harness.ts'
import type { PlannedConnection } from '@clearway/contract/monitor/session/model.ts'
import { listMissingPrograms, openRealm } from '../../test/kerberos-server.ts'
import { isNtlmMissing, openNtlmSite } from '../../test/ntlm-server.ts'

// Tests each sign-in method against a server that requires it. Tests are skipped if their Debian packages are missing,
// unless `TEST_SERVERS=required` is set.

const areServersRequired = process.env.TEST_SERVERS === 'required'
const pool = useTestPool()

const homePage = html(
  'Home',
  `<p id="me">Hello</p><a href="/second.html">second</a><a href="/secret.html">no</a>
   <a href="/paper.pdf">paper</a><a href="/other.pdf">other</a><script src="/part.js"></script>`,
)
const samplePdf = writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] })
const siteFiles: Record<string, string | Uint8Array> = {
  'robots.txt': 'User-agent: *\nDisallow: /secret.html',
  'sitemap.xml': '<urlset><url><loc>ORIGIN/mapped.html</loc></url></urlset>',
  'index.html': homePage,
  'second.html': html('Second', ''),
  'mapped.html': html('Mapped', ''),
  'secret.html': html('Secret', ''),
  // Two PDFs, visited concurrently: each needs an additional browser page.
  'paper.pdf': samplePdf,
  'other.pdf': samplePdf,
  'part.js': `document.body.insertAdjacentHTML('beforeend', '<img src="data:,">')`,
}
const contentTypes: Record<string, string> = {
  html: 'text/html',
  txt: 'text/plain',
  xml: 'text/xml',
  js: 'text/javascript',
  pdf: 'application/pdf',
}

/** Serves the files above for an origin. */
const createFileRoute =
  (getOrigin: () => string): Exclude<Route, string> =>
  (request, response) => {
    const fileName = new URL(request.url ?? '/', 'http://x').pathname.slice(1) || 'index.html'
    const fileContent = siteFiles[fileName]
    response.writeHead(fileContent === undefined ? 404 : 200, {
      'content-type': contentTypes[fileName.split('.')[1]!] ?? 'text/html',
    })
    response.end(typeof fileContent === 'string' ? fileContent.replaceAll('ORIGIN', getOrigin()) : fileContent)
  }

const scanWithConnection = (origin: string, connection: PlannedConnection, scanOptions: { timeout?: number } = {}) =>
  tryScan(
    pool,
    { origin },
    {
      advanced: { pageTimeoutMs: scanOptions.timeout ?? 20_000, mimeTypes: ['text/html', 'application/pdf'] },
      plan: {
        session: { connection, script: null, mark: null },
        sources: z.parse(Sources, { sitemaps: [`${origin}/sitemap.xml`] }),
        allowPrivate: ['127.0.0.0/8', '::1'],
      },
    },
  )

/** Expected result of a signed-in scan: page, sub-resource, PDF, robots.txt and sitemap. */
const expectSignedIn = ({ pages, excluded }: Awaited<ReturnType<typeof scanWithConnection>>, isRefusedToVisitors = true) => {
  expect(Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)]))).toEqual({
    '/': 'completed',
    '/second.html': 'completed',
    '/mapped.html': 'completed',
    '/paper.pdf': 'completed',
    '/other.pdf': 'completed',
    '/sitemap.xml': 'excluded not-a-page',
  })
  const testedPages = Object.values(pages).flatMap((outcome) => (outcome.kind === 'completed' ? [outcome.isProved] : []))
  expect(testedPages).toEqual(testedPages.map(() => (isRefusedToVisitors ? true : undefined)))
  expect(listRules(pages['/'])).toContain('image-alt')
  expect(excluded.map(({ exclusion }) => exclusion)).toEqual(['robots'])
}

const refusedEnd = { kind: 'problem', problem: 'session-failed', detail: 'HTTP 401: the sign-in was refused' }

test('a server that shows its start page to visitors proves nothing', async () => {
  const site = await serve({ '/': html('Open', '') })
  const connection = { authType: 'basic', username: 'alice', password: 'wonderland' } as const
  const { pages } = await tryScan(pool, site, { plan: { session: { connection, script: null, mark: null } } })
  expect(pages['/']).toMatchObject({ kind: 'completed' })
  expect(pages['/']).not.toHaveProperty('isProved')
  await site.close()
})

describe('basic', () => {
  test('signs in and sends the password to no other site', async () => {
    const receivedHeaders: string[] = []
    const otherSite = await serve({
      '/': (request, response) => {
        receivedHeaders.push(request.headers.authorization ?? 'nothing')
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('no')
      },
    })
    let refusedCount = 0
    const expectedHeader = `Basic ${Buffer.from('alice:wonderland').toString('base64')}`
    const site: Awaited<ReturnType<typeof serve>> = await serve({})
    site.server.removeAllListeners('request')
    site.server.on('request', (request, response) => {
      if (request.headers.authorization !== undefined && request.headers.authorization !== expectedHeader) refusedCount += 1
      if (request.headers.authorization !== expectedHeader || request.url === '/locked')
        return response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('no')
      if (request.url === '/away') return response.writeHead(302, { location: otherSite.origin }).end()
      return createFileRoute(() => site.origin)(request, response)
    })
    const connection = { authType: 'basic', username: 'alice', password: 'wonderland' } as const
    expectSignedIn(await scanWithConnection(site.origin, connection))
    const redirectScan = await tryScan(pool, site, {
      urls: ['/away'],
      plan: { session: { connection, script: null, mark: null } },
    })
    expect(describeOutcome(redirectScan.pages['/away'])).toBe('excluded other-domain')
    expect(receivedHeaders.every((header) => header === 'nothing')).toBe(true)
    expect(receivedHeaders.length).toBeGreaterThan(0)
    const lockedScan = await tryScan(pool, site, {
      urls: ['/', '/locked'],
      plan: { session: { connection, script: null, mark: null }, depth: 0 },
    })
    expect(describeOutcome(lockedScan.pages['/locked'])).toBe('failed authentication')
    const failedScan = await scanWithConnection(site.origin, { ...connection, password: 'no' })
    expect(failedScan).toMatchObject({ end: refusedEnd, pages: {} })
    expect(refusedCount).toBe(1)
    await Promise.all([site.close(), otherSite.close()])
  })
})

describe.skipIf(isNtlmMissing() && !areServersRequired)('ntlm and ntlm_ss', () => {
  test.each(['ntlm', 'ntlm_ss'] as const)('%s: signs in', async (authType) => {
    let origin = ''
    const site = await openNtlmSite(createFileRoute(() => origin))
    origin = site.origin
    const connection = { authType, username: 'CORP\\alice', password: 'wonderland' } as const
    expectSignedIn(await scanWithConnection(origin, connection))
    expect(site.handshakes().accepted).toBeGreaterThan(0)
    if (authType === 'ntlm') {
      const failedScan = await scanWithConnection(origin, { ...connection, password: 'no' })
      expect(failedScan).toMatchObject({ end: refusedEnd, pages: {} })
      expect(site.handshakes().refused).toBeGreaterThan(0)
    }
    await site.close()
  })
})

describe.skipIf((listMissingPrograms().length > 0 || process.getuid?.() !== 0) && !areServersRequired)('kerberos', () => {
  test('signs in with a ticket and reports a wrong password', async () => {
    const kerberosRealm = await openRealm(siteFiles)
    const configBefore = process.env.KRB5_CONFIG
    process.env.KRB5_CONFIG = kerberosRealm.config
    const connection = { authType: 'kerberos', username: 'alice', password: 'wonderland' } as const
    try {
      const firstScan = await scanWithConnection(kerberosRealm.origin, connection)
      if (pool.facts.source === 'embedded') {
        expect(firstScan.end).toMatchObject({ kind: 'problem', detail: expect.stringContaining('knows no Kerberos') })
        return
      }
      expectSignedIn(firstScan)
      expect(await kerberosRealm.log()).toContain('alice@TEST.LOCAL')
      const failedScan = await scanWithConnection(kerberosRealm.origin, { ...connection, password: 'no' })
      expect(failedScan.end).toMatchObject({ kind: 'problem', problem: 'session-failed' })
      expect(failedScan.pages).toEqual({})
    } finally {
      if (configBefore === undefined) delete process.env.KRB5_CONFIG
      else process.env.KRB5_CONFIG = configBefore
      await kerberosRealm.close()
    }
  })
})

const readKeystore = (name: string) => readFileSync(new URL(`../../../../fixtures/keystores/${name}`, import.meta.url))

describe('client_cer', () => {
  const defaultCertificates = tls.getCACertificates('default')
  beforeAll(() => tls.setDefaultCACertificates([...defaultCertificates, readKeystore('ca.pem').toString()]))
  afterAll(() => tls.setDefaultCACertificates(defaultCertificates))
  const startTlsSite = async (handler: Exclude<Route, string>, requestCert: boolean) => {
    const server = createTlsServer(
      {
        key: readKeystore('server.key'),
        cert: readKeystore('server.pem'),
        ca: readKeystore('ca.pem'),
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
    keystore: readKeystore('rsa.p12'),
    keystoreType: 'PKCS12',
    keystorePassword: 'changeit',
  } as const

  test.each([
    ['rsa.p12', 'PKCS12'],
    ['ec.jks', 'JKS'],
  ] as const)('%s: presents the certificate', async (name, keystoreType) => {
    let origin = ''
    const site = await startTlsSite(
      createFileRoute(() => origin),
      true,
    )
    origin = site.origin
    expectSignedIn(await scanWithConnection(origin, { ...connection, keystore: readKeystore(name), keystoreType }), false)
    await site.close()
  })

  test('reports distinct reasons for a broken keystore, a wrong password and an expired certificate', async () => {
    for (const [invalidFields, detail] of [
      [{ keystore: Buffer.from('junk') }, 'Invalid keystore format!'],
      [{ keystorePassword: 'no' }, 'Incorrect password!'],
      [{ keystore: readKeystore('expired.p12') }, 'The certificate in the keystore has expired'],
    ] as const) {
      const { end: scanEnd } = await scanWithConnection('https://127.0.0.1:1', { ...connection, ...invalidFields })
      expect(scanEnd).toEqual({ kind: 'problem', problem: 'session-failed', detail })
    }
  })
})
