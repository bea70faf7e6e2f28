import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Counter } from 'prom-client'
import { registry } from './metrics/registry.ts'

const reads = new Counter({
  name: 'clearway_large_reads_total',
  help: 'Exports, and reports over all scans, by the server that they were read from.',
  labelNames: ['server'],
  registers: [registry],
})
for (const server of ['primary', 'replica'] as const) reads.inc({ server }, 0)

/** Connections for large reads: to the same server, kept for streams, and to a replica where there is one. */
type ReadConnections<Tables> = { streams: Kysely<Tables>; replica: Kysely<Tables> | null }
const registered = new WeakMap<object, unknown>()
const connectionsOf = <Tables>(db: Kysely<Tables>) =>
  registered.get(db) as ReadConnections<Tables> | undefined

/** Says over which connections a database is asked for large reads. */
export const registerReadConnections = <Tables>(db: Kysely<Tables>, to: ReadConnections<Tables>): void =>
  void registered.set(db, to)

/** Whether a statement was ended because it took longer than it may. */
export const tookTooLong = (error: unknown): boolean => (error as { code?: unknown }).code === '57014'

/**
 * Reads much, and writes nothing: on the replica, where there is one that has all that was committed before this call, else on
 * the primary. `work` is done again there when the replica fails.
 */
export async function preferReplica<Tables, T>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const replica = connectionsOf(db)?.replica
  if (replica)
    try {
      const found = await work(replica)
      reads.inc({ server: 'replica' })
      return found
    } catch (error) {
      // It would on the primary, too.
      if (tookTooLong(error)) throw error
    }
  const found = await work(db)
  reads.inc({ server: 'primary' })
  return found
}

const rowsAtOnce = 1000

/** Each portion is a statement of its own: the database may take so long for it as for any other, and whoever reads for all of them. */
async function* portionsOf<Tables, Row>(
  db: Kysely<Tables>,
  query: RawBuilder<Row>,
): AsyncGenerator<readonly Row[]> {
  const trx = await db.startTransaction().execute()
  let isBroken = false
  try {
    await sql`declare portions no scroll cursor for ${query}`.execute(trx)
    for (let isLast = false; !isLast;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(rowsAtOnce)} from portions`.execute(trx)
      isLast = rows.length < rowsAtOnce
      // Taken out of the answer: the promise of one answer keeps that of the next, old ones until everything is collected.
      if (rows.length > 0) yield rows.splice(0)
    }
  } catch (error) {
    isBroken = true
    throw error
  } finally {
    // A connection on which this fails is given up. Where it has broken, nobody waits for that.
    const ended = trx
      .rollback()
      .execute()
      .catch(() => undefined)
    if (!isBroken) await ended
  }
}

/**
 * Rows of a query as they come, a thousand at a time: any number of them in constant memory. The next portion is asked for
 * before the last one is worked on, so that both sides work at once. On a connection that is kept for this.
 */
export async function* streamRows<Tables, Row>(
  db: Kysely<Tables>,
  query: RawBuilder<Row>,
): AsyncGenerator<readonly Row[]> {
  const { portions, first } = await preferReplica(db, async (from) => {
    const opened = portionsOf(connectionsOf(from)?.streams ?? from, query)
    return { portions: opened, first: await opened.next() }
  })
  let next = Promise.resolve(first)
  try {
    for (let now = await next; !now.done; now = await next) {
      next = portions.next()
      // Whoever leaves early never asks what became of it.
      next.catch(() => undefined)
      yield now.value
    }
  } finally {
    await portions.return(undefined)
  }
}
