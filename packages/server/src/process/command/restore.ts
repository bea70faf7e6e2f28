import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { computeKeyFingerprint } from '../../kit/backup/passphrase.ts'
import { readBackupHead, restoreBackup } from '../../kit/backup/read.ts'
import { BackupError, type BackupHead } from '../../kit/backup/schema.ts'
import type { ObjectStore } from '../../kit/object-store/store.ts'
import { readFolderKey, formatKey } from '../../kit/seal.ts'
import { forgetHead } from '../../monitor/audit/seal/service.ts'
import { markObjectName } from '../../monitor/page/object/model.ts'
import { allMigrations } from '../../migrations/all.ts'
import type { Config } from '../../config.ts'
import { openObjectFolder } from '../object-store.ts'
import { hasKeyOf, openBackupKey } from './backup-key.ts'
import { endProgress, parseFileAndFlags, writeProgress, exitWithMessage, readSettingsOrExit, withDatabase } from './command.ts'

const usageMessage = `Usage: clearway restore FILE [--replace]

Restores the database, and the objects of the folder, from a backup; Clearway must be stopped. The database must be empty.
  --replace   discard what is in the database
CLEARWAY_BACKUP_PASSPHRASE takes the secret key out of the backup.`

/** Stores the backup's key for the next start. A previous key is renamed. */
async function storeKey(folder: string, key: Buffer, head: BackupHead): Promise<void> {
  const keyFile = join(folder, 'secret-key')
  const existingKey = readFolderKey(folder)
  if (existingKey && computeKeyFingerprint(existingKey) === head.secretKey.fingerprint) return
  if (existingKey) await rename(keyFile, `${keyFile}.before-${head.createdAt.replaceAll(':', '-')}`)
  await writeFile(keyFile, formatKey(key), { mode: 0o600, flag: 'wx' })
}

/** A store that delays changes of its database mark until `record`, so that a failed restore changes neither. */
function delayMark(store: ObjectStore) {
  let delayedMark: Uint8Array | null = null
  const putObject: ObjectStore['put'] = async (name, bytes) => {
    if (name === markObjectName) delayedMark = bytes
    else await store.put(name, bytes)
  }
  const recordMark = () => (delayedMark ? store.put(markObjectName, delayedMark) : store.remove([markObjectName]))
  return { store: { ...store, put: putObject }, record: recordMark }
}

/** Instructions for the operator when the current key differs from the backup's; null if it matches. */
function describeMissingKey(config: Config, head: BackupHead): string | null {
  const { CLEARWAY_SECRET_KEY: keySetting, CLEARWAY_DATA: dataFolder } = config
  if (hasKeyOf(config, head)) return null
  const instruction =
    keySetting === null ? `put the secret-key of that time into ${dataFolder}` : 'set CLEARWAY_SECRET_KEY to the key of that time'
  return `The secret key here is not that of the backup. Before you start Clearway, ${instruction}.`
}

async function main(): Promise<void> {
  const { file: backupFile, flags: commandFlags } = parseFileAndFlags(usageMessage, { replace: { type: 'boolean' } })
  if (!existsSync(backupFile)) exitWithMessage(`${backupFile} does not exist.`)
  const config = readSettingsOrExit()
  const backupHead = await readBackupHead(backupFile).catch((error: unknown) => {
    if (error instanceof BackupError) exitWithMessage(error.message)
    throw error
  })
  const backupKey = await openBackupKey(backupHead, config.CLEARWAY_BACKUP_PASSPHRASE)
  const shouldReplace = commandFlags.replace === true
  const objectsFolder = delayMark(openObjectFolder(config))
  const restoreResult = await withDatabase(
    config,
    (url) =>
      restoreBackup({
        url,
        file: backupFile,
        migrations: allMigrations,
        replace: shouldReplace,
        objects: objectsFolder.store,
        ...(writeProgress && { onTable: writeProgress }),
      }),
    { alone: true },
  )
  await objectsFolder.record()
  await forgetHead(config.CLEARWAY_DATA)
  if (backupKey && config.CLEARWAY_SECRET_KEY === null) await storeKey(config.CLEARWAY_DATA, backupKey, backupHead)
  endProgress()
  console.log(
    `Restored ${restoreResult.tables} tables, ${restoreResult.rows} rows, ${restoreResult.objects} objects, as they were on ${backupHead.createdAt}. Start Clearway to go on.`,
  )
  const keyInstruction = describeMissingKey(config, backupHead)
  if (keyInstruction !== null) console.log(keyInstruction)
}

await main()
