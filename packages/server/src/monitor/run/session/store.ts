import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { maxSilenceSeconds } from '../table.ts'

type DatabaseDeps = { db: MonitorDb }
/** Session of a run; `sealed` is null before the first sign-in. */
export type RunSession = { generation: number; sealed: Buffer | null }

/**
 * Takes the right to sign in for the generation after `knownGeneration`, unless another process holds it or has signed in.
 * @returns true if this process signs in now
 */
export async function acquireSignIn(
  { db }: DatabaseDeps,
  runId: string,
  knownGeneration: number,
  token: string,
): Promise<boolean> {
  await sql`insert into run_session (run_id) select id from run where id = ${runId} on conflict do nothing`.execute(db)
  const { numAffectedRows } = await sql`
    update run_session set token = ${token}, lease_until = now() + make_interval(secs => ${maxSilenceSeconds.signIn})
    where run_id = ${runId} and generation <= ${knownGeneration}::int and (lease_until is null or lease_until < now())`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0) > 0
}

export async function renewSignIn({ db }: DatabaseDeps, runId: string, token: string): Promise<void> {
  await sql`update run_session set lease_until = now() + make_interval(secs => ${maxSilenceSeconds.signIn})
    where run_id = ${runId} and token = ${token}`.execute(db)
}

/** Stores a session and ends the lease. A process that lost its lease changes nothing. */
export async function storeSession(
  { db }: DatabaseDeps,
  runId: string,
  token: string,
  { generation, sealed }: { generation: number; sealed: Buffer },
): Promise<void> {
  await sql`update run_session set generation = ${generation}::int, sealed = ${sealed}, token = null, lease_until = null
    where run_id = ${runId} and token = ${token}`.execute(db)
}

/** Ends the lease without a session: the next process tries. */
export async function releaseSignIn({ db }: DatabaseDeps, runId: string, token: string): Promise<void> {
  await sql`update run_session set token = null, lease_until = null where run_id = ${runId} and token = ${token}`.execute(db)
}

export async function findSession({ db }: DatabaseDeps, runId: string): Promise<RunSession | null> {
  const sessionRow = await db
    .selectFrom('run_session')
    .select(['generation', 'sealed'])
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return sessionRow ?? null
}
