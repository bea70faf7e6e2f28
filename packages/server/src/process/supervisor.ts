import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import type { Config } from '../config.ts'
import type { EmbeddedDatabase } from '../kit/postgres/embedded.ts'
import { writeLogLine } from '../kit/log.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { holdPort } from './port.ts'
import type { StopFunction } from './serve.ts'
import { wrongUseExitCode } from './start-fault.ts'

/** Running processes; `announcement` is printed when everything is ready. */
export type RunningProcesses = { announcement: string; stop: StopFunction }
type ProcessRole = Config['CLEARWAY_ROLES'][number]
export type ChildKind = 'server' | 'worker'
export type MessageToChild =
  | { kind: 'start'; databaseUrl: string; roles: ProcessRole[]; began: number }
  | { kind: 'processes'; processes: ProcessHealth[] }
  | { kind: 'stop'; reason: string }
export type MessageFromChild =
  | { kind: 'ready'; announcement: string }
  /** It has worked, and had no work for a while since. */
  | { kind: 'idle' }

const minRestartDelayMs = 1000
const maxRestartDelayMs = 30_000
/** Lifetime after which a process counts as stable. */
const stableAfterMs = 60_000
/** Time after which a process that does not stop is killed. */
const stopTimeoutMs = 30_000

/** A start that the operator must fix; the child has printed instructions. */
class ChildGaveUp extends Error {}

/** Roles by process; a machine with roles of one kind needs no supervisor. */
export function groupRolesByKind(roles: readonly ProcessRole[]): { kind: ChildKind; roles: ProcessRole[] }[] {
  const workerRoles = roles.filter((role) => role === 'worker')
  const serverRoles = roles.filter((role) => role !== 'worker')
  const childKinds: { kind: ChildKind; roles: ProcessRole[] }[] = [
    { kind: 'server', roles: serverRoles },
    { kind: 'worker', roles: workerRoles },
  ]
  return childKinds.filter((childKind) => childKind.roles.length > 0)
}

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** The message of a line of the log, or the line itself. */
function readMessage(line: string): string {
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown }
    return typeof msg === 'string' ? msg : line
  } catch {
    return line
  }
}

/** Forwards a child's output; returns a function for its last line. */
function forwardOutput(child: ChildProcess): () => string {
  let lastOutput = ''
  child.stdout?.on('data', (chunk: Buffer) => process.stdout.write(chunk))
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    lastOutput = (lastOutput + chunk.toString()).slice(-8000)
  })
  return () => readMessage(lastOutput.trim().split('\n').at(-1) ?? '').slice(0, 300)
}

async function stopChild(child: ChildProcess, reason: string): Promise<void> {
  if (child.pid === undefined || hasExited(child)) return
  const exitPromise = new Promise((resolve) => child.once('exit', resolve))
  if (child.connected) child.send({ kind: 'stop', reason } satisfies MessageToChild)
  const killTimer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await exitPromise
  clearTimeout(killTimer)
}

function forkChild(kind: ChildKind): ChildProcess {
  // Under `node --watch`, processes would send the names of their modules to their parents, which expect other messages.
  const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env
  return fork(new URL('./child.ts', import.meta.url), [kind], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // DNS lookups block threads; files and compression need some as well.
    env: { UV_THREADPOOL_SIZE: '16', ...env },
    execArgv: process.execArgv.filter((flag) => !flag.startsWith('--inspect')),
  })
}

/** Tracks the state of a process for the health call. */
function trackState(kind: ChildKind, onChange: () => void) {
  let processState: ProcessHealth = { kind, id: null, pid: null, status: 'UNKNOWN', startedAt: null, restarts: 0 }
  const updateState = (stateChange: Partial<ProcessHealth>): void => {
    processState = { ...processState, ...stateChange }
    onChange()
  }
  return {
    state: () => processState,
    become: updateState,
    markStarted: (pid: number | null, restarts: number): void => {
      updateState({ pid, status: 'UNKNOWN', startedAt: new Date().toISOString(), restarts })
    },
  }
}

/** Describes how a process exited, with the last line of its output. */
function describeEnd(child: ChildProcess, lifetimeMs: number, lastLine: string): string {
  const exit = child.signalCode ?? `exit code ${child.exitCode}`
  const lastWords = lastLine === '' ? '' : `, and said last: ${lastLine}`
  return `(process ${child.pid}) ended after ${Math.round(lifetimeMs / 1000)} s by ${exit}${lastWords}`
}

/**
 * Starts a process and restarts it whenever it ends, with an increasing back-off after short lifetimes. A process that is idle
 * after its work is replaced: memory that the work needed would otherwise stay allocated. `onChange` is called each time.
 */
