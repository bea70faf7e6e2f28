import { expect, test } from 'vitest'
import type { Browsing } from '../browser/instance.ts'
import { openBrowserSessions } from './browser-sessions.ts'

const baseBrowsing: Browsing = {
  guardServer: 'http://127.0.0.1:1',
  viewport: { width: 1280, height: 1024 },
  userAgent: null,
  scripts: { main: '', isolated: '', reveal: '' },
}
const openTestSessions = (validTo: Date) =>
  openBrowserSessions({
    base: baseBrowsing,
    signInState: null,
    connection: { authType: 'client_cer', keystore: Buffer.of(), keystoreType: 'PKCS12', keystorePassword: '' },
    certificate: { cert: 'cert', key: 'key', validTo },
    isTrusted: ({ hostname }) => hostname === 'example.org',
  })

test('a certificate that expires during a run fails later pages with that reason', async () => {
  const url = new URL('https://example.org/')
  expect(await openTestSessions(new Date(Date.now() + 60_000)).getBrowsing(url)).toMatchObject({
    kind: 'signed-in',
    browsing: { clientCertificate: { origin: 'https://example.org' } },
  })
  expect(await openTestSessions(new Date(Date.now() - 1000)).getBrowsing(url)).toEqual({
    kind: 'failed',
    reason: 'session-failed',
    detail: 'The certificate in the keystore has expired',
  })
})

test('other domains never receive the certificate', async () => {
  const url = new URL('https://example.com/')
  expect(await openTestSessions(new Date(Date.now() - 1000)).getBrowsing(url)).toEqual({
    kind: 'signed-in',
    browsing: baseBrowsing,
  })
})
