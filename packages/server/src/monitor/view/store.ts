import type { ViewAudience, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { knownQuery } from '@clearway/contract/monitor/view/model.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import { takeAdvisoryLock } from '../../kit/advisory-lock.ts'
import { inTransaction, isTaken } from '../../kit/database.ts'
import { allOf, limits } from '../../kit/paging.ts'
import { readStored } from '../../kit/stored.ts'
import { buildPersonName } from '../access/table.ts'
import type { MonitorDb } from '../database.ts'
import type { ViewTables } from './table.ts'

type Db = { db: MonitorDb }
type Row = Selectable<ViewTables['view']> & { team_name: string | null; author: string | null }
export type ViewRow = Omit<Row, 'query'> & { query: ReturnType<typeof knownQuery> }
/** Who looks; one who sees every scan sees the views of every team, too. */
export type ViewReader = { id: string; seesTeams: boolean }

const Query = z.record(z.string(), z.unknown())
const read = (row: Row): ViewRow => ({
  ...row,
  query: knownQuery(row.screen, readStored(Query, row.query, `The view ${row.id}`)),
})

const teamsOf = (personId: string) => sql`select team_id from team_member where person_id = ${personId}`
const visible = ({ id, seesTeams }: ViewReader): RawBuilder<boolean> =>
  sql`(v.author_id = ${id} or v.for_everybody or v.team_id ${seesTeams ? sql`is not null` : sql`in (${teamsOf(id)})`})`
const rows = sql`select v.*, t.name as team_name, ${buildPersonName('p')} as author
  from view v left join team t on t.id = v.team_id left join person p on p.id = v.author_id`

/** One page of the views that somebody sees, by name, and how many there are. */
export async function listViews(
  { db }: Db,
  reader: ViewReader,
  query: { page: number; size: number; screen?: ViewScreen | undefined },
): Promise<{ rows: ViewRow[]; total: number }> {
  const where = allOf([visible(reader), query.screen && sql`v.screen = ${query.screen}`])
  const found = await sql<Row>`${rows} where ${where} order by lower(v.name), v.id ${limits(query)}`.execute(
    db,
  )
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from view v where ${where}`.execute(db)
  return { rows: found.rows.map(read), total: counted.rows[0]!.total }
}

/** A view that somebody sees; null for one that does not exist or is not for them. */
export async function findView({ db }: Db, reader: ViewReader, id: string): Promise<ViewRow | null> {
  const found = await sql<Row>`${rows} where v.id = ${id} and ${visible(reader)}`.execute(db)
  return found.rows[0] ? read(found.rows[0]) : null
}

/** The teams that somebody is in, less those that the account service names no more. */
export const teamsWith = ({ db }: Db, personId: string): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('team')
    .select(['id', 'name'])
    .where('stale_since', 'is', null)
    .where(sql<boolean>`id in (${teamsOf(personId)})`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()

export type ViewValues = { screen: ViewScreen; name: string; query: object; audience: ViewAudience }
const rowOf = ({ screen, name, query, audience }: ViewValues) => ({
  screen,
  name,
  query: JSON.stringify(query),
  team_id: audience.kind === 'team' ? audience.teamId : null,
  for_everybody: audience.kind === 'everybody',
})

const names = ['view_own_name', 'view_team_name', 'view_common_name']
const unlessTaken = async <T>(work: () => Promise<T>): Promise<T | 'name-taken'> => {
  try {
    return await work()
  } catch (error) {
    if (names.some((name) => isTaken(error, name))) return 'name-taken'
    throw error
  }
}

/** Stores a new view, unless its author has as many as one person may. */
export const insertView = (
  { db }: Db,
  view: { id: string; authorId: string; most: number; values: ViewValues },
): Promise<'saved' | 'name-taken' | 'too-many'> =>
  unlessTaken(() =>
    inTransaction(db, async (trx) => {
      await takeAdvisoryLock(trx, `views ${view.authorId}`)
      const counted = await sql<{ count: number }>`
        select count(*)::int as count from view where author_id = ${view.authorId}`.execute(trx)
      if (counted.rows[0]!.count >= view.most) return 'too-many' as const
      await trx
        .insertInto('view')
        .values({ id: view.id, author_id: view.authorId, ...rowOf(view.values) })
        .execute()
      return 'saved' as const
    }),
  )

/** Replaces a view, when it is still that of `version`. */
export const replaceView = (
  { db }: Db,
  view: { id: string; version: number; values: ViewValues },
): Promise<'saved' | 'name-taken' | 'edit-conflict'> =>
  unlessTaken(() =>
    inTransaction(db, async (trx) => {
      const done = await trx
        .updateTable('view')
        .set({ ...rowOf(view.values), version: view.version + 1, updated_at: sql<Date>`now()` })
        .where('id', '=', view.id)
        .where('version', '=', view.version)
        .executeTakeFirst()
      if (done.numUpdatedRows === 0n) return 'edit-conflict' as const
      // People who no longer see it keep the name that they knew.
      await sql`update default_view d set name = v.name from view v where v.id = ${view.id} and d.view_id = v.id
        and (v.author_id = d.person_id or v.for_everybody or exists (
          select from team_member m where m.team_id = v.team_id and m.person_id = d.person_id))`.execute(trx)
      return 'saved' as const
    }),
  )

/** Deletes a view. For whom it was the default, is notified, but for whoever deletes it. */
export const removeView = ({ db }: Db, id: string, personId: string): Promise<unknown> =>
  inTransaction(db, async (trx) => {
    await trx.deleteFrom('default_view').where('view_id', '=', id).where('person_id', '=', personId).execute()
    await trx.deleteFrom('view').where('id', '=', id).execute()
  })

export type DefaultRow = { screen: ViewScreen; name: string; viewId: string | null; view: ViewRow | null }

/** The views with which screens open for somebody; one that they no longer see is null. */
export async function listDefaults({ db }: Db, reader: ViewReader): Promise<DefaultRow[]> {
  const chosen = await db
    .selectFrom('default_view')
    .select(['screen', 'name', 'view_id as viewId'])
    .where('person_id', '=', reader.id)
    .orderBy('screen')
    .execute()
  const ids = chosen.flatMap(({ viewId }) => viewId ?? [])
  if (ids.length === 0) return chosen.map((row) => ({ ...row, view: null }))
  const found = await sql<Row>`${rows} where v.id = any(${ids}::uuid[]) and ${visible(reader)}`.execute(db)
  const views = new Map(found.rows.map((row) => [row.id, read(row)]))
  return chosen.map((row) => ({ ...row, view: views.get(row.viewId ?? '') ?? null }))
}

/** Sets the view with which a screen opens for somebody; null for none. */
export async function keepDefault(
  { db }: Db,
  { personId, screen, view }: { personId: string; screen: ViewScreen; view: ViewRow | null },
): Promise<void> {
  if (view === null) {
    await db
      .deleteFrom('default_view')
      .where('person_id', '=', personId)
      .where('screen', '=', screen)
      .execute()
    return
  }
  // One that is deleted meanwhile is none.
  await sql`insert into default_view (person_id, screen, view_id, name)
    select ${personId}, screen, id, name from view where id = ${view.id} for key share
    on conflict (person_id, screen) do update set view_id = excluded.view_id, name = excluded.name`.execute(
    db,
  )
}
