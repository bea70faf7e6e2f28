import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { KeystoreType } from '@clearway/contract/monitor/session/schema.ts'
import { readJks } from './jks.ts'
import { readPkcs12, type Contents, type ReadStore } from './pkcs12.ts'

/** Everything that can come of opening a keystore. */
export type OpenedKeystore =
  | {
      kind: 'opened'
      /** PEM: the certificate, then those that lead up to its authority, without the authority's own. */
      chain: string[]
      /** PEM, PKCS8, not encrypted: a secret. */
      key: string
      subject: string
      /** ISO 8601. */ validFrom: string
      validTo: string
    }
  | { kind: 'invalid-format' }
  | { kind: 'wrong-password' }
  | { kind: 'other-key-password' }
  | { kind: 'no-key' }
  | { kind: 'several-keys'; count: number }
  | { kind: 'no-certificate' }
  | { kind: 'expired'; at: string }
  | { kind: 'not-yet-valid'; at: string }
  /** `what`: the algorithm that this program does not know. */
  | { kind: 'unsupported'; what: string }

const readers: Readonly<Record<KeystoreType, (bytes: Uint8Array, password: string) => ReadStore>> = {
  JKS: readJks,
  PKCS12: readPkcs12,
}

function keyOf(der: Buffer): KeyObject | null {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return null
  }
}

function certificateOf(der: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(der)
  } catch {
    return null
  }
}

const isRoot = (certificate: X509Certificate): boolean => certificate.checkIssued(certificate)

/** A root stays out: the browser's driver would trust a site by it. */
function chainOf(leaf: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const chain = [leaf]
  for (let last = leaf; chain.length < 10; last = chain.at(-1)!) {
    const next = others.find((other) => !chain.includes(other) && last.checkIssued(other) && !isRoot(other))
    if (!next) break
    chain.push(next)
  }
  return chain
}

function pick({ keys, certificates }: Contents, now: Date): OpenedKeystore {
  if (keys.length === 0) return { kind: 'no-key' }
  if (keys.length > 1) return { kind: 'several-keys', count: keys.length }
  const key = keyOf(keys[0]!)
  if (!key) return { kind: 'unsupported', what: 'private key' }
  const readable = certificates.map(certificateOf).filter((one) => one !== null)
  const leaf = readable.find((certificate) => certificate.checkPrivateKey(key))
  if (!leaf) return { kind: 'no-certificate' }
  const validFrom = new Date(leaf.validFrom)
  const validTo = new Date(leaf.validTo)
  if (validTo < now) return { kind: 'expired', at: validTo.toISOString() }
  if (validFrom > now) return { kind: 'not-yet-valid', at: validFrom.toISOString() }
  return {
    kind: 'opened',
    chain: chainOf(leaf, readable).map(String),
    key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    subject: leaf.subject.split('\n').join(', '),
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
  }
}

/**
 * Opens a keystore and takes out its one private key with the certificates that belong to it. What can be wrong with a file
 * or a password is a value; never throws.
 */
export function openKeystore(
  keystore: { bytes: Uint8Array; type: KeystoreType; password: string },
  now = new Date(),
): OpenedKeystore {
  const read = readers[keystore.type](keystore.bytes, keystore.password)
  return read.kind === 'read' ? pick(read.contents, now) : read
}

/** What is wrong with a keystore, for people. */
export const keystoreTexts: Readonly<Record<Exclude<OpenedKeystore['kind'], 'opened'>, string>> = {
  'invalid-format': 'Invalid keystore format!',
  'wrong-password': 'Incorrect password!',
  'other-key-password': 'The key in the keystore has a password of its own',
  'no-key': 'The keystore holds no private key',
  'several-keys': 'The keystore holds more than one private key',
  'no-certificate': 'The keystore holds no certificate for its key',
  expired: 'The certificate in the keystore has expired',
  'not-yet-valid': 'The certificate in the keystore is not valid yet',
  unsupported: 'The keystore is encrypted in a way that is not known here',
}
