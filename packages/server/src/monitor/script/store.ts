import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import { inTransaction, isTaken } from '../../kit/database.ts'
import { readStored } from '../../kit/stored.ts'
import { allOf, containing, limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import type { ScriptTables } from './table.ts'

type Db = { db: MonitorDb }
type Row = Selectable<ScriptTables['script']>
/** `locked`: no scan may give it another value. */
export type SharedVariable = { name: string; locked: boolean }
type Script = Omit<Row, 'variables'> & { variables: SharedVariable[] }
export type ScriptRow = Script & { used: number }
type Query = {
  page: number
  size: number
  shared: boolean
  search?: string | undefined
  sort: readonly `${'name' | 'type' | 'assignedScanCount' | 'updatedAt'},${'asc' | 'desc'}`[]
}

/** A name alone is a variable that scans may decide. */
const Variables = z.array(z.union([z.string(), z.object({ name: z.string(), locked: z.boolean() })]))
const read = <T extends Row>(row: T): T & Script => ({
  ...row,
  variables: readStored(Variables, row.variables, `The script ${row.id}`).map((variable) =>
    typeof variable === 'string' ? { name: variable, locked: false } : variable,
  ),
})

/** How many scans use a script. */
const used = sql`(select count(*)::int from scan where scan.deleted_at is null
  and scan.settings->'scripts'->'shared' @> to_jsonb(s.id::text))`
const sortColumns = {
  name: sql`lower(s.name)`,
  type: sql`s.type`,
  assignedScanCount: used,
  updatedAt: sql`s.updated_at`,
}

/** One page of scripts, and how many match. */
export async function listScripts({ db }: Db, query: Query): Promise<{ rows: ScriptRow[]; total: number }> {
  const where = allOf([
    sql`s.shared = ${query.shared}`,
    query.search && sql`s.name ilike ${containing(query.search)}`,
  ])
  const order = orderBy(sortColumns, query.sort, sql`lower(s.name)`, sql`s.id`)
  const { rows } = await sql<
    Row & { used: number }
  >`select s.*, ${used} as used from script s where ${where} ${order} ${limits(query)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from script s where ${where}`.execute(
    db,
  )
  return { rows: rows.map(read), total: counted.rows[0]?.total ?? 0 }
}

export async function findScript({ db }: Db, id: string): Promise<ScriptRow | null> {
  const { rows } = await sql<Row & { used: number }>`
    select s.*, ${used} as used from script s where s.id = ${id}`.execute(db)
  return rows[0] ? read(rows[0]) : null
}

/** Several scripts, in no order; what is not there is left out. */
export async function scriptsByIds({ db }: Db, ids: readonly string[]): Promise<Script[]> {
  if (ids.length === 0) return []
  const query = db
    .selectFrom('script')
    .selectAll()
    .where('id', 'in', [...ids])
  return (await query.execute()).map(read)
}

export async function scriptNames(
  { db }: Db,
  shared: boolean,
  type: ScriptType | undefined,
): Promise<{ id: string; name: string; type: ScriptType }[]> {
  let query = db.selectFrom('script').select(['id', 'name', 'type']).where('shared', '=', shared)
  if (type) query = query.where('type', '=', type)
  return query
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

export type ScriptValues = {
  name: string
  type: ScriptType
  text: string
  variables: readonly SharedVariable[]
}
type Also = (trx: MonitorDb) => Promise<void>
const rowOf = (values: ScriptValues) => ({
  name: values.name,
  type: values.type,
  content: values.text,
  variables: JSON.stringify(values.variables.map((one) => (one.locked ? one : one.name))),
})

const unlessTaken = async <T>(work: () => Promise<T>): Promise<T | 'name-taken'> => {
  try {
    return await work()
  } catch (error) {
    if (isTaken(error, 'script_name')) return 'name-taken'
    throw error
  }
}

/** Stores a new shared script; `also` writes its secrets in the same transaction. */
export const insertScript = (
  { db }: Db,
  script: { id: string; createdBy: string; values: ScriptValues },
  also: Also,
): Promise<'saved' | 'name-taken'> =>
  unlessTaken(() =>
    inTransaction(db, async (trx) => {
      await trx
        .insertInto('script')
        .values({ id: script.id, shared: true, created_by: script.createdBy, ...rowOf(script.values) })
        .execute()
      await also(trx)
      return 'saved' as const
    }),
  )

/** Replaces a script, when it is still that of `version`. */
export const replaceScript = (
  { db }: Db,
  script: { id: string; version: number; values: ScriptValues },
  also: Also,
): Promise<'saved' | 'name-taken' | 'edit-conflict'> =>
  unlessTaken(() =>
    inTransaction(db, async (trx) => {
      const done = await trx
        .updateTable('script')
        .set({ ...rowOf(script.values), version: script.version + 1, updated_at: new Date() })
        .where('id', '=', script.id)
        .where('version', '=', script.version)
        .executeTakeFirst()
      if (done.numUpdatedRows === 0n) return 'edit-conflict' as const
      await also(trx)
      return 'saved' as const
    }),
  )

/** Deletes a script that no scan uses. */
export async function removeScript({ db }: Db, id: string): Promise<'gone' | 'in-use'> {
  const { numAffectedRows } = await sql`delete from script s where s.id = ${id} and ${used} = 0`.execute(db)
  return (numAffectedRows ?? 0n) > 0n ? 'gone' : 'in-use'
}
