import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'

/** How long a replica has to follow. */
const patienceMs = 3000
const pauseMs = 50
/** One that did not follow, or is gone, is left alone for so long. */
const restMs = 30_000

type Position = { system: string; timeline: number; place: string }

/**
 * Which primary it is, and how far it has written what others can see. Where commits do not wait for the disk, that may be
 * further than what is on it; else a place beyond that is reached only with the next change, for which nobody waits.
 */
async function positionOf<T>(primary: Kysely<T>): Promise<Position> {
  const { rows } = await sql<Position>`
    select (select system_identifier from pg_control_system())::text as system,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
      (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
        else pg_current_wal_flush_lsn() end)::text as place`.execute(primary)
  return rows[0]!
}

/**
 * Whether a server is a copy of that primary, and has all of it up to there. One of another timeline has, at the same place,
 * something else; a copy says only some minutes after a switch that it is on the new one.
 */
const question = `select pg_last_wal_replay_lsn() >= $3::pg_lsn as follows, pg_is_in_recovery()
    and (select system_identifier from pg_control_system())::text = $1
    and (select timeline_id from pg_control_checkpoint()) = $2::int as copies`

const notFollowing = () => new Error('The server of DATABASE_REPLICA_URL does not follow.')

/** A machine that is gone without a word answers nothing. */
async function silence(): Promise<never> {
  await sleep(patienceMs + 1000, undefined, { ref: false })
  throw notFollowing()
}

async function untilItFollows(client: PostgresPoolClient, position: Position): Promise<void> {
  for (const until = performance.now() + patienceMs; ; await sleep(pauseMs)) {
    const { system, timeline, place } = position
    const { rows } = await client.query<{ follows: boolean; copies: boolean }>(question, [
      system,
      timeline,
      place,
    ])
    const { follows, copies } = rows[0]!
    if (follows && copies) return
    if (!copies || performance.now() > until) throw notFollowing()
  }
}

/**
 * Whether a pool of ours has no connection left, which says nothing of the copy. The driver's words are the only sign of it:
 * its error has no code and no class of its own.
 */
const isFull = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')

/** When copies are left alone, for all that is read there; `log` gets the beginning and the end. */
export function openRest(log: (message: string) => void) {
  let until = 0
  let isResting = false
  return {
    now: () => performance.now() < until,
    begin(why: unknown) {
      until = performance.now() + restMs
      if (isResting) return
      isResting = true
      const reason = why instanceof Error ? why.message : String(why)
      log(`Reports and exports are read from the primary: ${reason}`)
    },
    end() {
      if (!isResting) return
      isResting = false
      log('Reports and exports are read from the server of DATABASE_REPLICA_URL again.')
    },
  }
}

/**
 * Connections to a copy, each given out only once it has all that the primary had when it was asked for: what is read there is
 * no older than the call that reads it, rights included. Each is asked, so a name may lead to several copies.
 */
export function followingPool<T>(
  pool: PostgresPool,
  primary: Kysely<T>,
  rest: ReturnType<typeof openRest>,
): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      if (rest.now()) throw new Error('The server of DATABASE_REPLICA_URL is left alone.')
      const position = await positionOf(primary)
      let client: PostgresPoolClient | null = null
      try {
        client = await pool.connect()
        await Promise.race([untilItFollows(client, position), silence()])
        rest.end()
        return client
      } catch (error) {
        client?.release(true)
        if (!isFull(error)) rest.begin(error)
        throw error
      }
    },
  }
}
