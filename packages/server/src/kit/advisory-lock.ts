import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** SQL that waits until no other transaction is in with the same words, and is then in until its own ends. */
export const advisoryLock = (words: string): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(hashtextextended(${words}, 0))`

/** SQL that is true when no other transaction is in with the same words; this one is then in until it ends. */
export const tryAdvisoryLock = (words: string): RawBuilder<unknown> =>
  sql`pg_try_advisory_xact_lock(hashtextextended(${words}, 0))`

/** Lets no other transaction pass here with the same words until this one ends: for counting, then adding. */
export async function takeAdvisoryLock(trx: QueryExecutorProvider, words: string): Promise<void> {
  await sql`select ${advisoryLock(words)}`.execute(trx)
}
