import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import type { KeystoreType } from '@clearway/contract/monitor/session/schema.ts'
import { expect, test } from 'vitest'
import { openKeystore } from './keystore.ts'

const readFixture = (name: string) => readFileSync(new URL(`../../../../../fixtures/keystores/${name}`, import.meta.url))
const openTestKeystore = (bytes: Uint8Array, type: KeystoreType, password = 'changeit') => openKeystore({ bytes, type, password })

test.each([
  ['rsa.p12', 'PKCS12', 'CN=alice'],
  ['ec.p12', 'PKCS12', 'CN=bob'],
  ['keytool.p12', 'PKCS12', 'CN=keytool'],
  ['legacy.p12', 'PKCS12', 'CN=alice'],
  ['legacy-ec.p12', 'PKCS12', 'CN=bob'],
  ['rsa.jks', 'JKS', 'CN=alice'],
  ['ec.jks', 'JKS', 'CN=bob'],
] as const)('opens %s', (name, type, subject) => {
  const openedKeystore = openTestKeystore(readFixture(name), type)
  if (openedKeystore.kind !== 'opened') throw new Error(JSON.stringify(openedKeystore))
  expect(openedKeystore.subject).toBe(subject)
  expect(openedKeystore.chain.map((pem) => new X509Certificate(pem).subject)).toEqual([subject])
  // TLS accepts the pair. The root is not included.
  tls.createSecureContext({ cert: openedKeystore.chain.join('\n'), key: openedKeystore.key })
})

test.each([
  ['rsa.p12', 'PKCS12', 'wrong', 'wrong-password'],
  ['rsa.p12', 'PKCS12', '', 'wrong-password'],
  ['legacy.p12', 'PKCS12', 'wrong', 'wrong-password'],
  ['rsa.jks', 'JKS', 'wrong', 'wrong-password'],
  ['rsa.jks', 'JKS', '', 'wrong-password'],
  ['rsa.jks', 'PKCS12', 'changeit', 'invalid-format'],
  ['rsa.p12', 'JKS', 'changeit', 'invalid-format'],
  ['secret.jceks', 'JKS', 'changeit', 'invalid-format'],
  ['ca.pem', 'PKCS12', 'changeit', 'invalid-format'],
  ['no-key.p12', 'PKCS12', 'changeit', 'no-key'],
  ['trusted-only.jks', 'JKS', 'changeit', 'no-key'],
  ['two.jks', 'JKS', 'changeit', 'several-keys'],
  ['other-key-password.jks', 'JKS', 'changeit', 'other-key-password'],
  ['expired.p12', 'PKCS12', 'changeit', 'expired'],
  ['expired.jks', 'JKS', 'changeit', 'expired'],
] as const)('%s as %s with password “%s”: %s', (name, type, password, kind) => {
  expect(openTestKeystore(readFixture(name), type, password).kind).toBe(kind)
})

test('a password may contain any characters', () => {
  expect(openTestKeystore(readFixture('password-umlaut.p12'), 'PKCS12', 'pässwörd€').kind).toBe('opened')
  expect(openTestKeystore(readFixture('password-umlaut.p12'), 'PKCS12', 'passw0rd').kind).toBe('wrong-password')
})

test('distinguishes certificates that are not yet valid from expired ones', () => {
  const keystore = { bytes: readFixture('rsa.p12'), type: 'PKCS12', password: 'changeit' } as const
  expect(openKeystore(keystore, new Date('2001-01-01')).kind).toBe('not-yet-valid')
  expect(openKeystore(keystore, new Date('2099-01-01')).kind).toBe('expired')
})

test('reports a corrupted file wherever it is corrupted', () => {
  for (const [name, type] of [
    ['rsa.p12', 'PKCS12'],
    ['rsa.jks', 'JKS'],
  ] as const) {
    const keystoreBytes = readFixture(name)
    for (let length = 0; length < keystoreBytes.length; length += 37)
      expect(openTestKeystore(keystoreBytes.subarray(0, length), type).kind).toBe('invalid-format')
    for (let offset = 0; offset < keystoreBytes.length; offset += 101) {
      const corruptedBytes = Buffer.from(keystoreBytes)
      corruptedBytes[offset] = corruptedBytes[offset]! ^ 0xff
      expect(['invalid-format', 'wrong-password', 'unsupported']).toContain(openTestKeystore(corruptedBytes, type).kind)
    }
  }
})
