import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keyFingerprint, openByPassphrase } from '../../kit/backup/passphrase.ts'
import { readHead, restoreBackup } from '../../kit/backup/read.ts'
import { BackupError, type BackupHead } from '../../kit/backup/schema.ts'
import type { ObjectStore } from '../../kit/object-store/store.ts'
import { keyInFolder, keyText, sealKeyOf } from '../../kit/seal.ts'
import { markName } from '../../monitor/page/object/model.ts'
import { allMigrations } from '../database.ts'
import type { Config } from '../../config.ts'
import { objectFolder } from '../object-store.ts'
import { endProgress, fileAndFlags, progress, refuse, settingsOf, withDatabase } from './command.ts'

const usage = 'Usage: clearway restore FILE [--replace]'

/** The key that the backup needs, where it has one and the passphrase opens it. */
async function keyOf(head: BackupHead, passphrase: string | null): Promise<Buffer | null> {
  const { sealed } = head.secretKey
  if (sealed === null || passphrase === null) return null
  const key = await openByPassphrase(sealed, passphrase)
  if (key === null) refuse('CLEARWAY_BACKUP_PASSPHRASE is not the passphrase of this backup.')
  return key
}

/** Puts the key of the backup where the next start looks for it. What it replaces is kept beside it. */
async function placeKey(folder: string, key: Buffer, head: BackupHead): Promise<void> {
  const file = join(folder, 'secret-key')
  const there = keyInFolder(folder)
  if (there && keyFingerprint(there) === head.secretKey.fingerprint) return
  if (there) await rename(file, `${file}.before-${head.createdAt.replaceAll(':', '-')}`)
  await writeFile(file, keyText(key), { mode: 0o600, flag: 'wx' })
}

/** A store in which the mark of its database changes when that has changed: a restore that fails changes neither. */
function keepingMark(store: ObjectStore) {
  let mark: Uint8Array | null = null
  const put: ObjectStore['put'] = async (name, bytes) => {
    if (name === markName) mark = bytes
    else await store.put(name, bytes)
  }
  const record = () => (mark ? store.put(markName, mark) : store.remove([markName]))
  return { store: { ...store, put }, record }
}

/** What to do about the key, when the database is there and its key is not. */
function missingKey(config: Config, head: BackupHead): string | null {
  const { CLEARWAY_SECRET_KEY: setting, CLEARWAY_DATA: folder } = config
  const own = setting === null ? keyInFolder(folder) : sealKeyOf({ setting, folder })
  if (own && keyFingerprint(own) === head.secretKey.fingerprint) return null
  const where =
    setting === null
      ? `put the secret-key of then into ${folder}`
      : 'set CLEARWAY_SECRET_KEY to the key of then'
  return `The secret key here is not that of the backup. Before you start Clearway, ${where}.`
}

/** Makes the database what a backup says. */
async function main(): Promise<void> {
  const { file, flags } = fileAndFlags(usage, ['replace'])
  if (!existsSync(file)) refuse(`${file} is not there.`)
  const config = settingsOf()
  const head = await readHead(file).catch((error: unknown) => {
    if (error instanceof BackupError) refuse(error.message)
    throw error
  })
  const key = await keyOf(head, config.CLEARWAY_BACKUP_PASSPHRASE)
  const replace = flags.has('replace')
  const folder = keepingMark(objectFolder(config))
  const done = await withDatabase(
    config,
    (url) =>
      restoreBackup({
        url,
        file,
        migrations: allMigrations,
        replace,
        objects: folder.store,
        ...(progress && { onTable: progress }),
      }),
    { alone: true },
  )
  await folder.record()
  if (key && config.CLEARWAY_SECRET_KEY === null) await placeKey(config.CLEARWAY_DATA, key, head)
  endProgress()
  console.log(
    `Restored ${done.tables} tables, ${done.rows} rows, ${done.objects} objects, as they were on ${head.createdAt}. Start Clearway to go on.`,
  )
  const missing = missingKey(config, head)
  if (missing !== null) console.log(missing)
}

await main()
