import { type Selectable, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type { NotificationTables } from '../table.ts'

export type Reader = { email: string; language: string | null }

/** Those of some people who can get mail, and want it when a comment mentions them. */
export async function mentionReaders(db: MonitorDb, people: readonly string[]): Promise<Reader[]> {
  const { rows } = await sql<Reader>`select email, language from person
    where id = any(${[...people]}::text[]) and email is not null and deactivated_at is null and mention_mails`.execute(
    db,
  )
  return rows
}

export type Subject = { scanName: string; rule: string; help: string | null }

/** What a comment is about: the issue, and the scan that has it. */
export async function subjectOfComment(db: MonitorDb, issueId: string): Promise<Subject | null> {
  const { rows } = await sql<Subject>`select s.name as "scanName", i.rule,
      (select rule.help from rule where rule.name = i.rule order by rule.id desc limit 1) as help
    from issue i join scan s on s.id = i.scan_id where i.id = ${issueId}`.execute(db)
  return rows[0] ?? null
}

/** The people whom the comment of a message mentions now; nobody if it or its scan is gone. */
export async function mentionedNow(
  db: MonitorDb,
  { comment_id }: Pick<Selectable<NotificationTables['delivery']>, 'comment_id'>,
): Promise<string[]> {
  const { rows } = await sql<{ mentions: string[] }>`select c.mentions from issue_comment c
    join issue i on i.id = c.issue_id join scan s on s.id = i.scan_id and s.deleted_at is null
    where c.id = ${comment_id}`.execute(db)
  return rows[0]?.mentions ?? []
}

/** What waits to be sent about a comment says what the comment says now. */
export async function retell(db: MonitorDb, commentId: string, text: string): Promise<void> {
  await sql`update delivery set payload = jsonb_set(payload, '{text}', to_jsonb(${text}::text))
    where comment_id = ${commentId} and state = 'waiting'`.execute(db)
}
