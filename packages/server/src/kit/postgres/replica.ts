import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'

/** Maximum time for a replica to catch up. */
const catchUpTimeoutMs = 3000
const checkDelayMs = 50
/** Time for which a lagging or unreachable replica is not used. */
const backOffMs = 30_000

type WalPosition = { system: string; timeline: number; place: string }

/**
 * Identifies the primary and the position of its visible writes. With asynchronous commits, that may be ahead of the
 * flushed position. Otherwise the flushed position is used, because a later one is only reached with the next change.
 */
async function readPosition<T>(primary: Kysely<T>): Promise<WalPosition> {
  const { rows: positionRows } = await sql<WalPosition>`
    select (select system_identifier from pg_control_system())::text as system,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
      (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
        else pg_current_wal_flush_lsn() end)::text as place`.execute(primary)
  return positionRows[0]!
}

/**
 * Checks that a server is a replica of that primary and has replayed everything up to the position. On another
 * timeline, the same position means other data; after a failover, replicas report the new timeline only minutes later.
 */
const replicaCheckSql = `select pg_last_wal_replay_lsn() >= $3::pg_lsn as follows, pg_is_in_recovery()
    and (select system_identifier from pg_control_system())::text = $1
    and (select timeline_id from pg_control_checkpoint()) = $2::int as copies`

const createLaggingError = () => new Error('The server of DATABASE_REPLICA_URL does not follow.')

/** Rejects after a time-out, for a machine that vanished without closing the connection. */
async function rejectAfterTimeout(): Promise<never> {
  await sleep(catchUpTimeoutMs + 1000, undefined, { ref: false })
  throw createLaggingError()
}

async function waitUntilCaughtUp(client: PostgresPoolClient, position: WalPosition): Promise<void> {
  for (const deadline = performance.now() + catchUpTimeoutMs; ; await sleep(checkDelayMs)) {
    const { system, timeline, place: walPlace } = position
    const { rows: checkRows } = await client.query<{ follows: boolean; copies: boolean }>(replicaCheckSql, [
      system,
      timeline,
      walPlace,
    ])
    const { follows: hasCaughtUp, copies: isReplica } = checkRows[0]!
    if (hasCaughtUp && isReplica) return
    if (!isReplica || performance.now() > deadline) throw createLaggingError()
  }
}

/** True if our own pool has no free connection, which says nothing about the replica. Only the driver's message tells. */
const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')

/** Tracks the back-off of a replica, for all its readers; `log` reports the start and the end. */
export function createReplicaBackOff(log: (message: string) => void) {
  let backOffUntil = 0
  let isBackingOff = false
  return {
    now: () => performance.now() < backOffUntil,
    begin(why: unknown) {
      backOffUntil = performance.now() + backOffMs
      if (isBackingOff) return
      isBackingOff = true
      const reason = why instanceof Error ? why.message : String(why)
      log(`Reports and exports are read from the primary: ${reason}`)
    },
    end() {
      if (!isBackingOff) return
      isBackingOff = false
      log('Reports and exports are read from the server of DATABASE_REPLICA_URL again.')
    },
  }
}

/**
 * A pool of replica connections. Each is handed out only after it has replayed everything the primary had at the time
 * of the request, so that reads are no older than the call, including permissions. Each connection is checked, so a
 * host name may resolve to several replicas.
 */
export function createReplicaPool<T>(
  pool: PostgresPool,
  primary: Kysely<T>,
  backOff: ReturnType<typeof createReplicaBackOff>,
): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      if (backOff.now()) throw new Error('The server of DATABASE_REPLICA_URL is left alone.')
      const primaryPosition = await readPosition(primary)
      let replicaClient: PostgresPoolClient | null = null
      try {
        replicaClient = await pool.connect()
        await Promise.race([waitUntilCaughtUp(replicaClient, primaryPosition), rejectAfterTimeout()])
        backOff.end()
        return replicaClient
      } catch (error) {
        replicaClient?.release(true)
        if (!isPoolExhausted(error)) backOff.begin(error)
        throw error
      }
    },
  }
}
