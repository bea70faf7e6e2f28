import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, type FileHandle, mkdir, open, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { isProcessAlive } from '../running-process.ts'
import type { PostgresBinaries, PostgresUser } from './binaries.ts'

/** A cluster on disk: its data, its log, and its password file. */
export type DatabaseCluster = {
  binaries: PostgresBinaries
  as: PostgresUser
  /** Data folder of PostgreSQL. */
  data: string
  log: string
  passwordFile: string
  /** For tests: disables waiting for the disk. */
  throwAway: boolean
}
export type RunningCluster = { port: number; url: string; pid: number }

/** A problem with the cluster that the operator must fix; the message describes it. */
export class ClusterError extends Error {}

const databaseUser = 'clearway'
const isMissingFileError = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
const readFileIfExists = (path: string) =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissingFileError(error)) return null
    throw error
  })

async function findFreePort(): Promise<number> {
  const portServer = createServer()
  await new Promise<void>((resolve, reject) => portServer.once('error', reject).listen(0, '127.0.0.1', resolve))
  const serverAddress = portServer.address()
  await new Promise((resolve) => portServer.close(resolve))
  return typeof serverAddress === 'object' && serverAddress ? serverAddress.port : 0
}

async function readLogTail(logPath: string): Promise<string> {
  const logText = (await readFileIfExists(logPath)) ?? ''
  return logText.trim().split('\n').slice(-4).join(' / ')
}

async function getOrCreatePassword(cluster: DatabaseCluster): Promise<string> {
  const existingPassword = await readFileIfExists(cluster.passwordFile)
  if (existingPassword) return existingPassword.trim()
  const newPassword = randomBytes(24).toString('base64url')
  await writeFile(cluster.passwordFile, newPassword, { mode: 0o600 })
  return newPassword
}

/** Creates the cluster, once. Uses a temporary name first, so that an interrupted creation is discarded. */
async function createCluster(cluster: DatabaseCluster): Promise<void> {
  if ((await readFileIfExists(join(cluster.data, 'PG_VERSION'))) !== null) return
  const partialFolder = `${cluster.data}.part`
  const passwordPath = `${cluster.passwordFile}.init`
  await rm(partialFolder, { recursive: true, force: true })
  await mkdir(partialFolder, { mode: 0o700 })
  await writeFile(passwordPath, await getOrCreatePassword(cluster), { mode: 0o600 })
  if (cluster.as) {
    await chown(partialFolder, cluster.as.uid, cluster.as.gid)
    await chown(passwordPath, cluster.as.uid, cluster.as.gid)
  }
  const localeArgs = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const initdbArgs = ['-D', partialFolder, '-U', databaseUser, '-A', 'scram-sha-256', `--pwfile=${passwordPath}`, ...localeArgs]
  if (cluster.throwAway) initdbArgs.push('--no-sync')
  try {
    await promisify(execFile)(join(cluster.binaries.folder, 'bin', 'initdb'), initdbArgs, {
      env: { PATH: process.env.PATH ?? '' },
      cwd: partialFolder,
      ...cluster.as,
    })
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new ClusterError(`The database could not be created in ${cluster.data}: ${stderr?.trim() ?? String(error)}`)
  } finally {
    await rm(passwordPath, { force: true })
  }
  await rename(partialFolder, cluster.data)
}

export const getMajorVersion = (version: string): string => version.split('.')[0]!

/** The major version of PostgreSQL that created the files; null if there are none. */
export const readMajorOnDisk = async ({ data }: DatabaseCluster): Promise<string | null> =>
  (await readFileIfExists(join(data, 'PG_VERSION')))?.trim() ?? null

/** True if a process is a PostgreSQL on this folder: the pid of a stopped container may be an unrelated process or thread. */
async function isPostgresOn(pid: number, dataFolder: string): Promise<boolean> {
  if (!isProcessAlive(pid)) return false
  try {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    // PostgreSQL's working folder is its data folder. If it is not readable, the command line is checked.
    const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => null)
    return (
      commandLine.includes('postgres') &&
      (workingFolder === null ? commandLine.includes(dataFolder) : workingFolder === (await realpath(dataFolder)))
    )
  } catch {
    // Without /proc, only the pid can be checked.
    return process.platform !== 'linux'
  }
}

