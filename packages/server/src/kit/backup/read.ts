import { setTimeout as sleep } from 'node:timers/promises'
import { createHash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type * as z from 'zod/mini'
import { createSchemaAt, type Migrations, createKyselyOnClient, type ServiceSchema, serviceSchemas } from '../database.ts'
import type { ObjectStore } from '../object-store/store.ts'
import { objectPartPrefix, type ArchivePart, readArchive } from './archive.ts'
import { getConnectionOptions, getClientClass } from '../postgres/primary.ts'
import { BackupError, BackupHead, BackupTail } from './schema.ts'
import { listFilledSchemas, listTables, quoteIdentifier, type BackupTable } from './tables.ts'

export type AllMigrations = Readonly<Record<ServiceSchema, Migrations>>
export type RestoreResult = { head: BackupHead; tables: number; rows: number; objects: number }
type RestoreOptions = {
  url: string
  file: string
  migrations: AllMigrations
  replace: boolean
  objects?: ObjectStore
  onTable?: (name: string) => void
}

const headName = 'backup.json'
const tailName = 'end.json'

function parsePart<T extends z.ZodMiniType>(schema: T, part: ArchivePart, file: string): z.output<T> {
  let parsedJson: unknown
  try {
    parsedJson = JSON.parse(part.bytes.toString('utf8'))
  } catch {
    parsedJson = undefined
  }
  const parseResult = schema.safeParse(parsedJson)
  if (parseResult.success) return parseResult.data
  throw new BackupError(`${file} is damaged, or of a newer Clearway: ${part.name} cannot be read.`)
}

export async function readBackupHead(file: string): Promise<BackupHead> {
  for await (const part of readArchive(file)) {
    if (part.name !== headName) break
    return parsePart(BackupHead, part, file)
  }
  throw new BackupError(`${file} is not a backup of Clearway.`)
}

function refuseUnknownMigrations(head: BackupHead, migrations: AllMigrations): void {
  for (const schema of serviceSchemas)
    for (const migrationName of head.migrations[schema] ?? [])
      if (!(migrationName in migrations[schema]))
        throw new BackupError(
          `The backup is of Clearway ${head.product}, which is newer than this one: it has the change ${migrationName} of ${schema}. ` +
            'Restore it with that version, or a newer one.',
        )
}

/** Recreates the tables as of the backup. Existing tables are dropped. */
async function recreateTables(client: pg.Client, head: BackupHead, migrations: AllMigrations): Promise<void> {
  for (const schema of serviceSchemas)
    await client.query(`drop schema if exists ${quoteIdentifier(schema)} cascade; create schema ${quoteIdentifier(schema)}`)
  for (const schema of serviceSchemas) {
    const migrationNames = head.migrations[schema]
    if (!migrationNames) continue
    await client.query(`set local search_path = ${quoteIdentifier(schema)}`)
    await createSchemaAt(createKyselyOnClient(client), migrations[schema], migrationNames)
  }
  // Rows that the migrations inserted are in the backup, too.
  const createdTables = await listTables(client)
  await client.query(`truncate ${createdTables.map(({ schema, name }) => quoteIdentifier(schema, name)).join(', ')}`)
  const tablesByName = new Map(createdTables.map((table) => [`${table.schema}.${table.name}`, table]))
  const unknownTable = head.tables.find(({ schema, name, columns }) => {
    const createdTable = tablesByName.get(`${schema}.${name}`)
    return !createdTable || columns.some((column) => !createdTable.columns.includes(column))
  })
  if (unknownTable)
    throw new BackupError(
      `The backup has a table that Clearway does not know in this form: ${unknownTable.schema}.${unknownTable.name}.`,
    )
}

/** Receives the parts that contain the rows of a table. */
export type RowsReceiver = {
  write: (bytes: Buffer) => Promise<void> | void
  /** Required after an error: the connection would wait for the rest of a truncated file. */
  abort: () => Promise<void> | void
  end: () => Promise<BackupTail['tables'][number]>
}

function openTableWriter(client: pg.Client, { schema, name, columns }: BackupTable): RowsReceiver {
  const copyStream = client.query(
    copyFrom(`copy ${quoteIdentifier(schema, name)} (${columns.map((column) => quoteIdentifier(column)).join(', ')}) from stdin`),
  )
  const copyFinished = finished(copyStream)
  copyFinished.catch(() => undefined)
  const rowsHash = createHash('sha256')
  return {
    write: async (bytes: Buffer) => {
      rowsHash.update(bytes)
      if (!copyStream.write(bytes))
        await Promise.race([new Promise((resolve) => copyStream.once('drain', resolve)), copyFinished])
    },
    abort: async () => {
      copyStream.destroy()
      await copyFinished.catch(() => undefined)
    },
    end: async () => {
      copyStream.end()
      await copyFinished
      return { rows: copyStream.rowCount, sha256: rowsHash.digest('hex') }
    },
  }
}

type ReadTotals = { tables: number; rows: number; objects: number }

/**
 * Reads the rows and the objects of a backup, in its order, into receivers.
 * @returns the totals, and the tail with the sequences
 * @throws BackupError if rows or objects are missing or changed
 */
export async function readContent(
  head: BackupHead,
  parts: AsyncGenerator<ArchivePart>,
  options: {
    file: string
    openReceiver: (table: BackupTable) => RowsReceiver
    putObject: (name: string, bytes: Buffer) => Promise<void> | void
    onTable?: ((name: string) => void) | undefined
  },
): Promise<{ totals: ReadTotals; tail: BackupTail }> {
  const tableTotals: BackupTail['tables'] = []
  let nextPart = await parts.next()
  for (const table of head.tables) {
    options.onTable?.(`${table.schema}.${table.name}`)
    const tableWriter = options.openReceiver(table)
    const partPrefix = `${table.schema}/${table.name}.`
    try {
      for (; !nextPart.done && nextPart.value.name.startsWith(partPrefix); nextPart = await parts.next())
        await tableWriter.write(nextPart.value.bytes)
    } catch (error) {
      await tableWriter.abort()
      throw error
    }
    tableTotals.push(await tableWriter.end())
  }
  let objectCount = 0
  for (; !nextPart.done && nextPart.value.name.startsWith(objectPartPrefix); nextPart = await parts.next()) {
    await options.putObject(nextPart.value.name.slice(objectPartPrefix.length), nextPart.value.bytes)
    objectCount++
  }
  if (nextPart.done || nextPart.value.name !== tailName)
    throw new BackupError(`${options.file} is damaged: it ends before its end.`)
  const tail = parsePart(BackupTail, nextPart.value, options.file)
  // Only the checksum at the end of the compressed file covers objects.
  if (!(await parts.next()).done) throw new BackupError(`${options.file} is damaged: it goes on after its end.`)
  const damagedTable = head.tables.find(
    (_, tableIndex) =>
      tableTotals[tableIndex]?.rows !== tail.tables[tableIndex]?.rows ||
      tableTotals[tableIndex]?.sha256 !== tail.tables[tableIndex]?.sha256,
  )
  if (damagedTable)
    throw new BackupError(`${options.file} is damaged: ${damagedTable.schema}.${damagedTable.name} is not what was written.`)
  if (objectCount !== (tail.objects ?? 0)) throw new BackupError(`${options.file} is damaged: it lacks objects.`)
  const rowCount = tableTotals.reduce((rowTotal, table) => rowTotal + table.rows, 0)
  return { totals: { tables: tableTotals.length, rows: rowCount, objects: objectCount }, tail }
}

/** Opens a backup behind its head. @throws BackupError for another file, and for a backup of a newer version */
export async function openBackup(
  file: string,
  migrations: AllMigrations,
): Promise<{ head: BackupHead; parts: AsyncGenerator<ArchivePart> }> {
  const parts = readArchive(file)
  const firstPart = await parts.next()
  if (firstPart.done || firstPart.value.name !== headName) throw new BackupError(`${file} is not a backup of Clearway.`)
  const head = parsePart(BackupHead, firstPart.value, file)
  refuseUnknownMigrations(head, migrations)
  return { head, parts }
}

/** Time for which other connections may remain: PostgreSQL shows those that were closed for a moment. */
const closingMs = 5000

async function refuseOtherProcesses(client: pg.Client): Promise<void> {
  const hasOthers = async () => {
    const { rows: connectionRows } = await client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and application_name like 'clearway %' and pid <> pg_backend_pid() limit 1`,
    )
    return connectionRows.length > 0
  }
  const deadlineAt = performance.now() + closingMs
  while (await hasOthers()) {
    if (performance.now() >= deadlineAt)
      throw new BackupError('Another Clearway is connected to this database. Stop it everywhere, then restore again.')
    await sleep(200)
  }
}

/**
 * Restores a database from a backup, completely or, after an error, not at all.
 * @param options.objects receives the objects of the backup; existing ones become unreferenced
 * @param options.replace true to allow replacing existing content
 * @throws BackupError with instructions for the operator
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { file: backupPath } = options
  const databaseClient = new (getClientClass(options.url))({
    ...getConnectionOptions(options.url),
    application_name: 'clearway restore',
  })
  databaseClient.on('error', () => undefined)
  await databaseClient.connect()
  try {
    await refuseOtherProcesses(databaseClient)
    if (!options.replace && (await listFilledSchemas(databaseClient)).length > 0)
      throw new BackupError(
        'The database is in use: it has tables of Clearway. Restore into an empty one, or say --replace to lose what is there.',
      )
    const { head: backupHead, parts: archiveParts } = await openBackup(backupPath, options.migrations)
    await databaseClient.query(`set statement_timeout = 0; set datestyle = 'ISO'; set timezone = 'UTC'`)
    await databaseClient.query('begin')
    await recreateTables(databaseClient, backupHead, options.migrations)
    const { totals, tail: backupTail } = await readContent(backupHead, archiveParts, {
      file: backupPath,
      openReceiver: (table) => openTableWriter(databaseClient, table),
      putObject: async (name, bytes) => options.objects?.put(name, bytes),
      onTable: options.onTable,
    })
    for (const { schema, name, next: nextValue } of backupTail.sequences)
      await databaseClient.query('select setval($1::regclass, $2::bigint, false)', [quoteIdentifier(schema, name), nextValue])
    await databaseClient.query('commit')
    // Planner statistics are not in a backup.
    await databaseClient.query('analyze')
    return { head: backupHead, ...totals }
  } catch (error) {
    await databaseClient.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await databaseClient.end().catch(() => undefined)
  }
}
