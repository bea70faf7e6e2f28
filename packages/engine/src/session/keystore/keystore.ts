import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { KeystoreType } from '@clearway/contract/monitor/session/schema.ts'
import { readJks } from './jks.ts'
import { readPkcs12, type KeystoreContents, type ReadKeystoreResult } from './pkcs12.ts'

/** All possible results of opening a keystore. */
export type OpenedKeystore =
  | {
      kind: 'opened'
      /** PEM: the certificate and its intermediates, without the root. */
      chain: string[]
      /** PEM, PKCS8, unencrypted: a secret. */
      key: string
      subject: string
      /** ISO 8601. */
      validFrom: string
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
  /** `what`: the unsupported algorithm. */
  | { kind: 'unsupported'; what: string }

const keystoreReaders: Readonly<Record<KeystoreType, (bytes: Uint8Array, password: string) => ReadKeystoreResult>> = {
  JKS: readJks,
  PKCS12: readPkcs12,
}

function parsePrivateKey(der: Buffer): KeyObject | null {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return null
  }
}

function parseCertificate(der: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(der)
  } catch {
    return null
  }
}

const isRootCertificate = (certificate: X509Certificate): boolean => certificate.checkIssued(certificate)

/** Builds the chain without the root: the browser's driver would trust sites through it. */
function buildChain(leafCertificate: X509Certificate, otherCertificates: readonly X509Certificate[]): X509Certificate[] {
  const certificateChain = [leafCertificate]
  for (let lastCertificate = leafCertificate; certificateChain.length < 10; lastCertificate = certificateChain.at(-1)!) {
    const issuerCertificate = otherCertificates.find(
      (candidate) =>
        !certificateChain.includes(candidate) && lastCertificate.checkIssued(candidate) && !isRootCertificate(candidate),
    )
    if (!issuerCertificate) break
    certificateChain.push(issuerCertificate)
  }
  return certificateChain
}

function selectKey({ keys, certificates }: KeystoreContents, referenceTime: Date): OpenedKeystore {
  if (keys.length === 0) return { kind: 'no-key' }
  if (keys.length > 1) return { kind: 'several-keys', count: keys.length }
  const privateKey = parsePrivateKey(keys[0]!)
  if (!privateKey) return { kind: 'unsupported', what: 'private key' }
  const readableCertificates = certificates.map(parseCertificate).filter((certificate) => certificate !== null)
  const leafCertificate = readableCertificates.find((certificate) => certificate.checkPrivateKey(privateKey))
  if (!leafCertificate) return { kind: 'no-certificate' }
  const validFrom = new Date(leafCertificate.validFrom)
  const validTo = new Date(leafCertificate.validTo)
  if (validTo < referenceTime) return { kind: 'expired', at: validTo.toISOString() }
  if (validFrom > referenceTime) return { kind: 'not-yet-valid', at: validFrom.toISOString() }
  return {
    kind: 'opened',
    chain: buildChain(leafCertificate, readableCertificates).map(String),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    subject: leafCertificate.subject.split('\n').join(', '),
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
  }
}

/**
 * Opens a keystore and returns its only private key with the matching certificates. Problems with the file or password
 * are returned as values; never throws.
 */
export function openKeystore(
  keystore: { bytes: Uint8Array; type: KeystoreType; password: string },
  referenceTime = new Date(),
): OpenedKeystore {
  const readResult = keystoreReaders[keystore.type](keystore.bytes, keystore.password)
  return readResult.kind === 'read' ? selectKey(readResult.contents, referenceTime) : readResult
}

/** Problem with a keystore, for users. */
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
