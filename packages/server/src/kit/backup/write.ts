import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type ObjectStore, sweepLock } from '../object-store/store.ts'
import { longestPart, objectPrefix, type Part, writeArchive } from './archive.ts'
import { keyFingerprint, sealByPassphrase } from './passphrase.ts'
import { connectionOf, clientOf } from '../postgres/primary.ts'
import { BackupError, type BackupHead, type BackupTail } from './schema.ts'
import { listMigrations, listSequences, listTables, quoted, type Table } from './tables.ts'

export type BackupDone = { tables: number; rows: number; objects: number; bytes: number }

const document = (name: string, value: unknown): Part => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

const lineEnd = 0x0a
function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines += 1
  return lines
}

/** The rows of a table as the database writes them, in parts. Counted as they pass. */
async function* rowsOf(
  client: pg.Client,
  table: Table,
  done: (total: BackupTail['tables'][number]) => void,
): AsyncGenerator<Part> {
  const columns = table.columns.map((name) => quoted(name)).join(', ')
  const stream = client.query(copyTo(`copy ${quoted(table.schema, table.name)} (${columns}) to stdout`))
  const hash = createHash('sha256')
  let [rows, part, size] = [0, 0, 0]
  let chunks: Buffer[] = []
  const flush = (): Part => {
    const bytes = Buffer.concat(chunks)
    chunks = []
    size = 0
    hash.update(bytes)
    rows += countLines(bytes)
    part += 1
    return { name: `${table.schema}/${table.name}.${String(part).padStart(6, '0')}`, bytes }
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += longestPart) {
      const piece = chunk.subarray(at, at + longestPart)
      if (size + piece.length > longestPart) yield flush()
      chunks.push(piece)
      size += piece.length
    }
  }
  if (size > 0) yield flush()
  done({ rows, sha256: hash.digest('hex') })
}

/**
 * The objects of a store. All that the database refers to at the moment of the backup are among them: none is swept until the
 * backup is whole.
 */
async function* objectsOf(store: ObjectStore, onObject: () => void): AsyncGenerator<Part> {
  for await (const names of store.list())
    for (const name of names) {
      const bytes = await store.get(name)
      // Removed meanwhile.
      if (!bytes) continue
      onObject()
      yield { name: objectPrefix + name, bytes }
    }
}

/** Begins to read the database as it is at this moment, and lets no object be swept until the connection ends. */
async function beginAtOnce(client: pg.Client): Promise<void> {
  // What other settings write in other ways.
  await client.query(`set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
    set timezone = 'UTC'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`)
  // Before the moment of the backup.
  await client.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [sweepLock])
  await client.query('begin isolation level repeatable read read only')
}

/**
 * Writes the whole database, as it was at one moment, into a file; people go on working meanwhile.
 * @param options.objects a store whose objects go along
 * @param options.key the secret key of now; it goes along sealed where there is a passphrase
 * @throws BackupError when the file is there already, or there is nothing to write
 */
export async function writeBackup(options: {
  url: string
  file: string
  product: string
  key: Buffer
  passphrase: string | null
  objects?: ObjectStore
  onTable?: (name: string) => void
}): Promise<BackupDone> {
  const { file, key, passphrase } = options
  const client = new (clientOf(options.url))({
    ...connectionOf(options.url),
    application_name: 'clearway backup',
  })
  client.on('error', () => undefined)
  await client.connect()
  const part = `${file}.part`
  let total = { tables: 0, rows: 0, objects: 0 }
  try {
    await beginAtOnce(client)
    const tables = await listTables(client)
    if (tables.length === 0) throw new BackupError('The database is empty: there is nothing to back up.')
    const head: BackupHead = {
      format: 1,
      product: options.product,
      createdAt: new Date().toISOString(),
      migrations: await listMigrations(client),
      tables,
      secretKey: {
        fingerprint: keyFingerprint(key),
        sealed: passphrase === null ? null : await sealByPassphrase(key, passphrase),
      },
    }
    const parts = async function* (): AsyncGenerator<Part> {
      yield document('backup.json', head)
      const totals: BackupTail['tables'] = []
      for (const table of tables) {
        options.onTable?.(`${table.schema}.${table.name}`)
        yield* rowsOf(client, table, (own) => totals.push(own))
      }
      const sequences = await listSequences(client)
      let objects = 0
      if (options.objects) yield* objectsOf(options.objects, () => void objects++)
      total = { tables: totals.length, rows: totals.reduce((sum, { rows }) => sum + rows, 0), objects }
      const tail: BackupTail = { tables: totals, sequences, objects }
      yield document('end.json', tail)
    }
    await rm(part, { force: true })
    await writeArchive(part, parts())
    await client.query('commit')
    return { ...total, bytes: await keep(part, file) }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Gives the file its name, now that it is whole. Answers its size. */
async function keep(part: string, file: string): Promise<number> {
  const made = await open(part)
  const { size } = await made.stat()
  await made.close()
  await rename(part, file)
  // The name lasts as well.
  const folder = await open(dirname(file)).catch(() => null)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
  return size
}
