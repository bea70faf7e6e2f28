import { type Annotation, maxAnnotations, type ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { sql } from 'kysely'
import { createId } from '../../../kit/id.ts'
import { inTransaction } from '../../../kit/database.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { buildTarget } from './table.ts'

type DatabaseDeps = { db: MonitorDb }

export async function findTarget({ db }: DatabaseDeps, scanId: string): Promise<ScoreTarget | null> {
  const { rows: targetRows } = await sql<{ target: ScoreTarget | null }>`
    select ${buildTarget('s')} as target from scan s where s.id = ${scanId}`.execute(db)
  return targetRows[0]?.target ?? null
}

export async function updateTarget({ db }: DatabaseDeps, scanId: string, target: ScoreTarget | null): Promise<void> {
  await sql`update scan set target_score = ${target?.score ?? null}, target_due = ${target?.dueOn ?? null}::date
    where id = ${scanId}`.execute(db)
}

const annotationColumns = sql`a.id, a.day::text as day, a.text, ${buildPersonName('p')} as author,
  to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`

export async function listAnnotations({ db }: DatabaseDeps, scanId: string): Promise<Annotation[]> {
  const { rows: annotationRows } = await sql<Annotation>`
    select ${annotationColumns} from scan_annotation a left join person p on p.id = a.author_id
    where a.scan_id = ${scanId} order by a.day, a.id limit ${maxAnnotations}`.execute(db)
  return annotationRows
}

/** Adds an annotation. Returns null if the scan has as many as it can have. */
export const insertAnnotation = (
  { db }: DatabaseDeps,
  annotation: { scanId: string; authorId: string; day: string; text: string },
): Promise<Annotation | null> =>
  inTransaction(db, async (trx) => {
    // Serializes writers, so that the limit holds.
    await sql`select from scan where id = ${annotation.scanId} for no key update`.execute(trx)
    const { rows: annotationRows } = await sql<Annotation>`
      with a as (insert into scan_annotation (id, scan_id, day, text, author_id)
        select ${createId()}::uuid, ${annotation.scanId}::uuid, ${annotation.day}::date, ${annotation.text}, ${annotation.authorId}
        where (select count(*) from scan_annotation where scan_id = ${annotation.scanId}) < ${maxAnnotations} returning *)
      select ${annotationColumns} from a left join person p on p.id = a.author_id`.execute(trx)
    return annotationRows[0] ?? null
  })

export async function deleteAnnotation({ db }: DatabaseDeps, scanId: string, annotationId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('scan_annotation')
    .where('scan_id', '=', scanId)
    .where('id', '=', annotationId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
