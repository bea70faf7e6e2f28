import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Counter } from 'prom-client'
import { metricsRegistry } from './metrics/registry.ts'

const largeReadsCounter = new Counter({
  name: 'clearway_large_reads_total',
  help: 'Exports, and reports over all scans, by the server that they were read from.',
  labelNames: ['server'],
  registers: [metricsRegistry],
})
for (const server of ['primary', 'replica'] as const) largeReadsCounter.inc({ server }, 0)

/** Connections for large reads: a pool for streams on the same server, and the replica, if there is one. */
type ReadConnections<Tables> = { streams: Kysely<Tables>; replica: Kysely<Tables> | null }
const connectionsByDatabase = new WeakMap<object, unknown>()
const findReadConnections = <Tables>(db: Kysely<Tables>) => connectionsByDatabase.get(db) as ReadConnections<Tables> | undefined

export const registerReadConnections = <Tables>(db: Kysely<Tables>, readConnections: ReadConnections<Tables>): void =>
  void connectionsByDatabase.set(db, readConnections)

export const isStatementTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '57014'

/** Runs a large read on the replica if it has everything committed before this call, else, or if it fails, on the primary. */
export async function preferReplica<Tables, T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const replicaDb = findReadConnections(db)?.replica
  if (replicaDb)
    try {
      const replicaResult = await work(replicaDb)
      largeReadsCounter.inc({ server: 'replica' })
      return replicaResult
    } catch (error) {
      // It would time out on the primary, too.
      if (isStatementTimeout(error)) throw error
    }
  const primaryResult = await work(db)
  largeReadsCounter.inc({ server: 'primary' })
  return primaryResult
}

const batchSize = 1000

/** Reads batches through a cursor. Each batch is its own statement, so that the statement time-out applies to each of them. */
async function* readBatches<Tables, Row>(db: Kysely<Tables>, query: RawBuilder<Row>): AsyncGenerator<readonly Row[]> {
  const transaction = await db.startTransaction().execute()
  let isBroken = false
  try {
    await sql`declare portions no scroll cursor for ${query}`.execute(transaction)
    for (let isLast = false; !isLast;) {
      const { rows: batchRows } = await sql<Row>`fetch ${sql.lit(batchSize)} from portions`.execute(transaction)
      isLast = batchRows.length < batchSize
      // Moved out of the result: chained promises would keep old results in memory until the end.
      if (batchRows.length > 0) yield batchRows.splice(0)
    }
  } catch (error) {
    isBroken = true
    throw error
  } finally {
    // If the rollback fails, the connection is discarded. On a broken connection it is not awaited.
    const rollback = transaction
      .rollback()
      .execute()
      .catch(() => undefined)
    if (!isBroken) await rollback
  }
}

/** Streams the rows of a query in batches of a thousand on the stream pool. Fetches the next batch while one is processed. */
export async function* streamRows<Tables, Row>(db: Kysely<Tables>, query: RawBuilder<Row>): AsyncGenerator<readonly Row[]> {
  const { portions: rowBatches, first: firstBatch } = await preferReplica(db, async (sourceDb) => {
    const openedBatches = readBatches(findReadConnections(sourceDb)?.streams ?? sourceDb, query)
    return { portions: openedBatches, first: await openedBatches.next() }
  })
  let nextBatch = Promise.resolve(firstBatch)
  try {
    for (let currentBatch = await nextBatch; !currentBatch.done; currentBatch = await nextBatch) {
      nextBatch = rowBatches.next()
      // Prevents an unhandled rejection if the reader stops early.
      nextBatch.catch(() => undefined)
      yield currentBatch.value
    }
  } finally {
    await rowBatches.return(undefined)
  }
}
