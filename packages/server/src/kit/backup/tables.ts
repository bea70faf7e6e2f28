import type pg from 'pg'
import { type ServiceSchema, serviceSchemas } from '../database.ts'
import type { BackupHead, BackupTail } from './schema.ts'

export type BackupTable = BackupHead['tables'][number]

export const quoteIdentifier = (...names: readonly string[]): string =>
  names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')

const buildTableKey = (schema: string, name: string) => `${schema}.${name}`

/** Lists the tables of the services with their stored columns, each after the tables that it references; partitions are parts of theirs. */
export async function listTables(client: pg.Client): Promise<BackupTable[]> {
  const tableResult = await client.query<BackupTable>(
    `select n.nspname as schema, c.relname as name, array(
       select a.attname::text from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any($1) order by 1, 2`,
    [serviceSchemas],
  )
  const referenceResult = await client.query<{ from: string; to: string }>(
    `select format('%s.%s', fn.nspname, f.relname) as "from", format('%s.%s', tn.nspname, t.relname) as "to"
     from pg_constraint k
       join pg_class f on f.oid = k.conrelid join pg_namespace fn on fn.oid = f.relnamespace
       join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
     where k.contype = 'f' and f.oid <> t.oid and fn.nspname = any($1)`,
    [serviceSchemas],
  )
  const referencesByTable = Map.groupBy(referenceResult.rows, ({ from }) => from)
  const tablesByKey = new Map(tableResult.rows.map((table) => [buildTableKey(table.schema, table.name), table]))
  const orderedTables = new Set<BackupTable>()
  const addInOrder = (tableKey: string): void => {
    const tableToAdd = tablesByKey.get(tableKey)
    if (!tableToAdd || orderedTables.has(tableToAdd)) return
    // Removed first, which ends cycles. The rows of a cycle are refused by name on restoring.
    tablesByKey.delete(tableKey)
    for (const { to } of referencesByTable.get(tableKey) ?? []) addInOrder(to)
    orderedTables.add(tableToAdd)
  }
  for (const table of tableResult.rows) addInOrder(buildTableKey(table.schema, table.name))
  return [...orderedTables]
}

export async function listMigrations(client: pg.Client): Promise<Record<string, string[]>> {
  const migrationsBySchema: Record<string, string[]> = {}
  for (const schema of serviceSchemas) {
    const { rows: existenceRows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      `${schema}.kysely_migration`,
    ])
    if (!existenceRows[0]?.there) continue
    const nameResult = await client.query<{ name: string }>(
      `select name from ${quoteIdentifier(schema, 'kysely_migration')} order by name`,
    )
    migrationsBySchema[schema] = nameResult.rows.map(({ name }) => name)
  }
  return migrationsBySchema
}

export async function listSequences(client: pg.Client): Promise<BackupTail['sequences']> {
  const { rows: sequenceRows } = await client.query<BackupTail['sequences'][number]>(
    `select schemaname as schema, sequencename as name, coalesce(last_value + increment_by, start_value)::text as next
     from pg_sequences where schemaname = any($1) order by 1, 2`,
    [serviceSchemas],
  )
  return sequenceRows
}

export async function listFilledSchemas(client: pg.Client): Promise<ServiceSchema[]> {
  const { rows: schemaRows } = await client.query<{ schema: ServiceSchema }>(
    `select distinct n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1)`,
    [serviceSchemas],
  )
  return schemaRows.map(({ schema }) => schema)
}
