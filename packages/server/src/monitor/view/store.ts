import type { ViewAudience, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { filterKnownQuery } from '@clearway/contract/monitor/view/model.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import { acquireAdvisoryLock } from '../../kit/advisory-lock.ts'
import { inTransaction, isUniqueViolation } from '../../kit/database.ts'
import { joinConditions, buildLimitClause } from '../../kit/paging.ts'
import { parseStored } from '../../kit/stored.ts'
import { buildPersonName } from '../access/table.ts'
import type { MonitorDb } from '../database.ts'
import type { ViewTables } from './table.ts'

type DatabaseDeps = { db: MonitorDb }
type RawViewRow = Selectable<ViewTables['view']> & { team_name: string | null; author: string | null }
export type ViewRow = Omit<RawViewRow, 'query'> & { query: ReturnType<typeof filterKnownQuery> }
/** A reader of views; readers who see all scans also see the views of all teams. */
export type ViewReader = { id: string; seesTeams: boolean }

const StoredQuery = z.record(z.string(), z.unknown())
const parseViewRow = (row: RawViewRow): ViewRow => ({
  ...row,
  query: filterKnownQuery(row.screen, parseStored(StoredQuery, row.query, `The view ${row.id}`)),
})

const selectTeamIds = (personId: string) => sql`select team_id from team_member where person_id = ${personId}`
const isVisibleTo = ({ id, seesTeams }: ViewReader): RawBuilder<boolean> =>
  sql`(v.author_id = ${id} or v.for_everybody or v.team_id ${seesTeams ? sql`is not null` : sql`in (${selectTeamIds(id)})`})`
const selectViews = sql`select v.*, t.name as team_name, ${buildPersonName('p')} as author
  from view v left join team t on t.id = v.team_id left join person p on p.id = v.author_id`

export async function listViews(
  { db }: DatabaseDeps,
  reader: ViewReader,
  query: { page: number; size: number; screen?: ViewScreen | undefined },
): Promise<{ rows: ViewRow[]; total: number }> {
  const viewFilter = joinConditions([isVisibleTo(reader), query.screen && sql`v.screen = ${query.screen}`])
  const viewResult =
    await sql<RawViewRow>`${selectViews} where ${viewFilter} order by lower(v.name), v.id ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{ total: number }>`
    select count(*)::int as total from view v where ${viewFilter}`.execute(db)
  return { rows: viewResult.rows.map(parseViewRow), total: countResult.rows[0]!.total }
}

/** A view; null if it does not exist or is not visible to the reader. */
export async function findView({ db }: DatabaseDeps, reader: ViewReader, viewId: string): Promise<ViewRow | null> {
  const viewResult = await sql<RawViewRow>`${selectViews} where v.id = ${viewId} and ${isVisibleTo(reader)}`.execute(db)
  return viewResult.rows[0] ? parseViewRow(viewResult.rows[0]) : null
}

/** A person's teams, except those that the account service no longer lists. */
export const listTeamsOfPerson = ({ db }: DatabaseDeps, personId: string): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('team')
    .select(['id', 'name'])
    .where('stale_since', 'is', null)
    .where(sql<boolean>`id in (${selectTeamIds(personId)})`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()

export type ViewValues = { screen: ViewScreen; name: string; query: object; audience: ViewAudience }
const toViewColumns = ({ screen, name, query, audience }: ViewValues) => ({
  screen,
  name,
  query: JSON.stringify(query),
  team_id: audience.kind === 'team' ? audience.teamId : null,
  for_everybody: audience.kind === 'everybody',
})

const uniqueConstraints = ['view_own_name', 'view_team_name', 'view_common_name']
const refuseTakenName = async <T>(work: () => Promise<T>): Promise<T | 'name-taken'> => {
  try {
    return await work()
  } catch (error) {
    if (uniqueConstraints.some((name) => isUniqueViolation(error, name))) return 'name-taken'
    throw error
  }
}

/** Stores a new view, unless its author has reached the quota. */
export const insertView = (
  { db }: DatabaseDeps,
  view: { id: string; authorId: string; maxViews: number; values: ViewValues },
): Promise<'saved' | 'name-taken' | 'too-many'> =>
  refuseTakenName(() =>
    inTransaction(db, async (trx) => {
      await acquireAdvisoryLock(trx, `views ${view.authorId}`)
      const countResult = await sql<{ count: number }>`
        select count(*)::int as count from view where author_id = ${view.authorId}`.execute(trx)
      if (countResult.rows[0]!.count >= view.maxViews) return 'too-many' as const
      await trx
        .insertInto('view')
        .values({ id: view.id, author_id: view.authorId, ...toViewColumns(view.values) })
        .execute()
      return 'saved' as const
    }),
  )

/** Replaces a view while it still has `version`. */
export const replaceView = (
  { db }: DatabaseDeps,
  view: { id: string; version: number; values: ViewValues },
): Promise<'saved' | 'name-taken' | 'edit-conflict'> =>
  refuseTakenName(() =>
    inTransaction(db, async (trx) => {
      const updateResult = await trx
        .updateTable('view')
        .set({ ...toViewColumns(view.values), version: view.version + 1, updated_at: sql<Date>`now()` })
        .where('id', '=', view.id)
        .where('version', '=', view.version)
        .executeTakeFirst()
      if (updateResult.numUpdatedRows === 0n) return 'edit-conflict' as const
      // People who no longer see the view keep the last name that was visible to them.
      await sql`update default_view d set name = v.name from view v where v.id = ${view.id} and d.view_id = v.id
        and (v.author_id = d.person_id or v.for_everybody or exists (
          select from team_member m where m.team_id = v.team_id and m.person_id = d.person_id))`.execute(trx)
      return 'saved' as const
    }),
  )

/** Deletes a view. People who had it as default are notified, except the one who deletes it. */
export const removeView = ({ db }: DatabaseDeps, viewId: string, personId: string): Promise<unknown> =>
  inTransaction(db, async (trx) => {
    await trx.deleteFrom('default_view').where('view_id', '=', viewId).where('person_id', '=', personId).execute()
    await trx.deleteFrom('view').where('id', '=', viewId).execute()
  })

export type DefaultRow = { screen: ViewScreen; name: string; viewId: string | null; view: ViewRow | null }

/** A reader's default views of screens; a view that is no longer visible is null. */
export async function listDefaults({ db }: DatabaseDeps, reader: ViewReader): Promise<DefaultRow[]> {
  const defaultRows = await db
    .selectFrom('default_view')
    .select(['screen', 'name', 'view_id as viewId'])
    .where('person_id', '=', reader.id)
    .orderBy('screen')
    .execute()
  const viewIds = defaultRows.flatMap(({ viewId }) => viewId ?? [])
  if (viewIds.length === 0) return defaultRows.map((row) => ({ ...row, view: null }))
  const viewResult =
    await sql<RawViewRow>`${selectViews} where v.id = any(${viewIds}::uuid[]) and ${isVisibleTo(reader)}`.execute(db)
  const viewsById = new Map(viewResult.rows.map((row) => [row.id, parseViewRow(row)]))
  return defaultRows.map((row) => ({ ...row, view: viewsById.get(row.viewId ?? '') ?? null }))
}

/** Sets a person's default view of a screen; null for none. */
export async function storeDefault(
  { db }: DatabaseDeps,
  { personId, screen, view }: { personId: string; screen: ViewScreen; view: ViewRow | null },
): Promise<void> {
  if (view === null) {
    await db.deleteFrom('default_view').where('person_id', '=', personId).where('screen', '=', screen).execute()
    return
  }
  // A view that was deleted in the meantime is not set.
  await sql`insert into default_view (person_id, screen, view_id, name)
    select ${personId}, screen, id, name from view where id = ${view.id} for key share
    on conflict (person_id, screen) do update set view_id = excluded.view_id, name = excluded.name`.execute(db)
}
