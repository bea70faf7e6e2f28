import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chown,
  type FileHandle,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { isAlive } from '../running-process.ts'
import type { Binaries, RunAs } from './binaries.ts'

/** A cluster on disk: its data, its log, and the file with its password. */
export type Cluster = {
  binaries: Binaries
  as: RunAs
  /** Data folder of PostgreSQL. */
  data: string
  log: string
  passwordFile: string
  /** For tests: no waiting for the disk. */
  throwAway: boolean
}
export type Running = { port: number; url: string; pid: number }

/** Something about the cluster that a person must fix; the message says what. */
export class ClusterError extends Error {}

const user = 'clearway'
const missing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
const readIfThere = (file: string) =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (missing(error)) return null
    throw error
  })

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address ? address.port : 0
}

/** The end of a log, for messages. */
async function tail(file: string): Promise<string> {
  const text = (await readIfThere(file)) ?? ''
  return text.trim().split('\n').slice(-4).join(' / ')
}

async function password(cluster: Cluster): Promise<string> {
  const known = await readIfThere(cluster.passwordFile)
  if (known) return known.trim()
  const made = randomBytes(24).toString('base64url')
  await writeFile(cluster.passwordFile, made, { mode: 0o600 })
  return made
}

/** Makes the cluster, once. Under another name first: an interrupted one is thrown away. */
async function create(cluster: Cluster): Promise<void> {
  if ((await readIfThere(join(cluster.data, 'PG_VERSION'))) !== null) return
  const part = `${cluster.data}.part`
  const secret = `${cluster.passwordFile}.init`
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { mode: 0o700 })
  await writeFile(secret, await password(cluster), { mode: 0o600 })
  if (cluster.as) {
    await chown(part, cluster.as.uid, cluster.as.gid)
    await chown(secret, cluster.as.uid, cluster.as.gid)
  }
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['-D', part, '-U', user, '-A', 'scram-sha-256', `--pwfile=${secret}`, ...locale]
  if (cluster.throwAway) args.push('--no-sync')
  try {
    await promisify(execFile)(join(cluster.binaries.folder, 'bin', 'initdb'), args, {
      env: { PATH: process.env.PATH ?? '' },
      cwd: part,
      ...cluster.as,
    })
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new ClusterError(
      `The database could not be created in ${cluster.data}: ${stderr?.trim() ?? String(error)}`,
    )
  } finally {
    await rm(secret, { force: true })
  }
  await rename(part, cluster.data)
}

export const majorOf = (version: string): string => version.split('.')[0]!

/** The major version of the PostgreSQL that made the files; null when there are none yet. */
export const majorOnDisk = async ({ data }: Cluster): Promise<string | null> =>
  (await readIfThere(join(data, 'PG_VERSION')))?.trim() ?? null

/**
 * Whether a process is a PostgreSQL on this folder. A file that outlived its container names whoever has that number now,
 * even a thread of our own.
 */
async function isPostgresOn(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  try {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    // Its working folder is its data folder. If that is not readable, look at what it was started with.
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null)
    return (
      words.includes('postgres') &&
      (folder === null ? words.includes(data) : folder === (await realpath(data)))
    )
  } catch {
    // No /proc on this system: the number alone must do.
    return process.platform !== 'linux'
  }
}

/** What `postmaster.pid` says, when that process is the server of this folder. */
async function postmaster(cluster: Cluster): Promise<{ pid: number; port: number; ready: boolean } | null> {
  const lines = (await readIfThere(pidFileOf(cluster)))?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!pid || !(await isPostgresOn(pid, cluster.data))) return null
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
}
const pidFileOf = ({ data }: Cluster) => join(data, 'postmaster.pid')

/**
 * Locks the folder by a lock of the system's, which the server inherits: as long as any process of it lives, in whatever
 * container, no second one starts. Where the system has no `flock`, the numbers must do. Null when another has it.
 */
async function holdFolder(cluster: Cluster): Promise<FileHandle | null> {
  const handle = await open(`${cluster.data}.lock`, 'a', 0o600)
  const locked = await new Promise<boolean>((done) => {
    // The lock belongs to the open file, not to the process that asks for it.
    const child = spawn('flock', ['--exclusive', '--nonblock', '3'], {
      stdio: ['ignore', 'ignore', 'ignore', handle.fd],
    })
    child.on('error', () => done(true))
    child.on('exit', (code) => done(code !== 1))
  })
  if (locked) return handle
  await handle.close()
  return null
}

const urlOf = (port: number, secret: string, database = 'postgres') =>
  `postgres://${user}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${database}`

