import { inTransaction } from '../../kit/database.ts'
import { rolesOnAllScans } from '@clearway/contract/kit/permission.ts'
import { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import { newId } from '../../kit/id.ts'
import { limits } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import type { RunRow } from '../run/table.ts'
import { Payload, type RunPayload } from './model.ts'
import type { NotificationTables } from './table.ts'
import { readStored, StoredDataError } from '../../kit/stored.ts'

type Db = { db: MonitorDb }
export type DeliveryRow = Selectable<NotificationTables['delivery']>
export type Delivery = Omit<DeliveryRow, 'payload'> & { payload: Payload }

/** Whether somebody wants to be notified of the runs of a scan. */
export async function subscribes({ db }: Db, scanId: string, personId: string): Promise<boolean> {
  const query = db.selectFrom('subscriber').select('scan_id').where('scan_id', '=', scanId)
  return (await query.where('person_id', '=', personId).executeTakeFirst()) !== undefined
}

export async function keepSubscription(
  db: MonitorDb,
  scanId: string,
  personId: string,
  on: boolean,
): Promise<void> {
  if (on)
    await db
      .insertInto('subscriber')
      .values({ scan_id: scanId, person_id: personId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await db
      .deleteFrom('subscriber')
      .where('scan_id', '=', scanId)
      .where('person_id', '=', personId)
      .execute()
}

export type Ended = {
  run: RunRow
  scanName: string
  settings: ScanSettings
  change: z.output<typeof RunChange> | null
}

/**
 * Takes one run that has ended, and writes what `compose` makes of it, in one transaction. One that fails waits a few
 * minutes, so that the others get their turn.
 * @returns false when there is none
 */
export async function takeEnded(
  { db }: Db,
  compose: (trx: MonitorDb, ended: Ended) => Promise<NewDelivery[]>,
): Promise<boolean> {
  let taken: string | null = null
  const take = async (trx: MonitorDb): Promise<boolean> => {
    const { rows } = await sql<{ run_id: string }>`delete from ended_run where run_id =
      (select run_id from ended_run where at <= now() order by at limit 1 for update skip locked)
      returning run_id`.execute(trx)
    const id = rows[0]?.run_id
    if (id === undefined) return false
    taken = id
    const run = await trx.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const scan = await trx
      .selectFrom('scan')
      .innerJoin('run_plan', (join) => join.onTrue())
      .select(['scan.name', 'scan.settings', 'run_plan.change'])
      .where('scan.id', '=', run.scan_id)
      .where('run_plan.run_id', '=', id)
      .where('scan.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!scan) return true
    const change = readStored(z.nullable(RunChange), scan.change, `The plan of the run ${id}`)
    const settings = readStored(ScanSettings, scan.settings, `The scan ${run.scan_id}`)
    await insertDeliveries(trx, await compose(trx, { run, scanName: scan.name, settings, change }))
    return true
  }
  try {
    return await inTransaction(db, take)
  } catch (error) {
    if (taken !== null)
      await sql`update ended_run set at = now() + interval '5 minutes' where run_id = ${taken}`.execute(db)
    throw error
  }
}

export type NewDelivery = {
  kind: 'mail' | 'webhook'
  scanId: string
  webhookId: string | null
  runNumber: number | null
  /** Of a mail about a comment: nobody gets two about one. */
  commentId?: string
  receiver: string
  payload: Payload
}

/** Writes messages to be delivered from now on. */
export async function insertDeliveries(db: MonitorDb, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  const rows = deliveries.map((delivery) => ({
    id: newId(),
    kind: delivery.kind,
    scan_id: delivery.scanId,
    webhook_id: delivery.webhookId,
    run_number: delivery.runNumber,
    comment_id: delivery.commentId ?? null,
    event: delivery.payload.event,
    receiver: delivery.receiver,
    payload: JSON.stringify(delivery.payload),
    next_at: sql<Date>`now()`,
  }))
  await db
    .insertInto('delivery')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['comment_id', 'receiver']).where('comment_id', 'is not', null).doNothing(),
    )
    .execute()
}

export type Reader = { email: string; language: string | null }

/**
 * Who is notified of a scan by mail: members of its teams when they are all to, and those who asked for it while they still have
 * a role on it (an admin has one on every scan).
 */
export async function mailReaders(db: MonitorDb, scanId: string, allTeamMembers: boolean): Promise<Reader[]> {
  const given = sql`select a.team_id, a.person_id from scan_access a
    left join scan_group_scan gs on gs.group_id = a.group_id
    where coalesce(a.scan_id, gs.scan_id) = ${scanId}`
  const { rows } = await sql<Reader>`
    with given as (${given}), entitled as (
      select m.person_id from given join team_member m on m.team_id = given.team_id
      union select person_id from given where person_id is not null)
    select distinct on (lower(p.email)) p.email, p.language from person p
    where p.email is not null and p.deactivated_at is null and (
      (${allTeamMembers} and p.id in (select m.person_id from given join team_member m on m.team_id = given.team_id))
      or (p.id in (select person_id from subscriber where scan_id = ${scanId})
        and (p.role = any(${rolesOnAllScans}) or p.id in (select person_id from entitled))))
    order by lower(p.email), p.language nulls last`.execute(db)
  return rows
}

/** The language in which people with these addresses read, as far as it is known. */
export async function languagesOf(db: MonitorDb, emails: readonly string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{
    email: string
    language: string
  }>`select lower(email) as email, max(language) as language
    from person where lower(email) = any(${emails.map((e) => e.toLowerCase())}::text[]) and language is not null
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.email, row.language]))
}

const leaseSeconds = 120

/**
 * Takes messages that are due, for a while: a process that dies gives them back by itself. Those that cannot be read are
 * given up here.
 */
export async function claimDeliveries({ db }: Db, limit: number): Promise<Delivery[]> {
  const { rows } = await sql<DeliveryRow>`update delivery set attempts = attempts + 1,
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id in (select id from delivery where state = 'waiting' and next_at <= now()
      and (lease_until is null or lease_until < now()) order by next_at limit ${limit} for update skip locked)
    returning *`.execute(db)
  const deliveries: Delivery[] = []
  for (const row of rows)
    try {
      deliveries.push({ ...row, payload: readStored(Payload, row.payload, `The message ${row.id}`) })
    } catch (error) {
      if (!(error instanceof StoredDataError)) throw error
      await recordDelivery({ db }, row.id, { status: null, error: error.message, againMs: null })
    }
  return deliveries
}

export type Outcome = { status: number | null; error: string | null; againMs: number | null }

/** Keeps what came of a try: delivered without an error, tried again after `againMs`, else given up. */
export async function recordDelivery(
  { db }: Db,
  id: string,
  { status, error, againMs }: Outcome,
): Promise<void> {
  const state = error === null ? 'delivered' : againMs ? 'waiting' : 'failed'
  await db
    .updateTable('delivery')
    .set({
      state,
      last_status: status,
      last_error: error?.slice(0, 500) ?? null,
      next_at: state === 'waiting' ? sql<Date>`now() + make_interval(secs => ${againMs! / 1000})` : null,
      lease_until: null,
      ...(state === 'delivered' && { delivered_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .execute()
}

/** Takes back a message that nobody should get any more. */
export async function deleteDelivery({ db }: Db, id: string): Promise<void> {
  await db.deleteFrom('delivery').where('id', '=', id).execute()
}

/** Messages are kept for a month to be seen. */
export async function dropOldDeliveries({ db }: Db): Promise<void> {
  await sql`delete from delivery where state <> 'waiting' and created_at < now() - interval '30 days'`.execute(
    db,
  )
}

/** A message about a run, or a test of its webhook. */
export type WebhookDelivery = DeliveryRow & { event: RunPayload['event'] }

/** What a URL was notified of, newest first. */
export async function deliveriesOf(
  { db }: Db,
  webhookId: string,
  query: { page: number; size: number },
): Promise<{ rows: WebhookDelivery[]; total: number }> {
  const { rows } = await sql<WebhookDelivery>`select * from delivery where webhook_id = ${webhookId}
    order by created_at desc, id desc ${limits(query)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from delivery
    where webhook_id = ${webhookId}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}
