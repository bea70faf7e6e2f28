import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type TestDatabase, createTestDatabase, withClient } from './database.ts'

export const oldFolder = join(import.meta.dirname, '../../../fixtures/database')

/** Databases of earlier commits with rows of every noun, as `npm run old-database` writes them. */
export const oldDatabases = readdirSync(oldFolder)
  .filter((file) => file.endsWith('.sql.gz'))
  .map((file) => file.replace('.sql.gz', ''))

/** Key that sealed their secrets. */
export const oldSecretKey = Buffer.alloc(32, 7).toString('base64')

/** Creates a copy of one of them, on its original schema. */
export async function createOldDatabase(name: string): Promise<TestDatabase> {
  const dump = gunzipSync(readFileSync(join(oldFolder, `${name}.sql.gz`))).toString('utf8')
  // psql commands are not SQL.
  const statements = dump.replaceAll(/^\\.*$/gm, '')
  const database = await createTestDatabase()
  await withClient(database.url, async (client) => {
    await client.query('drop schema monitor, account, idp cascade')
    await client.query(statements)
  })
  return database
}

/** Returns the number of rows of each table and view. */
export const countRows = (url: string): Promise<Record<string, number>> =>
  withClient(url, async (client) => {
    const { rows: tableRows } = await client.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema in ('monitor', 'account', 'idp') order by 1`,
    )
    const counts: Record<string, number> = {}
    for (const { name } of tableRows)
      counts[name] = (await client.query<{ n: number }>(`select count(*) as n from ${name}`)).rows[0]!.n
    return counts
  })
