import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessHealth } from '@clearway/contract/monitor/health/schema.ts'
import type { Config } from '../config.ts'
import { startDatabase } from './database.ts'
import { takePort } from './port.ts'
import { wrongUse } from './start-fault.ts'

/** What runs until it is stopped; `announcement` is printed when all is ready. */
export type Supervised = { announcement: string; stop: () => Promise<void> }
type Role = Config['CLEARWAY_ROLES'][number]
export type ChildKind = 'server' | 'worker'
export type ToChild =
  | { kind: 'start'; databaseUrl: string; roles: Role[]; began: number }
  | { kind: 'processes'; processes: ProcessHealth[] }
  | { kind: 'stop' }
export type FromChild = { kind: 'ready'; announcement: string }

const firstDelayMs = 1000
const longestDelayMs = 30_000
/** A process that lived so long has started well. */
const steadyMs = 60_000
/** A process that does not end by itself within this time is ended. */
const stopLimitMs = 30_000

/** A start that a person must fix: the child has said how. */
class ChildGaveUp extends Error {}

/** The roles of each process; a machine with roles of one kind needs no supervisor. */
export function kindsOf(roles: readonly Role[]): { kind: ChildKind; roles: Role[] }[] {
  const worker = roles.filter((role) => role === 'worker')
  const server = roles.filter((role) => role !== 'worker')
  const kinds: { kind: ChildKind; roles: Role[] }[] = [
    { kind: 'server', roles: server },
    { kind: 'worker', roles: worker },
  ]
  return kinds.filter((own) => own.roles.length > 0)
}

const isGone = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Passes on what a child prints, and keeps its last words. */
function passOn(child: ChildProcess): () => string {
  let last = ''
  child.stdout?.on('data', (chunk: Buffer) => process.stdout.write(chunk))
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    last = (last + chunk.toString()).slice(-2000)
  })
  return () => last.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || isGone(child)) return
  const gone = new Promise((done) => child.once('exit', done))
  if (child.connected) child.send({ kind: 'stop' } satisfies ToChild)
  const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
  await gone
  clearTimeout(timer)
}

const forkChild = (kind: ChildKind): ChildProcess =>
  fork(new URL('./child.ts', import.meta.url), [kind], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Looking names up takes threads; files and compression want some, too.
    env: { UV_THREADPOOL_SIZE: '16', ...process.env },
    execArgv: process.execArgv.filter((flag) => !flag.startsWith('--inspect')),
  })

/** How a process does, for whoever asks after its health. */
function keepState(kind: ChildKind, onChange: () => void) {
  let starts = 0
  let state: ProcessHealth = { kind, id: null, pid: null, status: 'UNKNOWN', startedAt: null, restarts: 0 }
  const become = (news: Partial<ProcessHealth>): void => {
    state = { ...state, ...news }
    onChange()
  }
  return {
    state: () => state,
    become,
    begun: (pid: number | null): void => {
      become({ pid, status: 'UNKNOWN', startedAt: new Date().toISOString(), restarts: starts++ })
    },
  }
}

/** Starts a process, and again whenever it ends, later and later when it ends soon. `onChange` is called for each of these. */
function keepChild(kind: ChildKind, order: ToChild, onChange: () => void) {
  let child: ChildProcess
  const { state, become, begun } = keepState(kind, onChange)
  let timer: NodeJS.Timeout | null = null
  let stopping = false
  let delay = firstDelayMs
  let decide: { done: (announcement: string) => void; fail: (error: Error) => void }
  const ready = new Promise<string>((done, fail) => (decide = { done, fail }))
  let wasReady = false
  const start = (): void => {
    const born = performance.now()
    const own = forkChild(kind)
    child = own
    const lastWords = passOn(own)
    const again = (why: string): void => {
      become({ pid: null, status: 'DOWN' })
      console.error(`The ${kind} ${why}. It starts again in ${delay / 1000} s.`)
      timer = setTimeout(start, delay)
      delay = Math.min(delay * 2, longestDelayMs)
    }
    own.on('error', (error) => {
      // A process that could not be made has no end.
      if (own.pid === undefined && !stopping) again(`could not be started: ${error.message}`)
    })
    own.on('message', ({ announcement }: FromChild) => {
      wasReady = true
      become({ status: 'UP' })
      decide.done(announcement)
    })
    own.once('exit', (code, signal) => {
      if (stopping) return
      // What fails at the very start is reported, not tried again.
      if (!wasReady && code !== null) return decide.fail(new ChildGaveUp(String(code)))
      const lived = performance.now() - born
      if (lived > steadyMs) delay = firstDelayMs
      const words = lastWords()
      again(
        `(process ${own.pid}) ended after ${Math.round(lived / 1000)} s by ${signal ?? `exit code ${code}`}` +
          (words === '' ? '' : `, and said last: ${words}`),
      )
    })
    own.send(order, () => undefined)
    begun(own.pid ?? null)
  }
  start()
  return {
    ready,
    state,
    send: (news: ToChild): void => {
      // One that has ended gets it when it runs again.
      if (child.connected) child.send(news, () => undefined)
    },
    stop: (): Promise<void> => {
      stopping = true
      if (timer) clearTimeout(timer)
      return stopChild(child)
    },
  }
}

/**
 * Starts a server and a worker as processes of their own, on a database that belongs to this one, and starts again what
 * ends. Whatever a page does to the worker, the server goes on. `stopped` ends a start that is not done: it then rejects
 * once all that was begun has ended.
 */
export async function supervise(config: Config, stopped: AbortSignal): Promise<Supervised> {
  const began = Date.now() - performance.now()
  // Asked to end before all is ready: nobody waits for what does not come.
  const early = new Promise<never>((_, reject) =>
    stopped.addEventListener('abort', () => reject(new Error('It was stopped before it was ready'))),
  )
  early.catch(() => undefined)
  await takePort(config)
  const starting = startDatabase(config)
  const children: ReturnType<typeof keepChild>[] = []
  /** The server answers for all. */
  const sendStates = (): void =>
    children[0]?.send({ kind: 'processes', processes: children.map((child) => child.state()) })
  const stop = async (): Promise<void> => {
    // The worker gives back its pages, and the database is last.
    for (const child of [...children].reverse()) await child.stop()
    // One that never answers has nothing to be stopped.
    const limit = sleep(stopLimitMs / 6, null)
    const database = await Promise.race([starting.catch(() => null), limit])
    await database?.stop()
  }
  try {
    const database = await Promise.race([starting, early])
    for (const { kind, roles } of kindsOf(config.CLEARWAY_ROLES))
      children.push(keepChild(kind, { kind: 'start', databaseUrl: database.url, roles, began }, sendStates))
    sendStates()
    const ready = Promise.all(children.map((child) => child.ready))
    const [announcement = ''] = await Promise.race([ready, early])
    return { announcement, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The exit code for a start that a child gave up and has explained; null for other errors. */
export const gaveUpFor = (error: unknown): number | null => {
  if (!(error instanceof ChildGaveUp)) return null
  return Number(error.message) === wrongUse ? wrongUse : 1
}
