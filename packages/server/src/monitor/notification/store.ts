import { inTransaction } from '../../kit/database.ts'
import { allScanRoles } from '@clearway/contract/kit/permission.ts'
import { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import { createId } from '../../kit/id.ts'
import { buildLimitClause } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import type { RunRow } from '../run/table.ts'
import { Payload, type RunPayload } from './model.ts'
import type { NotificationTables } from './table.ts'
import { parseStored, StoredDataError } from '../../kit/stored.ts'

type DatabaseDeps = { db: MonitorDb }
export type DeliveryRow = Selectable<NotificationTables['delivery']>
export type Delivery = Omit<DeliveryRow, 'payload'> & { payload: Payload }

export async function subscribes({ db }: DatabaseDeps, scanId: string, personId: string): Promise<boolean> {
  const subscriberQuery = db.selectFrom('subscriber').select('scan_id').where('scan_id', '=', scanId)
  return (await subscriberQuery.where('person_id', '=', personId).executeTakeFirst()) !== undefined
}

export async function setSubscription(db: MonitorDb, scanId: string, personId: string, isSubscribing: boolean): Promise<void> {
  if (isSubscribing)
    await db
      .insertInto('subscriber')
      .values({ scan_id: scanId, person_id: personId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('subscriber').where('scan_id', '=', scanId).where('person_id', '=', personId).execute()
}

export type EndedRun = { run: RunRow; scanName: string; settings: ScanSettings; change: z.output<typeof RunChange> | null }

/**
 * Takes one ended run and queues the messages of `compose`, in one transaction; after an error it waits a few minutes.
 * @returns false when there is none
 */
export async function processEndedRun(
  { db }: DatabaseDeps,
  compose: (trx: MonitorDb, ended: EndedRun) => Promise<NewDelivery[]>,
): Promise<boolean> {
  let takenRunId: string | null = null
  const takeNext = async (trx: MonitorDb): Promise<boolean> => {
    const { rows: endedRows } = await sql<{ run_id: string }>`delete from ended_run where run_id =
      (select run_id from ended_run where at <= now() order by at limit 1 for update skip locked)
      returning run_id`.execute(trx)
    const runId = endedRows[0]?.run_id
    if (runId === undefined) return false
    takenRunId = runId
    const runRow = await trx.selectFrom('run').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
    const scanRow = await trx
      .selectFrom('scan')
      .innerJoin('run_plan', (join) => join.onTrue())
      .select(['scan.name', 'scan.settings', 'run_plan.change'])
      .where('scan.id', '=', runRow.scan_id)
      .where('run_plan.run_id', '=', runId)
      .where('scan.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!scanRow) return true
    const runChange = parseStored(z.nullable(RunChange), scanRow.change, `The plan of the run ${runId}`)
    const scanSettings = parseStored(ScanSettings, scanRow.settings, `The scan ${runRow.scan_id}`)
    await insertDeliveries(
      trx,
      await compose(trx, { run: runRow, scanName: scanRow.name, settings: scanSettings, change: runChange }),
    )
    return true
  }
  try {
    return await inTransaction(db, takeNext)
  } catch (error) {
    if (takenRunId !== null)
      await sql`update ended_run set at = now() + interval '5 minutes' where run_id = ${takenRunId}`.execute(db)
    throw error
  }
}

export type NewDelivery = {
  kind: 'mail' | 'webhook'
  scanId: string
  webhookId: string | null
  runNumber: number | null
  /** Only for a mail about a comment; a receiver gets at most one per comment. */
  commentId?: string
  receiver: string
  payload: Payload
}

export async function insertDeliveries(db: MonitorDb, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  const deliveryRows = deliveries.map((delivery) => ({
    id: createId(),
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
    .values(deliveryRows)
    .onConflict((conflict) => conflict.columns(['comment_id', 'receiver']).where('comment_id', 'is not', null).doNothing())
    .execute()
}

export type MailReader = { email: string; language: string | null }

/** Receivers of mails about a scan: members of its teams if all are notified, and subscribers who still have a role on it. */
export async function findMailReaders(db: MonitorDb, scanId: string, allTeamMembers: boolean): Promise<MailReader[]> {
  const selectGrants = sql`select a.team_id, a.person_id from scan_access a
    left join scan_group_scan gs on gs.group_id = a.group_id
    where coalesce(a.scan_id, gs.scan_id) = ${scanId}`
  const { rows: readerRows } = await sql<MailReader>`
    with given as (${selectGrants}), entitled as (
      select m.person_id from given join team_member m on m.team_id = given.team_id
      union select person_id from given where person_id is not null)
    select distinct on (lower(p.email)) p.email, p.language from person p
    where p.email is not null and p.deactivated_at is null and (
      (${allTeamMembers} and p.id in (select m.person_id from given join team_member m on m.team_id = given.team_id))
      or (p.id in (select person_id from subscriber where scan_id = ${scanId})
        and (p.role = any(${allScanRoles}) or p.id in (select person_id from entitled))))
    order by lower(p.email), p.language nulls last`.execute(db)
  return readerRows
}

export async function findLanguages(db: MonitorDb, emails: readonly string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map()
  const { rows: languageRows } = await sql<{
    email: string
    language: string
  }>`select lower(email) as email, max(language) as language
    from person where lower(email) = any(${emails.map((e) => e.toLowerCase())}::text[]) and language is not null
    group by 1`.execute(db)
  return new Map(languageRows.map((row) => [row.email, row.language]))
}

const deliveryLeaseSeconds = 120

/** Claims due messages with a lease, which expires when the process dies. Unreadable messages are given up here. */
export async function claimDeliveries({ db }: DatabaseDeps, limit: number): Promise<Delivery[]> {
  const { rows: claimedRows } = await sql<DeliveryRow>`update delivery set attempts = attempts + 1,
      lease_until = now() + make_interval(secs => ${deliveryLeaseSeconds})
    where id in (select id from delivery where state = 'waiting' and next_at <= now()
      and (lease_until is null or lease_until < now()) order by next_at limit ${limit} for update skip locked)
    returning *`.execute(db)
  const claimedDeliveries: Delivery[] = []
  for (const row of claimedRows)
    try {
      claimedDeliveries.push({ ...row, payload: parseStored(Payload, row.payload, `The message ${row.id}`) })
    } catch (error) {
      if (!(error instanceof StoredDataError)) throw error
      await recordDelivery({ db }, row.id, { status: null, error: error.message, retryDelayMs: null })
    }
  return claimedDeliveries
}

export type DeliveryOutcome = { status: number | null; error: string | null; retryDelayMs: number | null }

/** Records an attempt: delivered without an error, retried after `retryDelayMs`, or else given up. */
export async function recordDelivery(
  { db }: DatabaseDeps,
  deliveryId: string,
  { status, error, retryDelayMs }: DeliveryOutcome,
): Promise<void> {
  const deliveryState = error === null ? 'delivered' : retryDelayMs ? 'waiting' : 'failed'
  await db
    .updateTable('delivery')
    .set({
      state: deliveryState,
      last_status: status,
      last_error: error?.slice(0, 500) ?? null,
      next_at: deliveryState === 'waiting' ? sql<Date>`now() + make_interval(secs => ${retryDelayMs! / 1000})` : null,
      lease_until: null,
      ...(deliveryState === 'delivered' && { delivered_at: sql<Date>`now()` }),
    })
    .where('id', '=', deliveryId)
    .execute()
}

export async function deleteDelivery({ db }: DatabaseDeps, deliveryId: string): Promise<void> {
  await db.deleteFrom('delivery').where('id', '=', deliveryId).execute()
}

/** Deletes finished messages after a month. */
export async function deleteOldDeliveries({ db }: DatabaseDeps): Promise<void> {
  await sql`delete from delivery where state <> 'waiting' and created_at < now() - interval '30 days'`.execute(db)
}

/** A message about a run, or a test of its webhook. */
export type WebhookDelivery = DeliveryRow & { event: RunPayload['event'] }

export async function listDeliveries(
  { db }: DatabaseDeps,
  webhookId: string,
  query: { page: number; size: number },
): Promise<{ rows: WebhookDelivery[]; total: number }> {
  const { rows: deliveryRows } = await sql<WebhookDelivery>`select * from delivery where webhook_id = ${webhookId}
    order by created_at desc, id desc ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*) as total from delivery
    where webhook_id = ${webhookId}`.execute(db)
  return { rows: deliveryRows, total: countResult.rows[0]?.total ?? 0 }
}
