import { type QueryExecutorProvider, sql } from 'kysely'

/** Lets no other transaction pass here with the same words until this one ends: for counting, then adding. */
export async function alone(trx: QueryExecutorProvider, words: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${words}, 0))`.execute(trx)
}
