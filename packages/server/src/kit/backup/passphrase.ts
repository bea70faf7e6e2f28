import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { sealWith } from '../seal.ts'

const context = 'secret key of a backup'
const derive = promisify(scrypt) as (
  passphrase: string,
  salt: Buffer,
  bytes: number,
  cost: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>
/** A tenth of a second and 128 MB a guess. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

/** Distinguishes two keys without showing them. */
export const keyFingerprint = (key: Buffer): string => sealWith(key).fingerprints[0]

export type PassphraseSealed = { salt: string; bytes: string }

export async function sealByPassphrase(key: Buffer, passphrase: string): Promise<PassphraseSealed> {
  const salt = randomBytes(16)
  const seal = sealWith(await derive(passphrase, salt, 32, cost))
  return {
    salt: salt.toString('base64'),
    bytes: seal.close(key.toString('base64'), context).toString('base64'),
  }
}

/** The key; null when the passphrase is another one. */
export async function openByPassphrase(sealed: PassphraseSealed, passphrase: string): Promise<Buffer | null> {
  const seal = sealWith(await derive(passphrase, Buffer.from(sealed.salt, 'base64'), 32, cost))
  const text = seal.open(Buffer.from(sealed.bytes, 'base64'), context)
  return text === null ? null : Buffer.from(text, 'base64')
}
