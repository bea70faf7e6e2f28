import type pg from 'pg'
import { type ServiceSchema, serviceSchemas } from '../database.ts'
import type { BackupHead, BackupTail } from './schema.ts'

export type Table = BackupHead['tables'][number]

/** A name that SQL takes as it is. */
export const quoted = (...names: readonly string[]): string =>
  names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')

const keyOf = (schema: string, name: string) => `${schema}.${name}`

/** Tables of the services with the columns that are stored, each behind those that its rows refer to. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const tables = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any($1) order by 1, 2`,
    [serviceSchemas],
  )
  const references = await client.query<{ from: string; to: string }>(
    `select format('%s.%s', fn.nspname, f.relname) as "from", format('%s.%s', tn.nspname, t.relname) as "to"
     from pg_constraint k
       join pg_class f on f.oid = k.conrelid join pg_namespace fn on fn.oid = f.relnamespace
       join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
     where k.contype = 'f' and f.oid <> t.oid and fn.nspname = any($1)`,
    [serviceSchemas],
  )
  const needs = Map.groupBy(references.rows, ({ from }) => from)
  const byKey = new Map(tables.rows.map((table) => [keyOf(table.schema, table.name), table]))
  const ordered = new Set<Table>()
  const place = (key: string): void => {
    const table = byKey.get(key)
    if (!table || ordered.has(table)) return
    // Taken out first: a circle ends, and its rows are refused by name when they are restored.
    byKey.delete(key)
    for (const { to } of needs.get(key) ?? []) place(to)
    ordered.add(table)
  }
  for (const table of tables.rows) place(keyOf(table.schema, table.name))
  return [...ordered]
}

/** Names of the migrations that each schema has. */
export async function listMigrations(client: pg.Client): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const schema of serviceSchemas) {
    const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      `${schema}.kysely_migration`,
    ])
    if (!rows[0]?.there) continue
    const names = await client.query<{ name: string }>(
      `select name from ${quoted(schema, 'kysely_migration')} order by name`,
    )
    found[schema] = names.rows.map(({ name }) => name)
  }
  return found
}

/** What each sequence gives next. */
export async function listSequences(client: pg.Client): Promise<BackupTail['sequences']> {
  const { rows } = await client.query<BackupTail['sequences'][number]>(
    `select schemaname as schema, sequencename as name, coalesce(last_value + increment_by, start_value)::text as next
     from pg_sequences where schemaname = any($1) order by 1, 2`,
    [serviceSchemas],
  )
  return rows
}

/** Schemas of the services that hold a table, or anything else. */
export async function listFilled(client: pg.Client): Promise<ServiceSchema[]> {
  const { rows } = await client.query<{ schema: ServiceSchema }>(
    `select distinct n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1)`,
    [serviceSchemas],
  )
  return rows.map(({ schema }) => schema)
}
