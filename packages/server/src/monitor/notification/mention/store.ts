import { type Selectable, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type { NotificationTables } from '../table.ts'

export type MentionReader = { email: string; language: string | null }

/** Those of the given people who can receive mail and have not opted out of mention mails. */
export async function findMentionReaders(db: MonitorDb, personIds: readonly string[]): Promise<MentionReader[]> {
  const { rows: readerRows } = await sql<MentionReader>`select email, language from person
    where id = any(${[...personIds]}::text[]) and email is not null and deactivated_at is null and mention_mails`.execute(db)
  return readerRows
}

export type CommentSubject = { scanName: string; rule: string; help: string | null }

export async function findCommentSubject(db: MonitorDb, issueId: string): Promise<CommentSubject | null> {
  const { rows: subjectRows } = await sql<CommentSubject>`select s.name as "scanName", i.rule,
      (select rule.help from rule where rule.name = i.rule order by rule.id desc limit 1) as help
    from issue i join scan s on s.id = i.scan_id where i.id = ${issueId}`.execute(db)
  return subjectRows[0] ?? null
}

/** Ids of people currently mentioned in a message's comment; empty if the comment or its scan is deleted. */
export async function readCurrentMentions(
  db: MonitorDb,
  { comment_id }: Pick<Selectable<NotificationTables['delivery']>, 'comment_id'>,
): Promise<string[]> {
  const { rows: mentionRows } = await sql<{ mentions: string[] }>`select c.mentions from issue_comment c
    join issue i on i.id = c.issue_id join scan s on s.id = i.scan_id and s.deleted_at is null
    where c.id = ${comment_id}`.execute(db)
  return mentionRows[0]?.mentions ?? []
}

export async function updateQueuedText(db: MonitorDb, commentId: string, text: string): Promise<void> {
  await sql`update delivery set payload = jsonb_set(payload, '{text}', to_jsonb(${text}::text))
    where comment_id = ${commentId} and state = 'waiting'`.execute(db)
}
