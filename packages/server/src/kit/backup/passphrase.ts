import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { createSeal } from '../seal.ts'

const sealContext = 'secret key of a backup'
const deriveKey = promisify(scrypt) as (
  passphrase: string,
  salt: Buffer,
  bytes: number,
  cost: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>
/** Costs 0.1 s and 128 MB per guess. */
const scryptParameters = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

/** A fingerprint that distinguishes keys without revealing them. */
export const computeKeyFingerprint = (key: Buffer): string => createSeal(key).fingerprints[0]

export type PassphraseSealedKey = { salt: string; bytes: string }

export async function sealWithPassphrase(key: Buffer, passphrase: string): Promise<PassphraseSealedKey> {
  const randomSalt = randomBytes(16)
  const passphraseSeal = createSeal(await deriveKey(passphrase, randomSalt, 32, scryptParameters))
  return {
    salt: randomSalt.toString('base64'),
    bytes: passphraseSeal.close(key.toString('base64'), sealContext).toString('base64'),
  }
}

/** The opened key; null for a wrong passphrase. */
export async function openWithPassphrase(sealedKey: PassphraseSealedKey, passphrase: string): Promise<Buffer | null> {
  const passphraseSeal = createSeal(await deriveKey(passphrase, Buffer.from(sealedKey.salt, 'base64'), 32, scryptParameters))
  const keyText = passphraseSeal.open(Buffer.from(sealedKey.bytes, 'base64'), sealContext)
  return keyText === null ? null : Buffer.from(keyText, 'base64')
}
