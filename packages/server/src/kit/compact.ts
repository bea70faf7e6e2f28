import { type Kysely, sql } from 'kysely'
import { serviceSchemas } from './database.ts'

type AnyDatabase = Kysely<Record<string, never>>

export async function readDatabaseBytes(db: AnyDatabase): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(db)
  return rows[0]!.bytes
}

/**
 * Rebuilds the indexes of all tables during operation, to return space to the disk; one by one, so it may be interrupted.
 * @param isFull rewrites the tables as well, and locks each for that long
 */
export async function compactTables(db: AnyDatabase, isFull: boolean): Promise<void> {
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