/** Reads `postmaster.pid`; null unless its process is the server of this folder. */
async function findPostmaster(cluster: DatabaseCluster): Promise<{ pid: number; port: number; ready: boolean } | null> {
  const pidFileLines = (await readFileIfExists(getPidPath(cluster)))?.split('\n') ?? []
  const pid = Number(pidFileLines[0])
  if (!pid || !(await isPostgresOn(pid, cluster.data))) return null
  return { pid, port: Number(pidFileLines[3]), ready: pidFileLines[7]?.trim() === 'ready' }
}
const getPidPath = ({ data }: DatabaseCluster) => join(data, 'postmaster.pid')

/**
 * Locks the folder with a system lock that the server inherits. No second server starts as long as one of its processes
 * lives, in any container. Without `flock` on the system, only pids are checked. Null if another server holds the lock.
 */
async function acquireFolderLock(cluster: DatabaseCluster): Promise<FileHandle | null> {
  const lockHandle = await open(`${cluster.data}.lock`, 'a', 0o600)
  const isLocked = await new Promise<boolean>((resolve) => {
    // The lock belongs to the open file, not to the process that acquires it.
    const flockProcess = spawn('flock', ['--exclusive', '--nonblock', '3'], {
      stdio: ['ignore', 'ignore', 'ignore', lockHandle.fd],
    })
    flockProcess.on('error', () => resolve(true))
    flockProcess.on('exit', (code) => resolve(code !== 1))
  })
  if (isLocked) return lockHandle
  await lockHandle.close()
  return null
}

