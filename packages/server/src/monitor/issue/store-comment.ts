import { sql } from 'kysely'
import { newId } from '../../kit/id.ts'
import type { MonitorDb } from '../database.ts'

type Db = { db: MonitorDb }
export type CommentRow = {
  id: string
  text: string
  author_id: string
  author: string | null
  created_at: Date
}

const columns = sql`c.id, c.text, c.author_id, c.created_at,
  coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.username) as author`

/** Comments on an issue, oldest first; a thousand at most. */
export async function listComments({ db }: Db, issueId: string): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`select ${columns} from issue_comment c
    left join person p on p.id = c.author_id where c.issue_id = ${issueId} order by c.id limit 1000`.execute(
    db,
  )
  return rows
}

export async function insertComment(
  { db }: Db,
  comment: { issueId: string; authorId: string; text: string },
): Promise<CommentRow> {
  const { rows } = await sql<CommentRow>`
    with c as (insert into issue_comment (id, issue_id, author_id, text)
      values (${newId()}, ${comment.issueId}, ${comment.authorId}, ${comment.text}) returning *)
    select ${columns} from c left join person p on p.id = c.author_id`.execute(db)
  return rows[0]!
}

/** Deletes a comment of an issue; only the author's own when `authorId` is given. False when there is no such one. */
export async function deleteComment(
  { db }: Db,
  comment: { issueId: string; id: string; authorId: string | null },
): Promise<boolean> {
  const own = comment.authorId === null ? sql`true` : sql`author_id = ${comment.authorId}`
  const { rows } = await sql`delete from issue_comment
    where id = ${comment.id} and issue_id = ${comment.issueId} and ${own} returning id`.execute(db)
  return rows.length > 0
}
