import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const version = 1

/** Encrypts what must not be in the database in the clear. */
export type Seal = {
  /** `context` says whose secret it is: what was sealed for one cannot be opened as another's. */
  close: (text: string, context: string) => Buffer
  /** Null when the key is another one, or the bytes were changed. */
  open: (sealed: Buffer, context: string) => string | null
  /** What an older key sealed, sealed by the key of now; null when that is what it is, or no key opens it. */
  renewed: (sealed: Buffer, context: string) => Buffer | null
  /** A secret that processes with the same key share, made for one purpose. */
  derived: (purpose: string) => string
  /** Fingerprints of its keys, which reveal nothing about them; the current one first. */
  fingerprints: readonly [string, ...string[]]
}
type Key = Pick<Seal, 'close' | 'open'>

const fingerprintOf = (key: Buffer): string =>
  createHmac('sha256', key).update('clearway secret key').digest('hex').slice(0, 32)

/** The first key seals; all of them open. */
export function sealWith(key: Buffer, ...older: readonly Buffer[]): Seal {
  const now = keyOf(key)
  const before = older.map(keyOf)
  const openOld = (sealed: Buffer, context: string): string | null => {
    for (const old of before) {
      const text = old.open(sealed, context)
      if (text !== null) return text
    }
    return null
  }
  return {
    close: now.close,
    open: (sealed, context) => now.open(sealed, context) ?? openOld(sealed, context),
    renewed: (sealed, context) => {
      const text = now.open(sealed, context) === null ? openOld(sealed, context) : null
      return text === null ? null : now.close(text, context)
    },
    derived: (purpose) =>
      createHmac('sha256', key).update(`clearway secret for ${purpose}`).digest('base64url'),
    fingerprints: [fingerprintOf(key), ...older.map(fingerprintOf)],
  }
}

/** AES-256-GCM with a fresh nonce each time; the context is authenticated. */
function keyOf(key: Buffer): Key {
  return {
    close: (text, context) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body])
    },
    open: (sealed, context) => {
      const head = 1 + ivBytes + tagBytes
      if (sealed.length < head || sealed[0] !== version) return null
      try {
        const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + ivBytes))
        cipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(1 + ivBytes, head))
        return Buffer.concat([cipher.update(sealed.subarray(head)), cipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

const fileOf = (folder: string) => join(folder, 'secret-key')

/** A key as its file and the settings have it. */
export const keyText = (key: Buffer): string => `${key.toString('base64')}\n`

/** The key of the data folder, or null. */
export function keyInFolder(folder: string): Buffer | null {
  const file = fileOf(folder)
  if (!existsSync(file)) return null
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== keyBytes) throw new Error(`${file} does not hold a key of ${keyBytes} bytes in base64`)
  return key
}

/** The key of the data folder, made when there is none. */
function ensureKeyInFolder(folder: string): Buffer {
  try {
    // Made or not made, never half: two processes that start at once have one key.
    writeFileSync(fileOf(folder), keyText(randomBytes(keyBytes)), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return keyInFolder(folder)!
}

/** The key that seals: that of the settings, else that of the data folder. */
export const sealKeyOf = ({ setting, folder }: { setting: string | null; folder: string }): Buffer =>
  setting === null ? ensureKeyInFolder(folder) : Buffer.from(setting, 'base64')

/**
 * The key: that of the settings, else one made at the first start and kept in `secret-key` in the data folder, for the
 * owner's eyes only. Machines that share a database share the setting. Older keys still open what they sealed: the old one
 * of the settings, and that of the folder.
 */
export function openSeal(options: { setting: string | null; old?: string | null; folder: string }): Seal {
  const { setting, old = null, folder } = options
  const first = sealKeyOf({ setting, folder })
  const older = [
    old === null ? null : Buffer.from(old, 'base64'),
    setting === null ? null : keyInFolder(folder),
  ]
  return sealWith(first, ...older.filter((key) => key !== null))
}
