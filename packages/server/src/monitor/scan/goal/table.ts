import type { ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { type Generated, type RawBuilder, sql } from 'kysely'

export type GoalTables = {
  scan_annotation: {
    id: string
    scan_id: string
    /** Calendar day. */
    day: string
    text: string
    author_id: string
    created_at: Generated<Date>
  }
}

/** Target in the columns of a scan or a scan group. */
export const buildTarget = (alias: string): RawBuilder<ScoreTarget | null> => {
  const [score, dueOn] = [sql.ref(`${alias}.target_score`), sql.ref(`${alias}.target_due`)]
  return sql`case when ${score} is not null then jsonb_build_object('score', ${score}, 'dueOn', ${dueOn}::text) end`
}
