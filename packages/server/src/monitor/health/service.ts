import type { ProcessHealth, SystemHealthDetails } from '@clearway/contract/monitor/health/schema.ts'
import { minFreeBytes, readFreeBytes } from '../../kit/disk.ts'
import { isRunning, getProcessIdentity } from '../../kit/running-process.ts'
import type { Reachability } from '../../kit/reachability.ts'
import type { MonitorDb } from '../database.ts'
import { readVitals, type Vitals } from './store.ts'

type HealthDetails = SystemHealthDetails['details']

export type HealthDeps = {
  db: MonitorDb
  version: string
  build: string
  /** Folder whose disk needs free space. */
  dataFolder: string
  /** Why the mail server cannot be used; null without one. */
  checkMailServer: Reachability | null
  /** Why the external identity provider cannot be used; null without one. */
  checkIdentityProvider: Reachability | null
  migrations: () => Promise<{ file: string; appliedAt: Date | null }[]>
  /** Processes of this machine's supervisor; without a supervisor, this process. */
  processes: () => ProcessHealth[]
}

/** Waiting time after which a run counts as stuck while workers are idle. */
const stuckQueueSeconds = 300

const minFreeMegabytes = minFreeBytes / 1024 / 1024

async function checkDiskSpace(folder: string): Promise<HealthDetails['diskSpace']> {
  const freeBytes = await readFreeBytes(folder)
  if (freeBytes === null)
    return { status: 'UNKNOWN', freeBytes: 0, reason: 'disk-unknown', message: 'The free space of the data folder is unknown' }
  return freeBytes < minFreeBytes
    ? {
        status: 'DOWN',
        freeBytes,
        reason: 'disk-full',
        count: minFreeMegabytes,
        message: `Less than ${minFreeMegabytes} MB are free`,
      }
    : { status: 'UP', freeBytes }
}

/** Without a live worker, the state of the browser is unknown. */
function checkWorkers({ workers }: Vitals): Pick<HealthDetails, 'worker' | 'browser'> {
  if (workers.length === 0)
    return {
      worker: { status: 'DOWN', reason: 'no-worker', message: 'No worker has reported for a while: runs wait' },
      browser: { status: 'UNKNOWN' },
    }
  const workerWithBrowser = workers.find((w) => w.browser !== null)
  const brokenWorkers = workers.filter((w) => w.problem !== null)
  const facts = workerWithBrowser && {
    version: workerWithBrowser.browser!,
    ...(workerWithBrowser.browserSource !== null && { source: workerWithBrowser.browserSource }),
  }
  if (brokenWorkers.length === 0) return { worker: { status: 'UP' }, browser: { status: facts ? 'UP' : 'UNKNOWN', ...facts } }
  const problem = brokenWorkers[0]!.problem!
  const shareText = brokenWorkers.length < workers.length ? `${brokenWorkers.length} of ${workers.length} workers: ` : ''
  return {
    worker: { status: 'UP' },
    browser: {
      status: 'DOWN',
      ...facts,
      reason: 'browser-broken',
      count: brokenWorkers.length,
      cause: problem,
      message: shareText + problem,
    },
  }
}

async function checkMigrations(deps: HealthDeps): Promise<HealthDetails['migrations']> {
  const migrations = await deps.migrations()
  const migrationFiles = migrations.map(({ file, appliedAt }) => ({
    file,
    status: appliedAt ? ('COMPLETE' as const) : ('PENDING' as const),
    started: appliedAt?.toISOString() ?? null,
  }))
  return { status: migrationFiles.every((f) => f.status === 'COMPLETE') ? 'COMPLETE' : 'RUNNING', files: migrationFiles }
}

const unknownHealth = { status: 'UNKNOWN' as const }
const unknownParts = {
  scheduler: unknownHealth,
  mail: unknownHealth,
  signIn: unknownHealth,
  worker: unknownHealth,
  browser: unknownHealth,
}

/** Detects a stuck queue: runs wait although workers could claim them. */
function checkQueue(vitals: Vitals, counts: { waitingRuns: number; activeRuns: number }): HealthDetails['queue'] {
  const isStuck = vitals.workers.length > 0 && vitals.oldestWaitSeconds > stuckQueueSeconds && counts.activeRuns === 0
  const waitMinutes = Math.round(vitals.oldestWaitSeconds / 60)
  return isStuck
    ? {
        status: 'DOWN',
        ...counts,
        reason: 'queue-stuck',
        count: waitMinutes,
        message: `A run has waited for ${waitMinutes} minutes`,
      }
    : { status: 'UP', ...counts }
}

