import { parseArgs } from 'node:util'
import { sql, type Kysely } from 'kysely'
import { openDatabase, serviceSchemas } from '../../kit/database.ts'
import { exitWithHelp, exitWithMessage, readSettingsOrExit, withDatabase } from './command.ts'

const usageMessage = `Usage: clearway compact [--full]

Returns space of removed runs to the disk. Clearway may run meanwhile.
  without     rebuilds the indexes, which does not block other work
  --full      also rewrites the tables; each is locked for that long, and needs as much free space as it has rows`

type Database = Kysely<Record<string, never>>

const readMegabytes = async (db: Database): Promise<string> => {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(db)
  return (rows[0]!.bytes / 1_000_000).toFixed(1)
}

async function compact(db: Database, isFull: boolean): Promise<void> {
  // Not in a transaction, and table by table: an interrupted command leaves the rest as it was.
  const { rows: tables } = await sql<{ schema: string; name: string }>`select schemaname as schema, relname as name
    from pg_stat_user_tables where schemaname = any(${[...serviceSchemas]}) order by 1, 2`.execute(db)
  for (const { schema, name } of tables) {
    const table = sql.id(schema, name)
    if (isFull) await sql`vacuum (full, analyze) ${table}`.execute(db)
    else {
      await sql`vacuum (analyze) ${table}`.execute(db)
      await sql`reindex table concurrently ${table}`.execute(db)
    }
  }
}

/** Returns space of removed rows to the disk, and reports the size of the database before and after. */
async function main(args: string[]): Promise<void> {
  const isFull = parseFullFlag(args)
  const config = readSettingsOrExit()
  await withDatabase(config, async (url) => {
    const db = openDatabase<Record<string, never>>(url, { schema: 'monitor', connections: 1 })
    try {
      const megabytesBefore = await readMegabytes(db)
      await compact(db, isFull)
      console.log(`The database had ${megabytesBefore} MB, and has ${await readMegabytes(db)} MB.`)
    } finally {
      await db.destroy()
    }
  })
}

function parseFullFlag(args: string[]): boolean {
  try {
    const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' }, full: { type: 'boolean' } } })
    if (values.help) exitWithHelp(usageMessage)
    return values.full === true
  } catch (error) {
    exitWithMessage(`${(error as Error).message}\n${usageMessage}`)
  }
}

await main(process.argv.slice(2))
