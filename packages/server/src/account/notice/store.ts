import { randomBytes } from 'node:crypto'
import type { AccountDb } from '../database.ts'

type Db = { db: AccountDb }
export type NoticeConfig = { message: string | null; version: number }
export type NoticeAnswer = { version: number; remindAt: Date | null }

export const readConfig = ({ db }: Db): Promise<NoticeConfig> =>
  db.selectFrom('global_config').select(['message', 'version']).executeTakeFirstOrThrow()

/** Sets the message; the version grows with every change, so that everybody sees it anew. */
export async function writeMessage({ db }: Db, message: string | null): Promise<void> {
  await db
    .updateTable('global_config')
    .set((set) => ({ message, version: set('version', '+', 1) }))
    .where('message', 'is distinct from', message)
    .execute()
}

export async function answerOf({ db }: Db, memberId: string): Promise<NoticeAnswer | null> {
  const query = db.selectFrom('notice_answer').select(['version', 'remind_at as remindAt'])
  return (await query.where('member_id', '=', memberId).executeTakeFirst()) ?? null
}

export async function keepAnswer({ db }: Db, memberId: string, answer: NoticeAnswer): Promise<void> {
  const row = { version: answer.version, remind_at: answer.remindAt }
  await db
    .insertInto('notice_answer')
    .values({ member_id: memberId, ...row })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(row))
    .execute()
}

/** A secret of this service by name; made when it is first asked for, the same for every process. */
export async function secretOf({ db }: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('secret')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirstOrThrow())
    .value
}