function superviseChild(kind: ChildKind, startMessage: MessageToChild, onChange: () => void) {
  let currentChild: ChildProcess
  const { state: getState, become: updateState, markStarted } = trackState(kind, onChange)
  let restartTimer: NodeJS.Timeout | null = null
  let isStopping = false
  let restartDelayMs = minRestartDelayMs
  const { promise: readyPromise, ...settleReady } = Promise.withResolvers<string>()
  let wasReady = false
  let restartCount = 0
  const startChild = (): void => {
    const startedAt = performance.now()
    const newChild = forkChild(kind)
    currentChild = newChild
    const getLastLine = forwardOutput(newChild)
    let isRenewed = false
    const renewChild = (): void => {
      isRenewed = true
      void stopChild(newChild, 'it starts anew after its work, to give back memory')
    }
    const scheduleRestart = (reason: string): void => {
      updateState({ pid: null, status: 'DOWN' })
      writeLogLine('error', `The ${kind} ${reason}. It starts again in ${restartDelayMs / 1000} s.`)
      restartCount += 1
      restartTimer = setTimeout(startChild, restartDelayMs)
      restartDelayMs = Math.min(restartDelayMs * 2, maxRestartDelayMs)
    }
    newChild.on('error', (error) => {
      // A process that could not be created emits no exit event.
      if (newChild.pid === undefined && !isStopping) scheduleRestart(`could not be started: ${error.message}`)
    })
    newChild.on('message', (message: MessageFromChild) => {
      if (message.kind === 'idle') return renewChild()
      wasReady = true
      updateState({ status: 'UP' })
      settleReady.resolve(message.announcement)
    })
    newChild.once('exit', (code) => {
      if (isStopping) return
      if (isRenewed) return startChild()
      // A failure before the process was ready is reported without a restart.
      if (!wasReady && code !== null) return settleReady.reject(new ChildGaveUp(String(code)))
      const lifetimeMs = performance.now() - startedAt
      if (lifetimeMs > stableAfterMs) restartDelayMs = minRestartDelayMs
      scheduleRestart(describeEnd(newChild, lifetimeMs, getLastLine()))
    })
    newChild.send(startMessage, () => undefined)
    markStarted(newChild.pid ?? null, restartCount)
  }
  startChild()
  return {
    ready: readyPromise,
    state: getState,
    send: (message: MessageToChild): void => {
      // An ended child receives it after its restart.
      if (currentChild.connected) currentChild.send(message, () => undefined)
    },
    stop: (reason: string): Promise<void> => {
      isStopping = true
      if (restartTimer) clearTimeout(restartTimer)
      return stopChild(currentChild, reason)
    },
  }
}

/** Starts the embedded database, or checks the configured one, so that a wrong setting is reported once, not by each child. */
async function openDatabase(config: Config): Promise<Pick<EmbeddedDatabase, 'url' | 'stop'>> {
  const report = (message: string) => writeLogLine('warn', message)
  if (config.DATABASE_URL === null) return startEmbeddedDatabase(config, report)
  return (await import('./database.ts')).startDatabase(config, report)
}

/**
 * Starts a server and a worker as child processes on a database owned by this process, and restarts them when they
 * end. Failures of the worker do not affect the server. `stopSignal` aborts an unfinished start, which then rejects
 * after all started processes have ended.
 */
export async function supervise(config: Config, stopSignal: AbortSignal): Promise<RunningProcesses> {
  const startedAt = Date.now() - performance.now()
  // Stopped before everything is ready: the start must not wait any longer.
  const abortPromise = new Promise<never>((_, reject) =>
    stopSignal.addEventListener('abort', () => reject(new Error('It was stopped before it was ready'))),
  )
  abortPromise.catch(() => undefined)
  const heldPort = await holdPort(config)
  await heldPort.release()
  const databasePromise = openDatabase(config)
  const childProcesses: ReturnType<typeof superviseChild>[] = []
  /** Sends the states of all processes to the server, which serves the health call. */
  const sendStatesToServer = (): void =>
    childProcesses[0]?.send({ kind: 'processes', processes: childProcesses.map((child) => child.state()) })
  const stopAll: StopFunction = async (reason = 'stopped') => {
    // The worker first releases its pages; the database is stopped last.
    for (const child of [...childProcesses].reverse()) await child.stop(reason)
    // Limits the wait for a database that never responds.
    const timeoutPromise = sleep(stopTimeoutMs / 6, null)
    const startedDatabase = await Promise.race([databasePromise.catch(() => null), timeoutPromise])
    await startedDatabase?.stop()
  }
  try {
    const runningDatabase = await Promise.race([databasePromise, abortPromise])
    for (const { kind, roles } of groupRolesByKind(config.CLEARWAY_ROLES))
      childProcesses.push(
        superviseChild(kind, { kind: 'start', databaseUrl: runningDatabase.url, roles, began: startedAt }, sendStatesToServer),
      )
    sendStatesToServer()
    const allReady = Promise.all(childProcesses.map((child) => child.ready))
    const [announcement = ''] = await Promise.race([allReady, abortPromise])
    return { announcement, stop: stopAll }
  } catch (error) {
    await stopAll('the start failed')
    throw error
  }
}

/** Exit code for a start that a child gave up with instructions; null for other errors. */
export const getGiveUpExitCode = (error: unknown): number | null => {
  if (!(error instanceof ChildGaveUp)) return null
  return Number(error.message) === wrongUseExitCode ? wrongUseExitCode : 1
}