/** Whether what listens there is the server of this very data folder. */
async function isOurs(cluster: Cluster, url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    )
    const [here, there] = await Promise.all([stat(cluster.data), stat(rows[0]?.folder ?? '')])
    return here.ino === there.ino && here.dev === there.dev
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Memory for what is read again and again: an eighth of the machine's, 128 MB to 512 MB. It is taken as it is used. */
const bufferMegabytes = (): number => Math.round(Math.min(512, Math.max(128, totalmem() / 8 / 1024 / 1024)))

type Launched = { exited: () => number | null }

/** Starts a server; null while processes of another one have the folder. */
async function launch(cluster: Cluster, port: number): Promise<Launched | null> {
  const held = await holdFolder(cluster)
  if (!held) return null
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    // /dev/shm has 64 MB in containers, which a parallel join overruns.
    dynamic_shared_memory_type: process.platform === 'win32' ? 'windows' : 'mmap',
    max_connections: '100',
    shared_buffers: `${cluster.throwAway ? 128 : bufferMegabytes()}MB`,
    ...(cluster.throwAway && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  // PostgreSQL refuses to start while any process has the number that an earlier one left there.
  await rm(pidFileOf(cluster), { force: true })
  const log = await open(cluster.log, 'a', 0o600)
  // Detached: Ctrl-C at the terminal must not reach PostgreSQL before our workers have given back what they hold.
  const child = spawn(
    join(cluster.binaries.folder, 'bin', 'postgres'),
    ['-D', cluster.data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      stdio: ['ignore', log.fd, log.fd, held.fd],
      detached: true,
      env: { PATH: process.env.PATH ?? '' },
      cwd: cluster.data,
      ...cluster.as,
    },
  )
  let code: number | null = null
  child.on('error', () => (code = -1))
  child.on('exit', (exit, signal) => (code = exit ?? (signal ? -1 : 0)))
  child.unref()
  await Promise.all([log.close(), held.close()])
  return { exited: () => code }
}

/**
 * Brings the cluster up: creates it when it is new, adopts the server that a killed Clearway left behind, else starts one.
 * @param onPort where a new server listens; left out, any free port
 * @throws ClusterError with what a person must do
 */
export async function startCluster(cluster: Cluster, onPort?: number): Promise<Running> {
  await create(cluster)
  const secret = await password(cluster)
  let started: Launched | null = null
  const deadline = performance.now() + 60_000
  for (;;) {
    const found = await postmaster(cluster)
    if (found?.ready) {
      const url = urlOf(found.port, secret)
      if (await isOurs(cluster, url)) return { ...found, url }
    }
    if (!found && !started) started = await launch(cluster, onPort ?? (await freePort()))
    if (started?.exited() != null)
      throw new ClusterError(
        `The embedded database did not start: ${await tail(cluster.log)} (log: ${cluster.log})`,
      )
    if (performance.now() > deadline)
      throw new ClusterError(
        `The embedded database was not ready after a minute. Its log is ${cluster.log}` +
          (found ? `; process ${found.pid} holds its folder ${cluster.data}` : '') +
          (found || started ? '' : `; a PostgreSQL that cannot be seen from here works on ${cluster.data}`),
      )
    await sleep(30)
  }
}

/**
 * Starts the server again, at its port, whenever it is gone: killed for its memory, or by hand.
 * `report` is called each time. Answers how to end that.
 */
export function keepRunning(cluster: Cluster, port: number, report: (message: string) => void): () => void {
  let kept = true
  let said = ''
  const say = (message: string) => {
    if (message !== said) report(message)
    said = message
  }
  const look = async () => {
    if ((await postmaster(cluster)) || !kept) return
    if ((await readIfThere(join(cluster.data, 'PG_VERSION'))) === null)
      throw new ClusterError(
        `The database in ${cluster.data} was deleted. Stop Clearway, and put a backup there.`,
      )
    if (said === '') say('The embedded database is gone. Starting it again.')
    await startCluster(cluster, port)
    say('The embedded database is back.')
    said = ''
  }
  const next = () => {
    if (!kept) return
    const again = () =>
      void look()
        .catch((error: unknown) => say((error as Error).message))
        .then(next)
    setTimeout(again, 1000).unref()
  }
  next()
  return () => (kept = false)
}

/** Stops it: connections are ended, what is committed is kept. Waits for the end, 20 s at most, then insists. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  const found = await postmaster(cluster)
  if (!found) return
  const end = async (signal: NodeJS.Signals, ms: number) => {
    if (isAlive(found.pid)) process.kill(found.pid, signal)
    for (const until = performance.now() + ms; isAlive(found.pid) && performance.now() < until;)
      await sleep(20)
    return !isAlive(found.pid)
  }
  // SIGINT is PostgreSQL's "fast" shutdown, SIGQUIT its "immediate" one (recovers at the next start).
  if (!(await end('SIGINT', 20_000))) await end('SIGQUIT', 5000)
}
