import { existsSync } from 'node:fs'
import { writeBackup } from '../../kit/backup/write.ts'
import { getSealKey } from '../../kit/seal.ts'
import { endProgress, parseFileAndFlags, writeProgress, exitWithMessage, readSettingsOrExit, withDatabase } from './command.ts'
import { openObjectFolder, getObjectTarget, filterOwnObjects } from '../object-store.ts'
import { openDatabase } from '../../kit/database.ts'
import type { MonitorTables } from '../../monitor/database.ts'
import { assertOwnFolder } from '../../monitor/page/object/service.ts'
import { readProductVersion } from '../version.ts'

const usageMessage = 'Usage: clearway backup FILE'

/** Writes the whole database, and with a passphrase the secret key, into a file, whether the server runs or not. */
async function main(): Promise<void> {
  const { file: backupFile } = parseFileAndFlags(usageMessage)
  if (existsSync(backupFile)) exitWithMessage(`${backupFile} is there already. Give the backup a name of its own.`)
  const config = readSettingsOrExit()
  const secretKey = getSealKey({ setting: config.CLEARWAY_SECRET_KEY, folder: config.CLEARWAY_DATA })
  const backupPassphrase = config.CLEARWAY_BACKUP_PASSPHRASE
  const objectsFolder = openObjectFolder(config)
  const backupResult = await withDatabase(config, async (url) => {
    const monitorDb = openDatabase<MonitorTables>(url, { schema: 'monitor', connections: 1 })
    try {
      await assertOwnFolder({ db: monitorDb }, objectsFolder)
    } finally {
      await monitorDb.destroy()
    }
    return writeBackup({
      url,
      file: backupFile,
      product: readProductVersion(),
      key: secretKey,
      passphrase: backupPassphrase,
      objects: filterOwnObjects(objectsFolder),
      ...(writeProgress && { onTable: writeProgress }),
    })
  })
  endProgress()
  const megabytesText = (backupResult.bytes / 1_000_000).toFixed(1)
  console.log(
    `Backup written to ${backupFile}: ${backupResult.tables} tables, ${backupResult.rows} rows, ${backupResult.objects} objects, ${megabytesText} MB.`,
  )
  if (getObjectTarget(config) === 's3')
    console.log('Objects in S3 are not included. Enable versioning of the bucket, or copy it at least once a day.')
  const keyLocation = config.CLEARWAY_SECRET_KEY === null ? `${config.CLEARWAY_DATA}/secret-key` : 'CLEARWAY_SECRET_KEY'
  console.log(
    backupPassphrase === null
      ? `The secret key is not included. Keep ${keyLocation} in another place: without it, stored passwords and secrets are lost.`
      : 'The secret key is included, sealed with CLEARWAY_BACKUP_PASSPHRASE.',
  )
}

await main()
