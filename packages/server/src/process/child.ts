import { getPriority, setPriority } from 'node:os'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import { readConfig } from '../config.ts'
import { applyNetworkSettings } from './network.ts'
import { getObjectTarget } from './object-store.ts'
import { serve, type RunningServer } from './serve.ts'
import { exitOnUnexpectedError, describeStartFault, wrongUseExitCode } from './start-fault.ts'
import type { ChildKind, MessageFromChild, MessageToChild } from './supervisor.ts'

/**
 * A child process of the supervisor: server or worker, according to its argument. It receives the database URL over the
 * channel to its parent, and ends with it.
 */
const childKind = process.argv[2] as ChildKind

/** Nice value of a worker, including its browsers and PDF processes: pages may wait, users should not. */
const workerNiceness = 10
if (childKind === 'worker') setPriority(Math.min(19, getPriority() + workerNiceness))

const stopTimeoutMs = 5000

/** Limit for a process that is not yet serving, which has nothing to release. */
const startTimeoutMs = 2000

let servingPromise: Promise<RunningServer> | null = null
let isServing = false
/** The last list of processes from the supervisor. */
let knownProcesses: ProcessHealth[] = []
let isEnding = false

/** Releases work in progress, up to a timeout, and exits. */
function endProcess(exitCode: number, reason: string): void {
  if (isEnding) return
  isEnding = true
  const stopPromise = servingPromise?.then(({ stop }) => stop(reason)).catch(() => undefined) ?? Promise.resolve()
  void stopPromise.then(() => process.exit(exitCode))
  if (!isServing) setTimeout(() => process.exit(exitCode), startTimeoutMs)
}

const notifySupervisor = (message: MessageFromChild): void => void process.send?.(message)

async function startServing(order: Extract<MessageToChild, { kind: 'start' }>): Promise<void> {
  const config = readConfig(process.env)
  if ('problem' in config) return process.exit(wrongUseExitCode)
  const { CLEARWAY_METRICS_PORT: metricsPort } = config
  const childConfig = {
    ...config,
    // Resolved here from the operator's settings: the URL of the embedded database must not influence it.
    CLEARWAY_OBJECTS: getObjectTarget(config),
    DATABASE_URL: order.databaseUrl,
    CLEARWAY_ROLES: order.roles,
    // Two processes cannot share a port; 0 means no metrics.
    CLEARWAY_METRICS_PORT: childKind === 'worker' && metricsPort > 0 ? metricsPort + 1 : metricsPort,
  }
  try {
    applyNetworkSettings(config)
    servingPromise = serve(childConfig, {
      listens: childKind === 'server',
      began: order.began,
      processes: () => knownProcesses,
      onIdle: () => notifySupervisor({ kind: 'idle' }),
    })
    const { announcement } = await servingPromise
    isServing = true
    notifySupervisor({ kind: 'ready', announcement })
  } catch (error) {
    const faultMessage = describeStartFault(error, config)
    console.error(faultMessage ?? error)
    process.exit(faultMessage === null ? 1 : wrongUseExitCode)
  }
}

exitOnUnexpectedError()
process.on('message', (order: MessageToChild) => {
  if (order.kind === 'stop') endProcess(0, order.reason)
  else if (order.kind === 'start') void startServing(order)
  else ({ processes: knownProcesses } = order)
})
/** Handles the loss of the parent. */
function handleOrphaned(): void {
  // The next start needs the port.
  if (childKind === 'server') process.exit(1)
  setTimeout(() => process.exit(1), stopTimeoutMs)
  endProcess(1, 'its supervisor ended')
}
process.on('disconnect', handleOrphaned)
// The parent may already be gone.
if (!process.connected) handleOrphaned()
// Ctrl-C reaches the whole process group; the parent decides when to stop.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('SIGTERM', () => endProcess(0, 'SIGTERM'))
// Without a reader, the parent is gone, which the channel reports as well.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
