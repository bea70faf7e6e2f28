import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** SQL that waits for the transaction lock of a name and takes it. */
export const acquireLockSql = (lockName: string): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`

/** SQL that takes the transaction lock of a name if it is free; false if another transaction holds it. */
export const tryAcquireLockSql = (lockName: string): RawBuilder<unknown> =>
  sql`pg_try_advisory_xact_lock(hashtextextended(${lockName}, 0))`

/** Takes the lock of a name until the end of the transaction, as for a count followed by an insert. */
export async function acquireAdvisoryLock(trx: QueryExecutorProvider, lockName: string): Promise<void> {
  await sql`select ${acquireLockSql(lockName)}`.execute(trx)
}
