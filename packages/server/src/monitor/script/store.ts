import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import { inTransaction, isUniqueViolation } from '../../kit/database.ts'
import { parseStored } from '../../kit/stored.ts'
import { joinConditions, buildContainsPattern, buildLimitClause, buildOrderClause } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { maxNamedScans } from '../scan/table.ts'
import type { ScriptTables } from './table.ts'

type DatabaseDeps = { db: MonitorDb }
type RawScriptRow = Selectable<ScriptTables['script']>
/** A variable of a shared script; scans cannot override a `locked` one. */
export type SharedVariable = { name: string; locked: boolean }
type ParsedScript = Omit<RawScriptRow, 'variables'> & { variables: SharedVariable[] }
export type ScriptRow = ParsedScript & { used: number }
type ListedScript = ScriptRow & { scan_names: string[] }
type ScriptQuery = {
  page: number
  size: number
  shared: boolean
  search?: string | undefined
  sort: readonly `${'name' | 'type' | 'assignedScanCount' | 'updatedAt'},${'asc' | 'desc'}`[]
}

/** A plain name is a variable that scans may override. */
const StoredVariables = z.array(z.union([z.string(), z.object({ name: z.string(), locked: z.boolean() })]))
const parseScriptRow = <T extends RawScriptRow>(row: T): T & ParsedScript => ({
  ...row,
  variables: parseStored(StoredVariables, row.variables, `The script ${row.id}`).map((variable) =>
    typeof variable === 'string' ? { name: variable, locked: false } : variable,
  ),
})

/** Number of scans that use the script `s`. */
const usedCountColumn = sql`(select count(*)::int from scan where scan.deleted_at is null
  and scan.settings->'scripts'->'shared' @> to_jsonb(s.id::text))`

/** The scans that use each script: their number, and the names of the first ones. Reads the settings of all scans once. */
const scriptUsage = sql`
  select used.script_id, count(*)::int as used,
    (array_agg(scan.name order by lower(scan.name), scan.id))[:${sql.lit(maxNamedScans)}] as scan_names
  from scan, lateral (select distinct jsonb_array_elements_text(scan.settings->'scripts'->'shared') as script_id) used
  where scan.deleted_at is null and jsonb_typeof(scan.settings->'scripts'->'shared') = 'array' group by used.script_id`
const sortColumns = {
  name: sql`lower(s.name)`,
  type: sql`s.type`,
  assignedScanCount: sql`coalesce(u.used, 0)`,
  updatedAt: sql`s.updated_at`,
}

export async function listScripts({ db }: DatabaseDeps, query: ScriptQuery): Promise<{ rows: ListedScript[]; total: number }> {
  const scriptFilter = joinConditions([
    sql`s.shared = ${query.shared}`,
    query.search && sql`s.name ilike ${buildContainsPattern(query.search)}`,
  ])
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`lower(s.name)`, sql`s.id`)
  const { rows: scriptRows } = await sql<
    RawScriptRow & { used: number; scan_names: string[] }
  >`select s.*, coalesce(u.used, 0) as used, coalesce(u.scan_names, '{}') as scan_names
    from script s left join (${scriptUsage}) u on u.script_id = s.id::text
    where ${scriptFilter} ${orderClause} ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*) as total from script s where ${scriptFilter}`.execute(db)
  return { rows: scriptRows.map(parseScriptRow), total: countResult.rows[0]?.total ?? 0 }
}

export async function findScript({ db }: DatabaseDeps, scriptId: string): Promise<ScriptRow | null> {
  const { rows: scriptRows } = await sql<RawScriptRow & { used: number }>`
    select s.*, ${usedCountColumn} as used from script s where s.id = ${scriptId}`.execute(db)
  return scriptRows[0] ? parseScriptRow(scriptRows[0]) : null
}

/** Scripts by id in no particular order, without unknown ids. */
export async function findScriptsByIds({ db }: DatabaseDeps, scriptIds: readonly string[]): Promise<ParsedScript[]> {
  if (scriptIds.length === 0) return []
  const scriptQuery = db
    .selectFrom('script')
    .selectAll()
    .where('id', 'in', [...scriptIds])
  return (await scriptQuery.execute()).map(parseScriptRow)
}

export async function readScriptNames(
  { db }: DatabaseDeps,
  shared: boolean,
  type: ScriptType | undefined,
): Promise<{ id: string; name: string; type: ScriptType }[]> {
  let nameQuery = db.selectFrom('script').select(['id', 'name', 'type']).where('shared', '=', shared)
  if (type) nameQuery = nameQuery.where('type', '=', type)
  return nameQuery
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

export type ScriptValues = { name: string; type: ScriptType; text: string; variables: readonly SharedVariable[] }
type SaveRelated = (trx: MonitorDb) => Promise<void>
const toScriptColumns = (values: ScriptValues) => ({
  name: values.name,
  type: values.type,
  content: values.text,
  variables: JSON.stringify(values.variables.map((variable) => (variable.locked ? variable : variable.name))),
})

const refuseTakenName = async <T>(work: () => Promise<T>): Promise<T | 'name-taken'> => {
  try {
    return await work()
  } catch (error) {
    if (isUniqueViolation(error, 'script_name')) return 'name-taken'
    throw error
  }
}

/** Stores a new shared script; `saveRelated` stores its secrets in the same transaction. */
export const insertScript = (
  { db }: DatabaseDeps,
  script: { id: string; createdBy: string; values: ScriptValues },
  saveRelated: SaveRelated,
): Promise<'saved' | 'name-taken'> =>
  refuseTakenName(() =>
    inTransaction(db, async (trx) => {
      await trx
        .insertInto('script')
        .values({ id: script.id, shared: true, created_by: script.createdBy, ...toScriptColumns(script.values) })
        .execute()
      await saveRelated(trx)
      return 'saved' as const
    }),
  )

/** Replaces a script while it still has `version`. */
export const replaceScript = (
  { db }: DatabaseDeps,
  script: { id: string; version: number; values: ScriptValues },
  saveRelated: SaveRelated,
): Promise<'saved' | 'name-taken' | 'edit-conflict'> =>
  refuseTakenName(() =>
    inTransaction(db, async (trx) => {
      const updateResult = await trx
        .updateTable('script')
        .set({ ...toScriptColumns(script.values), version: script.version + 1, updated_at: new Date() })
        .where('id', '=', script.id)
        .where('version', '=', script.version)
        .executeTakeFirst()
      if (updateResult.numUpdatedRows === 0n) return 'edit-conflict' as const
      await saveRelated(trx)
      return 'saved' as const
    }),
  )

/** Deletes a script unless a scan uses it. */
export async function removeScript({ db }: DatabaseDeps, scriptId: string): Promise<'gone' | 'in-use' | 'not-found'> {
  return inTransaction(db, async (trx) => {
    // Waits for scans that are being saved with it; only a new statement counts them.
    const { rows: scriptRows } = await sql`select from script where id = ${scriptId} for update`.execute(trx)
    if (scriptRows.length === 0) return 'not-found'
    const { numAffectedRows: deletedRowCount } =
      await sql`delete from script s where s.id = ${scriptId} and ${usedCountColumn} = 0`.execute(trx)
    return (deletedRowCount ?? 0n) > 0n ? 'gone' : 'in-use'
  })
}
