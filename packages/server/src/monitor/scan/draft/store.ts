import { draftDays, draftsPerPerson, ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { sql } from 'kysely'
import { takeAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { inTransaction } from '../../../kit/database.ts'
import { newId } from '../../../kit/id.ts'
import { readIfSound } from '../../../kit/stored.ts'
import type { MonitorDb } from '../../database.ts'

type Db = { db: MonitorDb }
type DraftKey = { personId: string; scanId: string | null; begunWith: string }

const matches = ({ personId, scanId, begunWith }: DraftKey) =>
  sql<boolean>`person_id = ${personId} and scan_id is not distinct from ${scanId}::uuid and begun_with = ${begunWith}`

/** A draft; null if there is none or it cannot be read. */
export async function findDraft({ db }: Db, key: DraftKey): Promise<ScanDraft | null> {
  const row = await db.selectFrom('scan_draft').select('content').where(matches(key)).executeTakeFirst()
  return row ? readIfSound(ScanDraft, row.content) : null
}

/** Saves a draft in place of the previous one, and deletes the person's oldest drafts beyond the limit. */
export const insertDraft = ({ db }: Db, key: DraftKey, draft: ScanDraft): Promise<void> =>
  inTransaction(db, async (trx) => {
    const { personId, scanId, begunWith } = key
    await takeAdvisoryLock(trx, `drafts ${personId}`)
    // A scan that was deleted meanwhile gets no draft.
    await sql`insert into scan_draft (id, person_id, scan_id, begun_with, content)
      select ${newId()}, ${personId}, one.id, ${begunWith}, ${JSON.stringify(draft)}::jsonb
      from (select ${scanId}::uuid as id) one
      where one.id is null or exists (select from scan where scan.id = one.id for key share)
      on conflict (person_id, scan_id, begun_with) do update set content = excluded.content, saved_at = now()`.execute(
      trx,
    )
    await sql`delete from scan_draft where person_id = ${personId} and id not in (
      select id from scan_draft where person_id = ${personId} order by saved_at desc limit ${draftsPerPerson})`.execute(
      trx,
    )
  })

export async function removeDraft({ db }: Db, key: DraftKey): Promise<void> {
  await db.deleteFrom('scan_draft').where(matches(key)).execute()
}

export async function removeOldDrafts({ db }: Db): Promise<void> {
  await sql`delete from scan_draft where saved_at < now() - make_interval(days => ${draftDays})`.execute(db)
}
