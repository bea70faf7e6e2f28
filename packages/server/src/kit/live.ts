import type pg from 'pg'
import { clientOf, connectionOf } from './postgres/primary.ts'

const channel = 'clearway'
const retryMs = 1000

/**
 * What processes publish to each other: which run or task, and what happened. Ids only; whoever needs more reads it.
 */
export type Signal =
  | { kind: 'queued' | 'progress' | 'ended' | 'cancelled'; runId: string }
  | { kind: 'asked' | 'reported' | 'left'; taskId: string }
/** `missed` after a broken connection: anything may have happened meanwhile. */
export type LiveEvent = Signal | { kind: 'missed' }

export type Live = {
  publish: (signal: Signal) => Promise<void>
  /** Calls back for every event; answers how to unsubscribe. */
  subscribe: (listener: (event: LiveEvent) => void) => () => void
  stop: () => Promise<void>
}

/** One connection for listening in each process; it comes back by itself. Not for poolers in transaction mode. */
export async function openLive(url: string, log: (message: string) => void): Promise<Live> {
  const listeners = new Set<(event: LiveEvent) => void>()
  const spread = (event: LiveEvent) => {
    for (const listener of listeners) listener(event)
  }
  let client: pg.Client | null = null
  let stopped = false
  let published: Promise<void> = Promise.resolve()
  const connect = async (): Promise<void> => {
    const next = new (clientOf(url))({
      connectionString: connectionOf(url),
      application_name: 'clearway live',
      keepAlive: true,
    })
    const lost = () => {
      if (client !== next) return
      client = null
      retry()
    }
    next.on('error', lost)
    next.on('end', lost)
    next.on('notification', ({ payload }) => spread(JSON.parse(payload ?? '{}') as Signal))
    await next.connect()
    await next.query(`listen ${channel}`)
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
  return {
    // One at a time: a connection takes one query. A signal that gets lost costs a second: everybody polls too.
    publish: (signal) => {
      published = published.then(async () => {
        await client
          ?.query('select pg_notify($1, $2)', [channel, JSON.stringify(signal)])
          .catch(() => undefined)
      })
      return published
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: async () => {
      stopped = true
      const last = client
      client = null
      await last?.end().catch(() => undefined)
    },
  }
}
