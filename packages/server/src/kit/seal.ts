import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const version = 1

/** Encrypts what must not stand in the database in the clear. */
export type Seal = {
  /** `context` says whose secret it is: what was sealed for one cannot be opened as another's. */
  close: (text: string, context: string) => Buffer
  /** Null when the key is another one, or the bytes were changed. */
  open: (sealed: Buffer, context: string) => string | null
}

/** AES-256-GCM with a fresh nonce each time; the context is authenticated. */
export function sealWith(key: Buffer): Seal {
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

/**
 * The key: that of the settings, else one made at the first start and kept in `secret-key` in the data folder, for the
 * owner's eyes only. Machines that share a database share the setting.
 */
export function openSeal(options: { setting: string | null; folder: string }): Seal {
  if (options.setting !== null) return sealWith(Buffer.from(options.setting, 'base64'))
  const file = join(options.folder, 'secret-key')
  try {
    // Made or not made, never half: two processes that start at once have one key.
    writeFileSync(file, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== keyBytes) throw new Error(`${file} does not hold a key of ${keyBytes} bytes in base64`)
  return sealWith(key)
}
