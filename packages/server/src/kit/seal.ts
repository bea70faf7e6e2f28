import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const formatVersion = 1

export type Seal = {
  /** `context` names the owner of the secret: it cannot be opened in another context. */
  close: (text: string, context: string) => Buffer
  /** Null if the key is wrong or the bytes were changed. */
  open: (sealed: Buffer, context: string) => string | null
  /** Reseals a secret of an older key with the current one; null if it is current already, or no key opens it. */
  renewed: (sealed: Buffer, context: string) => Buffer | null
  /** A secret for one purpose, shared by processes with the same key. */
  derived: (purpose: string) => string
  /** Fingerprints of the keys, which reveal nothing about them; the current one first. */
  fingerprints: readonly [string, ...string[]]
}
type KeyOperations = Pick<Seal, 'close' | 'open'>

const computeFingerprint = (key: Buffer): string =>
  createHmac('sha256', key).update('clearway secret key').digest('hex').slice(0, 32)

/** Creates a seal from keys: the first one seals, all of them open. */
export function createSeal(key: Buffer, ...olderKeys: readonly Buffer[]): Seal {
  const currentKey = createKeyOperations(key)
  const previousKeys = olderKeys.map(createKeyOperations)
  const openWithOldKeys = (sealed: Buffer, context: string): string | null => {
    for (const oldKey of previousKeys) {
      const openedText = oldKey.open(sealed, context)
      if (openedText !== null) return openedText
    }
    return null
  }
  return {
    close: currentKey.close,
    open: (sealed, context) => currentKey.open(sealed, context) ?? openWithOldKeys(sealed, context),
    renewed: (sealed, context) => {
      const oldText = currentKey.open(sealed, context) === null ? openWithOldKeys(sealed, context) : null
      return oldText === null ? null : currentKey.close(oldText, context)
    },
    derived: (purpose) => createHmac('sha256', key).update(`clearway secret for ${purpose}`).digest('base64url'),
    fingerprints: [computeFingerprint(key), ...olderKeys.map(computeFingerprint)],
  }
}

/** AES-256-GCM with a new random nonce each time; the context is authenticated. */
function createKeyOperations(key: Buffer): KeyOperations {
  return {
    close: (text, context) => {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const encryptedText = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(formatVersion), iv, cipher.getAuthTag(), encryptedText])
    },
    open: (sealed, context) => {
      const headerBytes = 1 + ivBytes + tagBytes
      if (sealed.length < headerBytes || sealed[0] !== formatVersion) return null
      try {
        const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + ivBytes))
        cipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(1 + ivBytes, headerBytes))
        return Buffer.concat([cipher.update(sealed.subarray(headerBytes)), cipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

const getKeyPath = (folder: string) => join(folder, 'secret-key')

export const formatKey = (key: Buffer): string => `${key.toString('base64')}\n`

export function readFolderKey(folder: string): Buffer | null {
  const keyPath = getKeyPath(folder)
  if (!existsSync(keyPath)) return null
  const folderKey = Buffer.from(readFileSync(keyPath, 'utf8').trim(), 'base64')
  if (folderKey.length !== keyBytes) throw new Error(`${keyPath} does not hold a key of ${keyBytes} bytes in base64`)
  return folderKey
}

/** Codes of file systems without links. */
const linklessCodes: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'ENOSYS']

/** Creates a file with its content at once: a process that starts at the same time would read an empty one. */
function createWhole(path: string, content: string): void {
  const partPath = `${path}.${process.pid}-${threadId}`
  try {
    writeFileSync(partPath, content, { mode: 0o600, flush: true })
    linkSync(partPath, path)
  } catch (error) {
    if (!linklessCodes.includes((error as NodeJS.ErrnoException).code)) throw error
    writeFileSync(path, content, { mode: 0o600, flag: 'wx', flush: true })
  } finally {
    rmSync(partPath, { force: true })
  }
}

function ensureKeyInFolder(folder: string): Buffer {
  const existingKey = readFolderKey(folder)
  if (existingKey) return existingKey
  try {
    createWhole(getKeyPath(folder), formatKey(randomBytes(keyBytes)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFolderKey(folder)!
}

/** The key that seals: the configured one, else the one of the data folder. */
export const getSealKey = ({ setting, folder }: { setting: string | null; folder: string }): Buffer =>
  setting === null ? ensureKeyInFolder(folder) : Buffer.from(setting, 'base64')

/**
 * Opens the seal with the configured key, else with `secret-key` of the data folder, created at the first start. Machines that
 * share a database share the setting. Older keys still open their secrets: the configured old key, and the one of the folder.
 */
export function openSeal(options: { setting: string | null; old?: string | null; folder: string }): Seal {
  const { setting, old: oldSetting = null, folder } = options
  const currentKey = getSealKey({ setting, folder })
  const olderKeys = [
    oldSetting === null ? null : Buffer.from(oldSetting, 'base64'),
    setting === null ? null : readFolderKey(folder),
  ]
  return createSeal(currentKey, ...olderKeys.filter((key) => key !== null))
}
