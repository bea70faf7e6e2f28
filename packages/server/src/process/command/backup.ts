import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { getDatedName, rotateBackups } from '../../kit/backup/rotation.ts'
import { BackupError } from '../../kit/backup/schema.ts'
import { verifyBackup } from '../../kit/backup/verify.ts'
import { writeBackup } from '../../kit/backup/write.ts'
import { writeLogLine } from '../../kit/log.ts'
import { getSealKey } from '../../kit/seal.ts'
import { endProgress, parseFileAndFlags, writeProgress, exitWithMessage, readSettingsOrExit, withDatabase } from './command.ts'
import { openObjectFolder, getObjectTarget, filterOwnObjects } from '../object-store.ts'
import { openDatabase } from '../../kit/database.ts'
import type { MonitorTables } from '../../monitor/database.ts'
import { assertOwnFolder } from '../../monitor/page/object/service.ts'
import { allMigrations } from '../../migrations/all.ts'
import { describeStartFault } from '../start-fault.ts'
import { describeProgram } from '../version.ts'
import { hasKeyOf, openBackupKey } from './backup-key.ts'

const usageMessage = `Usage: clearway backup FILE|FOLDER [--keep N]
       clearway backup --verify FILE

Writes the database, and the objects of the folder, into a file, whether Clearway runs or not.
  FOLDER      writes clearway-<time>.backup into this folder
  --keep N    afterwards verifies the new backup, then removes all but the N newest ones of this installation
  --verify    reads a backup as a restore does, with its checksums, without a database
CLEARWAY_BACKUP_PASSPHRASE includes the secret key, sealed.`

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The number of backups to keep; null to keep all. */
function parseKeptCount(option: string | boolean | undefined, path: string): number | null {
  if (option === undefined) return null
  if (typeof option !== 'string' || !/^[1-9]\d{0,4}$/.test(option))
    exitWithMessage(`--keep takes a number from 1 to 99999.\n${usageMessage}`)
  if (!isFolder(path)) exitWithMessage(`--keep needs a folder, and ${path} is none.`)
  return Number(option)
}

const formatMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

const keyAdvice = 'restored without its key, stored passwords and secrets are lost.'

async function verify(config: Config, backupFile: string): Promise<void> {
  try {
    const { head, tables, rows, objects } = await verifyBackup(backupFile, allMigrations)
    const backupKey = await openBackupKey(head, config.CLEARWAY_BACKUP_PASSPHRASE)
    const program = head.build === undefined ? head.product : `${head.product} (build ${head.build})`
    console.log(
      `${backupFile} is intact and can be restored: ${tables} tables, ${rows} rows, ${objects} objects, as they were on ${head.createdAt}, by Clearway ${program}.`,
    )
    const keyText =
      backupKey !== null
        ? 'Its secret key opens with CLEARWAY_BACKUP_PASSPHRASE.'
        : head.secretKey.sealed !== null
          ? 'It contains the secret key; set CLEARWAY_BACKUP_PASSPHRASE to verify that it opens.'
          : hasKeyOf(config, head)
            ? 'It does not contain the secret key; the one of this machine fits.'
            : null
    if (keyText === null)
      exitWithMessage(`${backupFile} does not contain the secret key, and the one of this machine does not fit: ${keyAdvice}`)
    console.log(keyText)
  } catch (error) {
    if (error instanceof BackupError) exitWithMessage(error.message)
    const faultMessage = describeStartFault(error, config)
    if (faultMessage !== null) exitWithMessage(faultMessage)
    throw error
  }
}

async function write(config: Config, backupFile: string): Promise<void> {
  const secretKey = getSealKey({ setting: config.CLEARWAY_SECRET_KEY, folder: config.CLEARWAY_DATA })
  const backupPassphrase = config.CLEARWAY_BACKUP_PASSPHRASE
  const objectsFolder = openObjectFolder(config)
  const startedAt = performance.now()
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
      program: describeProgram(),
      key: secretKey,
      passphrase: backupPassphrase,
      objects: filterOwnObjects(objectsFolder),
      ...(writeProgress && { onTable: writeProgress }),
    })
  })
  endProgress()
  // A timer's journal is read by programs, too.
  if (!process.stderr.isTTY)
    writeLogLine('info', 'backup done', {
      file: backupFile,
      ...backupResult,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    })
  console.log(
    `Backup written to ${backupFile}: ${backupResult.tables} tables, ${backupResult.rows} rows, ${backupResult.objects} objects, ${formatMegabytes(backupResult.bytes)} MB.`,
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

async function main(): Promise<void> {
  const { file: target, flags } = parseFileAndFlags(usageMessage, { keep: { type: 'string' }, verify: { type: 'boolean' } })
  if (flags.verify && flags.keep !== undefined) exitWithMessage(usageMessage)
  const config = readSettingsOrExit()
  if (flags.verify) return verify(config, target)
  const keptCount = parseKeptCount(flags.keep, target)
  const backupFile = isFolder(target) ? join(target, getDatedName(new Date())) : target
  if (existsSync(backupFile)) exitWithMessage(`${backupFile} is there already. Give the backup a name of its own.`)
  await write(config, backupFile)
  if (keptCount === null) return
  // A backup that cannot be restored must not replace one that can.
  await verify(config, backupFile)
  const rotation = await rotateBackups(target, { keptCount, newFile: backupFile })
  for (const removedFile of rotation.removed) console.log(`Removed ${removedFile}.`)
  for (const foreignFile of rotation.foreign)
    console.log(`Left ${foreignFile}: it cannot be read, or another installation or secret key wrote it.`)
}

await main()
