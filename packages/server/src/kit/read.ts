import type { Kysely, RawBuilder } from 'kysely'
import { Counter } from 'prom-client'
import { registry } from './metrics/registry.ts'

const reads = new Counter({
  name: 'clearway_large_reads_total',
  help: 'Exports, and reports over all scans, by the server that they were read from.',
  labelNames: ['server'],
  registers: [registry],
})
for (const server of ['primary', 'replica'] as const) reads.inc({ server }, 0)

/** Where else the same rows are read, by connections of their own. */
type Elsewhere<Tables> = { streams: Kysely<Tables>; replica: Kysely<Tables> | null }
const elsewhere = new WeakMap<object, unknown>()
const elsewhereOf = <Tables>(db: Kysely<Tables>) => elsewhere.get(db) as Elsewhere<Tables> | undefined

/** Says where much is read that is asked of a database. */
export const readElsewhere = <Tables>(db: Kysely<Tables>, where: Elsewhere<Tables>): void =>
  void elsewhere.set(db, where)

/** Whether a statement was ended because it took longer than it may. */
export const tookTooLong = (error: unknown): boolean => (error as { code?: unknown }).code === '57014'

/**
 * Reads much, and writes nothing: on the replica, where there is one that has all that was committed before this call, else on
 * the primary. `work` is done again there when the replica fails.
 */
export async function readMuch<Tables, T>(
  db: Kysely<Tables>,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  const replica = elsewhereOf(db)?.replica
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

/**
 * Rows of a query as they come, a thousand at a time, by a cursor: any number of them in constant memory. The next portion
 * is asked for before the last one is worked on, so that both sides work at once. On a connection that is kept for this.
 */
export async function* streamRows<Tables, Row>(
  db: Kysely<Tables>,
  query: RawBuilder<Row>,
): AsyncGenerator<readonly Row[]> {
  const { portions, first } = await readMuch(db, async (from) => {
    const own = elsewhereOf(from)?.streams ?? from
    const opened = own.getExecutor().stream<Row>(query.compile(own), 1000)[Symbol.asyncIterator]()
    return { portions: opened, first: await opened.next() }
  })
  let next = Promise.resolve(first)
  try {
    for (let now = await next; !now.done; now = await next) {
      next = portions.next()
      // Whoever leaves early never asks what became of it.
      next.catch(() => undefined)
      yield now.value.rows
    }
  } finally {
    await portions.return?.()
  }
}
