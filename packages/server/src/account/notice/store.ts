import { randomBytes } from 'node:crypto'
import type { AccountDb } from '../database.ts'

type Db = { db: AccountDb }
export type NoticeConfig = { message: string | null; version: number }
export type NoticeAnswer = { version: number; remindAt: Date | null }

export const readConfig = ({ db }: Db): Promise<NoticeConfig> =>
  db.selectFrom('global_config').select(['message', 'version']).executeTakeFirstOrThrow()

/** Sets the message. The version grows with every change, so that all members see the notice again. */
export async function writeMessage({ db }: Db, message: string | null): Promise<void> {
  await db
    .updateTable('global_config')
    .set((expression) => ({ message, version: expression('version', '+', 1) }))
    .where('message', 'is distinct from', message)
    .execute()
}

export async function findNoticeAnswer({ db }: Db, memberId: string): Promise<NoticeAnswer | null> {
  const answerQuery = db.selectFrom('notice_answer').select(['version', 'remind_at as remindAt'])
  return (await answerQuery.where('member_id', '=', memberId).executeTakeFirst()) ?? null
}

export async function saveNoticeAnswer({ db }: Db, memberId: string, answer: NoticeAnswer): Promise<void> {
  const answerRow = { version: answer.version, remind_at: answer.remindAt }
  await db
    .insertInto('notice_answer')
    .values({ member_id: memberId, ...answerRow })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(answerRow))
    .execute()
}

/** A named secret of this service, shared by all processes. It is created on first use. */
export async function getOrCreateSecret({ db }: Db, secretName: string): Promise<Buffer> {
  await db
    .insertInto('secret')
    .values({ name: secretName, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await db.selectFrom('secret').select('value').where('name', '=', secretName).executeTakeFirstOrThrow()).value
}
