import type { Generated } from 'kysely'

export type NoticeTables = {
  global_config: { id: Generated<boolean>; message: string | null; version: Generated<number> }
  notice_answer: { member_id: string; version: number; remind_at: Date | null }
  secret: { name: string; value: Buffer }
}
