import { getPriority, setPriority } from 'node:os'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import { readConfig } from '../config.ts'
import { objectTarget } from './object-store.ts'
import { serve, type Serving } from './serve.ts'
import { endOnFault, startFault, wrongUse } from './start-fault.ts'
import type { ChildKind, FromChild, ToChild } from './supervisor.ts'

/**
 * A process of the supervisor: the server or the worker, as its argument says. It gets the database's address by the
 * channel to its parent, and ends with it.
 */
const kind = process.argv[2] as ChildKind

/** How far a worker stands back behind the server, with its browsers and PDF processes: pages wait, people do not. */
const workerNice = 10
if (kind === 'worker') setPriority(Math.min(19, getPriority() + workerNice))

const stopLimitMs = 5000

/** What has not begun to serve has nothing to give back. */
const startLimitMs = 2000

let serving: Promise<Serving> | null = null
let isServing = false
/** What the supervisor said last. */
let processes: ProcessHealth[] = []
let ending = false

/** Gives back what is in work, for a while, and ends. */
function end(code: number): void {
  if (ending) return
  ending = true
  const stopped = serving?.then(({ stop }) => stop()).catch(() => undefined) ?? Promise.resolve()
  void stopped.then(() => process.exit(code))
  if (!isServing) setTimeout(() => process.exit(code), startLimitMs)
}

async function begin(order: Extract<ToChild, { kind: 'start' }>): Promise<void> {
  const config = readConfig(process.env)
  if ('problem' in config) return process.exit(wrongUse)
  const { CLEARWAY_METRICS_PORT: port } = config
  const own = {
    ...config,
    // As it follows from the settings: the address of the embedded database is none of them.
    CLEARWAY_OBJECTS: objectTarget(config),
    DATABASE_URL: order.databaseUrl,
    CLEARWAY_ROLES: order.roles,
    // Two processes cannot have one port; 0 is none.
    CLEARWAY_METRICS_PORT: kind === 'worker' && port > 0 ? port + 1 : port,
  }
  try {
    serving = serve(own, {
      listens: kind === 'server',
      began: order.began,
      processes: () => processes,
    })
    const ready: FromChild = { kind: 'ready', announcement: (await serving).announcement }
    isServing = true
    process.send?.(ready)
  } catch (error) {
    const fault = startFault(error, config)
    console.error(fault ?? error)
    process.exit(fault === null ? 1 : wrongUse)
  }
}

endOnFault()
process.on('message', (order: ToChild) => {
  if (order.kind === 'stop') end(0)
  else if (order.kind === 'start') void begin(order)
  else ({ processes } = order)
})
/** The parent is gone. */
function orphaned(): void {
  // The port is wanted by whoever starts next.
  if (kind === 'server') process.exit(1)
  setTimeout(() => process.exit(1), stopLimitMs)
  end(1)
}
process.on('disconnect', orphaned)
// Also while this was loading.
if (!process.connected) orphaned()
// Ctrl-C reaches the whole group; the parent says when.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('SIGTERM', () => end(0))
// Nobody reads us any more: the parent is gone, and the channel says so too.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
