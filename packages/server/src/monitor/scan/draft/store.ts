import { draftRetentionDays, maxDraftsPerPerson, ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { sql } from 'kysely'
import { acquireAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { inTransaction } from '../../../kit/database.ts'
import { createId } from '../../../kit/id.ts'
import { parseStoredOrNull } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'

type DatabaseDeps = { db: MonitorDb }
type DraftKey = { personId: string; scanId: string | null; begunWith: string }

const matchesKey = ({ personId, scanId, begunWith }: DraftKey) =>
  sql<boolean>`person_id = ${personId} and scan_id is not distinct from ${scanId}::uuid and begun_with = ${begunWith}`

/** A draft; null if there is none or it cannot be read. */
export async function findDraft({ db }: DatabaseDeps, key: DraftKey): Promise<ScanDraft | null> {
  const draftRow = await db.selectFrom('scan_draft').select('content').where(matchesKey(key)).executeTakeFirst()
  return draftRow ? parseStoredOrNull(ScanDraft, draftRow.content) : null
}

/** Saves a draft in place of the previous one, and deletes the person's oldest drafts beyond the limit. */
export const insertDraft = ({ db }: DatabaseDeps, key: DraftKey, draft: ScanDraft): Promise<void> =>
  inTransaction(db, async (trx) => {
    const { personId: draftPersonId, scanId: draftScanId, begunWith: startedFrom } = key
    await acquireAdvisoryLock(trx, `drafts ${draftPersonId}`)
    // A scan that was deleted in the meantime gets no draft.
    await sql`insert into scan_draft (id, person_id, scan_id, begun_with, content)
      select ${createId()}, ${draftPersonId}, one.id, ${startedFrom}, ${JSON.stringify(draft)}::jsonb
      from (select ${draftScanId}::uuid as id) one
      where one.id is null or exists (select from scan where scan.id = one.id for key share)
      on conflict (person_id, scan_id, begun_with) do update set content = excluded.content, saved_at = now()`.execute(trx)
    await sql`delete from scan_draft where person_id = ${draftPersonId} and id not in (
      select id from scan_draft where person_id = ${draftPersonId} order by saved_at desc limit ${maxDraftsPerPerson})`.execute(
      trx,
    )
  })

export async function removeDraft({ db }: DatabaseDeps, key: DraftKey): Promise<void> {
  await db.deleteFrom('scan_draft').where(matchesKey(key)).execute()
}

export async function deleteOldDrafts({ db }: DatabaseDeps): Promise<void> {
  await sql`delete from scan_draft where saved_at < now() - make_interval(days => ${draftRetentionDays})`.execute(db)
}
