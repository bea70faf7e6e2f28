import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type ObjectStore, sweepLockName } from '../object-store/store.ts'
import { countLines, maxPartBytes, objectPartPrefix, type ArchivePart, writeArchive } from './archive.ts'
import { computeKeyFingerprint, sealWithPassphrase } from './passphrase.ts'
import { getConnectionOptions, getClientClass } from '../postgres/primary.ts'
import { BackupError, type BackupHead, type BackupTail } from './schema.ts'
import { listMigrations, listSequences, listTables, quoteIdentifier, type BackupTable } from './tables.ts'

/** Ends the name of a backup until it is complete. */
export const partialSuffix = '.part'

export type BackupResult = { tables: number; rows: number; objects: number; bytes: number }

const toDocumentPart = (name: string, value: unknown): ArchivePart => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

/** The rows of a table in PostgreSQL's copy format, in parts. Counts and hashes them. */
async function* exportRows(
  client: pg.Client,
  table: BackupTable,
  onTotal: (total: BackupTail['tables'][number]) => void,
): AsyncGenerator<ArchivePart> {
  const columnList = table.columns.map((name) => quoteIdentifier(name)).join(', ')
  const copyStream = client.query(
    copyTo(`copy (select ${columnList} from ${quoteIdentifier(table.schema, table.name)}) to stdout`),
  )
  const rowsHash = createHash('sha256')
  let [rowCount, partNumber, bufferedBytes] = [0, 0, 0]
  let bufferedChunks: Buffer[] = []
  const flushPart = (): ArchivePart => {
    const partBytes = Buffer.concat(bufferedChunks)
    bufferedChunks = []
    bufferedBytes = 0
    rowsHash.update(partBytes)
    rowCount += countLines(partBytes)
    partNumber += 1
    return { name: `${table.schema}/${table.name}.${String(partNumber).padStart(6, '0')}`, bytes: partBytes }
  }
  for await (const chunk of copyStream as AsyncIterable<Buffer>) {
    for (let offset = 0; offset < chunk.length; offset += maxPartBytes) {
      const chunkSlice = chunk.subarray(offset, offset + maxPartBytes)
      if (bufferedBytes + chunkSlice.length > maxPartBytes) yield flushPart()
      bufferedChunks.push(chunkSlice)
      bufferedBytes += chunkSlice.length
    }
  }
  if (bufferedBytes > 0) yield flushPart()
  onTotal({ rows: rowCount, sha256: rowsHash.digest('hex') })
}

/** Exports the objects of a store: all that the database references, because none is swept until the backup is complete. */
async function* exportObjects(store: ObjectStore, onObject: () => void): AsyncGenerator<ArchivePart> {
  for await (const names of store.list())
    for (const name of names) {
      const objectBytes = await store.get(name)
      // Removed during the backup.
      if (!objectBytes) continue
      onObject()
      yield { name: objectPartPrefix + name, bytes: objectBytes }
    }
}

/** Starts the snapshot of the database, and prevents sweeps of objects until the connection ends. */
async function beginSnapshot(client: pg.Client): Promise<void> {
  // Fixes settings that change the output format.
  await client.query(`set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
    set timezone = 'UTC'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`)
  // Precedes the snapshot, so that no referenced object is missing.
  await client.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [sweepLockName])
  await client.query('begin isolation level repeatable read read only')
}

/**
 * Writes a consistent snapshot of the whole database to a file, while the product keeps running.
 * @param options.program names the writing program
 * @param options.objects a store whose objects are included
 * @param options.key the current secret key; included, sealed, if there is a passphrase
 * @throws BackupError if the file exists or the database is empty
 */
export async function writeBackup(options: {
  url: string
  file: string
  program: Pick<BackupHead, 'product' | 'build'>
  key: Buffer
  passphrase: string | null
  objects?: ObjectStore
  onTable?: (name: string) => void
}): Promise<BackupResult> {
  const { file: backupPath, key, passphrase } = options
  const databaseClient = new (getClientClass(options.url))({
    ...getConnectionOptions(options.url),
    application_name: 'clearway backup',
  })
  databaseClient.on('error', () => undefined)
  await databaseClient.connect()
  const partialPath = `${backupPath}${partialSuffix}`
  let backupTotals = { tables: 0, rows: 0, objects: 0 }
  try {
    await beginSnapshot(databaseClient)
    const backupTables = await listTables(databaseClient)
    if (backupTables.length === 0) throw new BackupError('The database is empty: there is nothing to back up.')
    const backupHead: BackupHead = {
      format: 1,
      ...options.program,
      createdAt: new Date().toISOString(),
      migrations: await listMigrations(databaseClient),
      tables: backupTables,
      secretKey: await toSecretKeyEntry(key, passphrase),
    }
    const generateParts = async function* (): AsyncGenerator<ArchivePart> {
      yield toDocumentPart('backup.json', backupHead)
      const tableTotals: BackupTail['tables'] = []
      for (const table of backupTables) {
        options.onTable?.(`${table.schema}.${table.name}`)
        yield* exportRows(databaseClient, table, (tableTotal) => tableTotals.push(tableTotal))
      }
      const sequenceValues = await listSequences(databaseClient)
      let objectCount = 0
      if (options.objects) yield* exportObjects(options.objects, () => void objectCount++)
      backupTotals = {
        tables: tableTotals.length,
        rows: tableTotals.reduce((rowTotal, { rows }) => rowTotal + rows, 0),
        objects: objectCount,
      }
      const backupTail: BackupTail = { tables: tableTotals, sequences: sequenceValues, objects: objectCount }
      yield toDocumentPart('end.json', backupTail)
    }
    await rm(partialPath, { force: true })
    await writeArchive(partialPath, generateParts())
    await databaseClient.query('commit')
    return { ...backupTotals, bytes: await finalizeFile(partialPath, backupPath) }
  } catch (error) {
    await rm(partialPath, { force: true })
    // A full disk is reported for an open file, without its name.
    throw isSystemError(error) ? Object.assign(error, { path: error.path ?? backupPath }) : error
  } finally {
    await databaseClient.end().catch(() => undefined)
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'errno' in error

/** The secret key's fingerprint, and the key itself if it can be sealed. */
const toSecretKeyEntry = async (key: Buffer, passphrase: string | null): Promise<BackupHead['secretKey']> => ({
  fingerprint: computeKeyFingerprint(key),
  sealed: passphrase === null ? null : await sealWithPassphrase(key, passphrase),
})

/** Moves the complete file to its final name. Returns its size in bytes. */
async function finalizeFile(partialPath: string, backupPath: string): Promise<number> {
  const fileHandle = await open(partialPath)
  const { size: fileBytes } = await fileHandle.stat()
  await fileHandle.close()
  await rename(partialPath, backupPath)
  // Syncs the folder, so that the new name survives a crash.
  const folderHandle = await open(dirname(backupPath)).catch(() => null)
  await folderHandle?.sync().catch(() => undefined)
  await folderHandle?.close()
  return fileBytes
}
