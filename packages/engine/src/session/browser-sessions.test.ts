import { expect, test } from 'vitest'
import type { Browsing } from '../browser/instance.ts'
import { openBrowserSessions } from './browser-sessions.ts'

const base: Browsing = {
  guardServer: 'http://127.0.0.1:1',
  viewport: { width: 1280, height: 1024 },
  userAgent: null,
  scripts: { main: '', isolated: '', reveal: '' },
}
const sessions = (validTo: Date) =>
  openBrowserSessions({
    base,
    signInState: null,
    connection: {
      authType: 'client_cer',
      keystore: Buffer.of(),
      keystoreType: 'PKCS12',
      keystorePassword: '',
    },
    certificate: { cert: 'cert', key: 'key', validTo },
    isTrusted: ({ hostname }) => hostname === 'example.org',
  })

test('a certificate that expires during a run fails the pages after that, with its reason', async () => {
  const url = new URL('https://example.org/')
  expect(await sessions(new Date(Date.now() + 60_000)).browsingFor(url)).toMatchObject({
    kind: 'signed-in',
    browsing: { clientCertificate: { origin: 'https://example.org' } },
  })
  expect(await sessions(new Date(Date.now() - 1000)).browsingFor(url)).toEqual({
    kind: 'failed',
    reason: 'session-failed',
    detail: 'The certificate in the keystore has expired',
  })
})

test('other domains are shown no certificate, valid or not', async () => {
  const url = new URL('https://example.com/')
  expect(await sessions(new Date(Date.now() - 1000)).browsingFor(url)).toEqual({
    kind: 'signed-in',
    browsing: base,
  })
})