const buildUrl = (port: number, password: string, database = 'postgres') =>
  `postgres://${databaseUser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

/** True if the server behind the URL uses exactly this data folder. */
async function isServerOfCluster(cluster: DatabaseCluster, url: string): Promise<boolean> {
  const databaseClient = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  databaseClient.on('error', () => undefined)
  try {
    await databaseClient.connect()
    const { rows: folderRows } = await databaseClient.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    )
    const [expectedStats, actualStats] = await Promise.all([stat(cluster.data), stat(folderRows[0]?.folder ?? '')])
    return expectedStats.ino === actualStats.ino && expectedStats.dev === actualStats.dev
  } catch {
    return false
  } finally {
    await databaseClient.end().catch(() => undefined)
  }
}

/** Size of the shared buffers in MB: an eighth of the memory, from 128 to 512. The system allocates them on use. */
const computeBufferMegabytes = (): number => Math.round(Math.min(512, Math.max(128, totalmem() / 8 / 1024 / 1024)))

type LaunchedServer = { exited: () => number | null }

/** Starts a server; null while processes of another one hold the folder. */
async function launchServer(cluster: DatabaseCluster, port: number): Promise<LaunchedServer | null> {
  const folderLock = await acquireFolderLock(cluster)
  if (!folderLock) return null
  const serverOptions = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    // /dev/shm has 64 MB in containers, too little for parallel joins.
    dynamic_shared_memory_type: process.platform === 'win32' ? 'windows' : 'mmap',
    max_connections: '100',
    // Nothing subscribes to another server, so the process for it is not needed.
    max_logical_replication_workers: '0',
    // The default of 16 MB stays in memory once it was written; commits are small.
    wal_buffers: '4MB',
    shared_buffers: `${cluster.throwAway ? 128 : computeBufferMegabytes()}MB`,
    ...(cluster.throwAway && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  // PostgreSQL refuses to start if any process has the pid in a leftover file.
  await rm(getPidPath(cluster), { force: true })
  const logHandle = await open(cluster.log, 'a', 0o600)
  // Detached: Ctrl-C at the terminal must not reach PostgreSQL before our workers have released their claims.
  const serverProcess = spawn(
    join(cluster.binaries.folder, 'bin', 'postgres'),
    ['-D', cluster.data, ...Object.entries(serverOptions).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      stdio: ['ignore', logHandle.fd, logHandle.fd, folderLock.fd],
      detached: true,
      env: { PATH: process.env.PATH ?? '' },
      cwd: cluster.data,
      ...cluster.as,
    },
  )
  let exitCode: number | null = null
  serverProcess.on('error', () => (exitCode = -1))
  serverProcess.on('exit', (exitStatus, signal) => (exitCode = exitStatus ?? (signal ? -1 : 0)))
  serverProcess.unref()
  await Promise.all([logHandle.close(), folderLock.close()])
  return { exited: () => exitCode }
}

/**
 * Starts the cluster: creates it if it is new, adopts the running server of a killed Clearway, or launches one.
 * @param onPort port of a new server; any free port if omitted
 * @throws ClusterError with instructions for the operator
 */
export async function startCluster(cluster: DatabaseCluster, preferredPort?: number): Promise<RunningCluster> {
  await createCluster(cluster)
  const password = await getOrCreatePassword(cluster)
  let launchedServer: LaunchedServer | null = null
  const deadline = performance.now() + 60_000
  for (;;) {
    const runningServer = await findPostmaster(cluster)
    if (runningServer?.ready) {
      const serverUrl = buildUrl(runningServer.port, password)
      if (await isServerOfCluster(cluster, serverUrl)) return { ...runningServer, url: serverUrl }
    }
    if (!runningServer && !launchedServer) launchedServer = await launchServer(cluster, preferredPort ?? (await findFreePort()))
    if (launchedServer?.exited() != null)
      throw new ClusterError(`The embedded database did not start: ${await readLogTail(cluster.log)} (log: ${cluster.log})`)
    if (performance.now() > deadline)
      throw new ClusterError(
        `The embedded database was not ready after a minute. Its log is ${cluster.log}` +
          (runningServer ? `; process ${runningServer.pid} holds its folder ${cluster.data}` : '') +
          (runningServer || launchedServer ? '' : `; a PostgreSQL that cannot be seen from here works on ${cluster.data}`),
      )
    await sleep(30)
  }
}

/** Restarts the server on its port whenever it has ended, and calls `report`. Returns a function that stops this. */
export function superviseCluster(cluster: DatabaseCluster, port: number, report: (message: string) => void): () => void {
  let isSupervising = true
  let lastMessage = ''
  const reportOnce = (message: string) => {
    if (message !== lastMessage) report(message)
    lastMessage = message
  }
  const restartIfGone = async () => {
    if ((await findPostmaster(cluster)) || !isSupervising) return
    if ((await readFileIfExists(join(cluster.data, 'PG_VERSION'))) === null)
      throw new ClusterError(`The database in ${cluster.data} was deleted. Stop Clearway, and put a backup there.`)
    if (lastMessage === '') reportOnce('The embedded database is gone. Starting it again.')
    await startCluster(cluster, port)
    reportOnce('The embedded database is back.')
    lastMessage = ''
  }
  const scheduleCheck = () => {
    if (!isSupervising) return
    const runCheck = () =>
      void restartIfGone()
        .catch((error: unknown) => reportOnce((error as Error).message))
        .then(scheduleCheck)
    setTimeout(runCheck, 1000).unref()
  }
  scheduleCheck()
  return () => (isSupervising = false)
}

/** Stops the server: connections end, committed data stays. Waits up to 20 s, then forces the end. */
export async function stopCluster(cluster: DatabaseCluster): Promise<void> {
  const runningServer = await findPostmaster(cluster)
  if (!runningServer) return
  const signalAndWait = async (signal: NodeJS.Signals, timeoutMs: number) => {
    if (isProcessAlive(runningServer.pid)) process.kill(runningServer.pid, signal)
    for (const deadline = performance.now() + timeoutMs; isProcessAlive(runningServer.pid) && performance.now() < deadline;)
      await sleep(20)
    return !isProcessAlive(runningServer.pid)
  }
  // SIGINT is PostgreSQL's "fast" shutdown, SIGQUIT its "immediate" one (recovers at the next start).
  if (!(await signalAndWait('SIGINT', 20_000))) await signalAndWait('SIGQUIT', 5000)
}
