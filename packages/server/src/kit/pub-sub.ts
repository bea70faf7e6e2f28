import type pg from 'pg'
import * as z from 'zod/mini'
import { connectionOf, clientOf, isStale } from './postgres/primary.ts'
import { readIfSound } from './stored.ts'

const channel = 'clearway'
const retryMs = 1000
/** How often the connection is asked for a sign of life: it says nothing by itself while nobody publishes. */
const beatMs = 15_000
const answerMs = 10_000

/**
 * What processes publish to each other: which run or task, and what happened. Ids only; whoever needs more reads it.
 */
const Signal = z.union([
  z.object({ kind: z.enum(['queued', 'ended', 'cancelled']), runId: z.string() }),
  // With how long it took to count, where that is what was done.
  z.object({ kind: z.literal('progress'), runId: z.string(), countMs: z.optional(z.number()) }),
  z.object({ kind: z.enum(['asked', 'reported', 'left']), taskId: z.string() }),
])
export type Signal = z.output<typeof Signal>
/** `missed` after a broken connection: anything may have happened meanwhile. */
export type PubSubEvent = Signal | { kind: 'missed' }

export type PubSub = {
  publish: (signal: Signal) => Promise<void>
  /** Calls back for every event; answers how to unsubscribe. */
  subscribe: (listener: (event: PubSubEvent) => void) => () => void
  stop: () => Promise<void>
}

/** What came from another process. Null for what says nothing here: one of another version may know more signals. */
function signalOf(payload: string | undefined): Signal | null {
  try {
    return readIfSound(Signal, JSON.parse(payload ?? ''))
  } catch {
    return null
  }
}

/** A replica takes connections, and lets nobody listen. */
const listen = (client: pg.Client): Promise<unknown> =>
  client.query(`listen ${channel}`).catch(async (error: unknown) => {
    await client.end()
    throw error
  })

/** Asks something of a connection; without an answer, or with one of a replica, it makes place for another. */
async function ask(client: pg.Client | null, statement: string, values: string[] = []): Promise<void> {
  const isAnswered = await client?.query(statement, values).then(
    () => !isStale(client),
    () => false,
  )
  if (!isAnswered) await client?.end()
}

/** One connection for listening in each process; it comes back by itself. Not for poolers in transaction mode. */
export async function openPubSub(url: string, log: (message: string) => void): Promise<PubSub> {
  const listeners = new Set<(event: PubSubEvent) => void>()
  const spread = (event: PubSubEvent) => {
    for (const listener of listeners) listener(event)
  }
  let client: pg.Client | null = null
  let stopped = false
  let asked: Promise<void> = Promise.resolve()
  const connect = async (): Promise<void> => {
    const next = new (clientOf(url))({
      ...connectionOf(url),
      application_name: 'clearway live',
      query_timeout: answerMs,
    })
    const lost = () => {
      if (client !== next) return
      client = null
      retry()
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ payload }) => {
      const signal = signalOf(payload)
      if (signal) spread(signal)
    })
    await next.connect()
    await listen(next)
    client = next
  }
  const retry = () => {
    if (stopped) return
    setTimeout(() => {
      connect().then(
        () => spread({ kind: 'missed' }),
        (error: unknown) => {
          log(`live updates: ${(error as Error).message}`)
          retry()
        },
      )
    }, retryMs).unref()
  }
  await connect()
  // One at a time: a connection takes one query.
  const inTurn = (statement: string, values?: string[]) =>
    (asked = asked.then(() => ask(client, statement, values)))
  const beating = setInterval(() => void inTurn('select 1'), beatMs).unref()
  return {
    // A signal that gets lost costs a second: everybody polls too.
    publish: (signal) => inTurn('select pg_notify($1, $2)', [channel, JSON.stringify(signal)]),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: async () => {
      stopped = true
      clearInterval(beating)
      const last = client
      client = null
      await last?.end().catch(() => undefined)
    },
  }
}
