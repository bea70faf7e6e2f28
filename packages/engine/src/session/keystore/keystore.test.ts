import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import type { KeystoreType } from '@clearway/contract/monitor/session/schema.ts'
import { expect, test } from 'vitest'
import { openKeystore } from './keystore.ts'

const file = (name: string) =>
  readFileSync(new URL(`../../../../../fixtures/keystores/${name}`, import.meta.url))
const open = (bytes: Uint8Array, type: KeystoreType, password = 'changeit') =>
  openKeystore({ bytes, type, password })

test.each([
  ['rsa.p12', 'PKCS12', 'CN=alice'],
  ['ec.p12', 'PKCS12', 'CN=bob'],
  ['keytool.p12', 'PKCS12', 'CN=keytool'],
  ['legacy.p12', 'PKCS12', 'CN=alice'],
  ['legacy-ec.p12', 'PKCS12', 'CN=bob'],
  ['rsa.jks', 'JKS', 'CN=alice'],
  ['ec.jks', 'JKS', 'CN=bob'],
] as const)('opens %s', (name, type, subject) => {
  const opened = open(file(name), type)
  if (opened.kind !== 'opened') throw new Error(JSON.stringify(opened))
  expect(opened.subject).toBe(subject)
  expect(opened.chain.map((pem) => new X509Certificate(pem).subject)).toEqual([subject])
  // The pair is one that TLS takes; the root stays out.
  tls.createSecureContext({ cert: opened.chain.join('\n'), key: opened.key })
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
  expect(open(file(name), type, password).kind).toBe(kind)
})

test('a password may hold any letters', () => {
  expect(open(file('password-umlaut.p12'), 'PKCS12', 'pässwörd€').kind).toBe('opened')
  expect(open(file('password-umlaut.p12'), 'PKCS12', 'passw0rd').kind).toBe('wrong-password')
})

test('a certificate that is not valid yet is distinguished from one that has expired', () => {
  const keystore = { bytes: file('rsa.p12'), type: 'PKCS12', password: 'changeit' } as const
  expect(openKeystore(keystore, new Date('2001-01-01')).kind).toBe('not-yet-valid')
  expect(openKeystore(keystore, new Date('2099-01-01')).kind).toBe('expired')
})

test('a broken file is a broken file, wherever it breaks', () => {
  for (const [name, type] of [
    ['rsa.p12', 'PKCS12'],
    ['rsa.jks', 'JKS'],
  ] as const) {
    const whole = file(name)
    for (let length = 0; length < whole.length; length += 37)
      expect(open(whole.subarray(0, length), type).kind).toBe('invalid-format')
    for (let at = 0; at < whole.length; at += 101) {
      const bent = Buffer.from(whole)
      bent[at] = bent[at]! ^ 0xff
      expect(['invalid-format', 'wrong-password', 'unsupported']).toContain(open(bent, type).kind)
    }
  }
})
