import { createHash } from 'node:crypto'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type * as z from 'zod/mini'
import { makeAt, type Migrations, onClient, type ServiceSchema, serviceSchemas } from '../database.ts'
import type { ObjectStore } from '../object-store/store.ts'
import { objectPrefix, type Part, readArchive } from './archive.ts'
import { connectionOf, clientOf } from '../postgres/primary.ts'
import { BackupError, BackupHead, BackupTail } from './schema.ts'
import { listFilled, listTables, quoted, type Table } from './tables.ts'

type AllMigrations = Readonly<Record<ServiceSchema, Migrations>>
export type RestoreDone = { head: BackupHead; tables: number; rows: number; objects: number }
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

function parsed<T extends z.ZodMiniType>(schema: T, part: Part, file: string): z.output<T> {
  let value: unknown
  try {
    value = JSON.parse(part.bytes.toString('utf8'))
  } catch {
    value = undefined
  }
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new BackupError(`${file} is damaged, or of a newer Clearway: ${part.name} cannot be read.`)
}

/** What a backup says of itself. */
export async function readHead(file: string): Promise<BackupHead> {
  for await (const part of readArchive(file)) {
    if (part.name !== headName) break
    return parsed(BackupHead, part, file)
  }
  throw new BackupError(`${file} is not a backup of Clearway.`)
}

/** A program makes only the tables that it knows. */
function refuseUnknown(head: BackupHead, migrations: AllMigrations): void {
  for (const schema of serviceSchemas)
    for (const name of head.migrations[schema] ?? [])
      if (!(name in migrations[schema]))
        throw new BackupError(
          `The backup is of Clearway ${head.product}, which is newer than this one: it has the change ${name} of ${schema}. ` +
            'Restore it with that version, or a newer one.',
        )
}

/** Makes the tables of the backup, as they were. Existing ones are removed. */
async function makeTables(client: pg.Client, head: BackupHead, migrations: AllMigrations): Promise<void> {
  for (const schema of serviceSchemas)
    await client.query(`drop schema if exists ${quoted(schema)} cascade; create schema ${quoted(schema)}`)
  for (const schema of serviceSchemas) {
    const names = head.migrations[schema]
    if (!names) continue
    await client.query(`set local search_path = ${quoted(schema)}`)
    await makeAt(onClient(client), migrations[schema], names)
  }
  // What the migrations put into them is in the backup, too.
  const tables = await listTables(client)
  await client.query(`truncate ${tables.map(({ schema, name }) => quoted(schema, name)).join(', ')}`)
  const there = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]))
  const lacks = head.tables.find(({ schema, name, columns }) => {
    const own = there.get(`${schema}.${name}`)
    return !own || columns.some((column) => !own.columns.includes(column))
  })
  if (lacks)
    throw new BackupError(
      `The backup has a table that Clearway does not know in this form: ${lacks.schema}.${lacks.name}.`,
    )
}

/** Takes the parts of one table. */
function openTable(client: pg.Client, { schema, name, columns }: Table) {
  const stream = client.query(
    copyFrom(
      `copy ${quoted(schema, name)} (${columns.map((column) => quoted(column)).join(', ')}) from stdin`,
    ),
  )
  const ended = finished(stream)
  ended.catch(() => undefined)
  const hash = createHash('sha256')
  return {
    write: async (bytes: Buffer) => {
      hash.update(bytes)
      if (!stream.write(bytes)) await Promise.race([new Promise((done) => stream.once('drain', done)), ended])
    },
    /** Without this the connection would wait for the rest of a file that is cut. */
    abort: async () => {
      stream.destroy()
      await ended.catch(() => undefined)
    },
    end: async () => {
      stream.end()
      await ended
      return { rows: stream.rowCount, sha256: hash.digest('hex') }
    },
  }
}

/** Fills the tables, in the order of the backup, from the parts that follow its head. Answers what follows them. */
async function fillTables(
  client: pg.Client,
  head: BackupHead,
  parts: AsyncGenerator<Part>,
  options: RestoreOptions,
): Promise<{ totals: BackupTail['tables']; tail: BackupTail; objects: number }> {
  const totals: BackupTail['tables'] = []
  let next = await parts.next()
  for (const table of head.tables) {
    options.onTable?.(`${table.schema}.${table.name}`)
    const own = openTable(client, table)
    const prefix = `${table.schema}/${table.name}.`
    try {
      for (; !next.done && next.value.name.startsWith(prefix); next = await parts.next())
        await own.write(next.value.bytes)
    } catch (error) {
      await own.abort()
      throw error
    }
    totals.push(await own.end())
  }
  let objects = 0
  for (; !next.done && next.value.name.startsWith(objectPrefix); next = await parts.next()) {
    await options.objects?.put(next.value.name.slice(objectPrefix.length), next.value.bytes)
    objects++
  }
  if (next.done || next.value.name !== tailName)
    throw new BackupError(`${options.file} is damaged: it ends before its end.`)
  return { totals, tail: parsed(BackupTail, next.value, options.file), objects }
}

/** Whether something else works on this database now. */
async function refuseCompany(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'clearway %' and pid <> pg_backend_pid() limit 1`,
  )
  if (rows.length > 0)
    throw new BackupError(
      'Another Clearway is connected to this database. Stop it everywhere, then restore again.',
    )
}

/**
 * Makes the database what a backup says: everything, or, when something fails, nothing.
 * @param options.objects takes the objects of the backup; what was there besides is nobody's from then on
 * @param options.replace whether the content of the database may be replaced
 * @throws BackupError with what a person must do
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreDone> {
  const { file } = options
  const client = new (clientOf(options.url))({
    ...connectionOf(options.url),
    application_name: 'clearway restore',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await refuseCompany(client)
    if (!options.replace && (await listFilled(client)).length > 0)
      throw new BackupError(
        'The database is in use: it has tables of Clearway. Restore into an empty one, or say --replace to lose what is there.',
      )
    const parts = readArchive(file)
    const first = await parts.next()
    if (first.done || first.value.name !== headName)
      throw new BackupError(`${file} is not a backup of Clearway.`)
    const head = parsed(BackupHead, first.value, file)
    refuseUnknown(head, options.migrations)
    await client.query(`set statement_timeout = 0; set datestyle = 'ISO'; set timezone = 'UTC'`)
    await client.query('begin')
    await makeTables(client, head, options.migrations)
    const { totals, tail, objects } = await fillTables(client, head, parts, options)
    const wrong = head.tables.findIndex(
      (_, at) => totals[at]?.rows !== tail.tables[at]?.rows || totals[at]?.sha256 !== tail.tables[at]?.sha256,
    )
    if (wrong >= 0)
      throw new BackupError(
        `${file} is damaged: ${head.tables[wrong]!.schema}.${head.tables[wrong]!.name} is not what was written.`,
      )
    if (objects !== (tail.objects ?? 0)) throw new BackupError(`${file} is damaged: it lacks objects.`)
    for (const { schema, name, next } of tail.sequences)
      await client.query('select setval($1::regclass, $2::bigint, false)', [quoted(schema, name), next])
    await client.query('commit')
    // What the planner knows of the tables is not in a backup.
    await client.query('analyze')
    const rows = totals.reduce((sum, table) => sum + table.rows, 0)
    return { head, tables: totals.length, rows, objects }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}
