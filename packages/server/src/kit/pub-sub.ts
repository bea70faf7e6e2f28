import type pg from 'pg'
import * as z from 'zod/mini'
import { getConnectionOptions, getClientClass, isStaleClient } from './postgres/primary.ts'
import { parseStoredOrNull } from './stored.ts'

const channelName = 'clearway'
const retryDelayMs = 1000
/** Interval of heartbeats: the connection is silent while no signals are published. */
const heartbeatMs = 15_000
const replyTimeoutMs = 10_000

/** Signals between processes: a run or task, and what happened to it. Only ids; receivers read the rest. */
const Signal = z.union([
  z.object({ kind: z.enum(['queued', 'ended', 'cancelled']), runId: z.string() }),
  // Includes the duration of counting, if progress was counted.
  z.object({ kind: z.literal('progress'), runId: z.string(), countMs: z.optional(z.number()) }),
  z.object({ kind: z.enum(['asked', 'reported', 'left']), taskId: z.string() }),
])
export type Signal = z.output<typeof Signal>
/** `missed` follows a broken connection: any signal may have been lost. */
export type PubSubEvent = Signal | { kind: 'missed' }

export type PubSub = {
  publish: (signal: Signal) => Promise<void>
  subscribe: (listener: (event: PubSubEvent) => void) => () => void
  stop: () => Promise<void>
}

/** Parses a signal of another process; null for unknown signals, as of another version. */
function parseSignal(payload: string | undefined): Signal | null {
  try {
    return parseStoredOrNull(Signal, JSON.parse(payload ?? ''))
  } catch {
    return null
  }
}

/** Closes the connection on failure: a replica accepts connections, but no LISTEN. */
const listenOnChannel = (client: pg.Client): Promise<unknown> =>
  client.query(`listen ${channelName}`).catch(async (error: unknown) => {
    await client.end()
    throw error
  })

/** Runs a statement on a connection. Without a reply, or if the server has become a replica, the connection is replaced. */
async function runStatement(client: pg.Client | null, statement: string, values: string[] = []): Promise<void> {
  const isHealthy = await client?.query(statement, values).then(
    () => !isStaleClient(client),
    () => false,
  )
  if (!isHealthy) await client?.end()
}

/** Opens one listening connection per process, which reconnects automatically. Does not work with poolers in transaction mode. */
export async function openPubSub(url: string, log: (message: string) => void): Promise<PubSub> {
  const eventListeners = new Set<(event: PubSubEvent) => void>()
  const notifyListeners = (event: PubSubEvent) => {
    for (const listener of eventListeners) listener(event)
  }
  let currentClient: pg.Client | null = null
  let isStopped = false
  let pendingStatement: Promise<void> = Promise.resolve()
  const connectClient = async (): Promise<void> => {
    const newClient = new (getClientClass(url))({
      ...getConnectionOptions(url),
      application_name: 'clearway live',
      query_timeout: replyTimeoutMs,
    })
    const handleDisconnect = () => {
      if (currentClient !== newClient) return
      currentClient = null
      scheduleReconnect()
    }
    newClient.on('error', handleDisconnect)
    newClient.on('end', handleDisconnect)
    newClient.on('notification', ({ payload }) => {
      const parsedSignal = parseSignal(payload)
      if (parsedSignal) notifyListeners(parsedSignal)
    })
    await newClient.connect()
    await listenOnChannel(newClient)
    currentClient = newClient
  }
  const scheduleReconnect = () => {
    if (isStopped) return
    setTimeout(() => {
      connectClient().then(
        () => notifyListeners({ kind: 'missed' }),
        (error: unknown) => {
          log(`live updates: ${(error as Error).message}`)
          scheduleReconnect()
        },
      )
    }, retryDelayMs).unref()
  }
  await connectClient()
  // Serialized, because a connection runs one query at a time.
  const runSerialized = (statement: string, values?: string[]) =>
    (pendingStatement = pendingStatement.then(() => runStatement(currentClient, statement, values)))
  const heartbeatTimer = setInterval(() => void runSerialized('select 1'), heartbeatMs).unref()
  return {
    // A lost signal costs a second: all receivers poll, too.
    publish: (signal) => runSerialized('select pg_notify($1, $2)', [channelName, JSON.stringify(signal)]),
    subscribe: (listener) => {
      eventListeners.add(listener)
      return () => void eventListeners.delete(listener)
    },
    stop: async () => {
      isStopped = true
      clearInterval(heartbeatTimer)
      const lastClient = currentClient
      currentClient = null
      await lastClient?.end().catch(() => undefined)
    },
  }
}