/** An overdue schedule shows that no scheduler starts runs. */
const checkScheduler = ({ lateSchedules }: Vitals): HealthDetails['scheduler'] =>
  lateSchedules > 0
    ? {
        status: 'DOWN',
        reason: 'schedules-late',
        count: lateSchedules,
        message: `${lateSchedules} scheduled runs are due and not started`,
      }
    : { status: 'UP' }

/** The state of the mail server and of the last message; unknown without a mail server. */
async function checkMail(deps: HealthDeps, { lastMail }: Vitals): Promise<HealthDetails['mail']> {
  if (!deps.checkMailServer) return { status: 'UNKNOWN', reason: 'no-mail-server', message: 'No mail server is set' }
  const problem = await deps.checkMailServer()
  if (problem !== null)
    return {
      status: 'DOWN',
      reason: 'mail-server-unusable',
      cause: problem,
      message: `The mail server cannot be used: ${problem}`,
    }
  if (!lastMail?.error) return { status: 'UP' }
  return { status: 'DOWN', reason: 'last-mail-failed', message: 'The last message could not be sent' }
}

/** The state of an external identity provider. The embedded one shares the state of the server. */
async function checkSignIn(deps: HealthDeps): Promise<HealthDetails['signIn']> {
  const problem = (await deps.checkIdentityProvider?.()) ?? null
  if (problem === null) return { status: 'UP' }
  return {
    status: 'DOWN',
    reason: 'identity-provider-unusable',
    cause: problem,
    message: `The identity provider cannot be used: ${problem}`,
  }
}

/** Processes of this machine, each worker with its id, then workers on other machines. */
function listProcesses({ processes: listLocalProcesses }: HealthDeps, { workers }: Vitals): ProcessHealth[] {
  const { machine: thisMachine } = getProcessIdentity()
  const localProcesses = listLocalProcesses().map((localProcess) => {
    const workerRow = localProcess.kind === 'worker' && workers.find((w) => w.host === thisMachine && w.pid === localProcess.pid)
    if (!workerRow) return localProcess
    return { ...localProcess, id: workerRow.id, ...(workerRow.problem !== null && { status: 'DOWN' as const }) }
  })
  const otherWorkers = workers
    .filter(({ id }) => localProcesses.every((one) => one.id !== id))
    // Excludes workers of this machine that were killed.
    .filter(({ host, pid, began }) => isRunning({ machine: host, pid, began }) !== false)
    .map(({ id, pid, startedAt, problem }) => ({
      kind: 'worker' as const,
      id,
      pid,
      status: problem === null ? ('UP' as const) : ('DOWN' as const),
      startedAt: startedAt.toISOString(),
      restarts: null,
    }))
  return [...localProcesses, ...otherWorkers]
}

/** State of the system: down with the database or incomplete migrations, degraded without a worker, a browser or disk space. */
export async function getSystemHealth(deps: HealthDeps): Promise<SystemHealthDetails> {
  const { version, build } = deps
  const diskSpaceHealth = await checkDiskSpace(deps.dataFolder)
  const unavailableParts = {
    diskSpace: diskSpaceHealth,
    queue: { ...unknownHealth, waitingRuns: 0, activeRuns: 0 },
    ...unknownParts,
  }
  try {
    const migrationHealth = await checkMigrations(deps)
    // The tables below may not exist before the migrations complete.
    if (migrationHealth.status !== 'COMPLETE')
      return {
        version,
        build,
        status: 'DOWN',
        message: 'Migrations are running',
        details: { ...unavailableParts, migrations: migrationHealth, database: { status: 'UP' } },
        processes: deps.processes(),
      }
    const systemVitals = await readVitals(deps)
    const { waitingRuns, activeRuns } = systemVitals
    const details: HealthDetails = {
      migrations: migrationHealth,
      database: { status: 'UP', version: systemVitals.version },
      diskSpace: diskSpaceHealth,
      queue: checkQueue(systemVitals, { waitingRuns, activeRuns }),
      scheduler: checkScheduler(systemVitals),
      mail: await checkMail(deps, systemVitals),
      signIn: await checkSignIn(deps),
      ...checkWorkers(systemVitals),
    }
    return {
      version,
      build,
      status: Object.values(details).some(({ status }) => status === 'DOWN') ? 'DEGRADED' : 'UP',
      details,
      processes: listProcesses(deps, systemVitals),
    }
  } catch {
    const failedMigrations = { status: 'FAILED' as const, files: [] }
    return {
      version,
      build,
      status: 'DOWN',
      message: 'The database does not answer',
      details: { ...unavailableParts, migrations: failedMigrations, database: { status: 'DOWN' } },
      processes: deps.processes(),
    }
  }
}
