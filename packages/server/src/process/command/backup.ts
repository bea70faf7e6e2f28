import { existsSync } from 'node:fs'
import { writeBackup } from '../../kit/backup/write.ts'
import { sealKeyOf } from '../../kit/seal.ts'
import { endProgress, fileAndFlags, progress, refuse, settingsOf, withDatabase } from './command.ts'
import { objectFolder, objectTarget, ownObjects } from '../object-store.ts'
import { openDatabase } from '../../kit/database.ts'
import type { MonitorTables } from '../../monitor/database.ts'
import { checkFolder } from '../../monitor/page/object/service.ts'
import { productVersion } from '../version.ts'

const usage = 'Usage: clearway backup FILE'

/** Writes all of the database, and the secret key if it may, into a file, while the server runs or not. */
async function main(): Promise<void> {
  const { file } = fileAndFlags(usage)
  if (existsSync(file)) refuse(`${file} is there already. Give the backup a name of its own.`)
  const config = settingsOf()
  const key = sealKeyOf({ setting: config.CLEARWAY_SECRET_KEY, folder: config.CLEARWAY_DATA })
  const passphrase = config.CLEARWAY_BACKUP_PASSPHRASE
  const folder = objectFolder(config)
  const done = await withDatabase(config, async (url) => {
    const db = openDatabase<MonitorTables>(url, { schema: 'monitor', connections: 1 })
    try {
      await checkFolder({ db }, folder)
    } finally {
      await db.destroy()
    }
    return writeBackup({
      url,
      file,
      product: productVersion(),
      key,
      passphrase,
      objects: ownObjects(folder),
      ...(progress && { onTable: progress }),
    })
  })
  endProgress()
  const megabytes = (done.bytes / 1_000_000).toFixed(1)
  console.log(
    `Backup written to ${file}: ${done.tables} tables, ${done.rows} rows, ${done.objects} objects, ${megabytes} MB.`,
  )
  if (objectTarget(config) === 's3')
    console.log('What is in S3 is not in it. Let the bucket keep versions, or copy it, at least once a day.')
  const kept =
    config.CLEARWAY_SECRET_KEY === null ? `${config.CLEARWAY_DATA}/secret-key` : 'CLEARWAY_SECRET_KEY'
  console.log(
    passphrase === null
      ? `The secret key is not in it. Keep ${kept} in another place: without it the stored passwords and secrets are lost.`
      : 'The secret key is in it, sealed with CLEARWAY_BACKUP_PASSPHRASE.',
  )
}

await main()
