import { statfs } from 'node:fs/promises'
import type { ProcessHealth, SystemHealthDetails } from '@clearway/contract/monitor/health/schema.ts'
import { isRunning, thisProcess } from '../../kit/running-process.ts'
import type { MonitorDb } from '../database.ts'
import { readVitals, type Vitals } from './store.ts'

type Details = SystemHealthDetails['details']

export type HealthDeps = {
  db: MonitorDb
  /** Folder whose disk must have room. */
  dataFolder: string
  /** Whether a mail server is set. */
  hasMail: boolean
  migrations: () => Promise<{ file: string; appliedAt: Date | null }[]>
  /** The processes that the supervisor of this machine keeps; without one, this process. */
  processes: () => ProcessHealth[]
}

/** A run that waits longer than this while workers live and do nothing. */
const stuckSeconds = 300
/** Below this a run could not keep what it finds. */
const leastFreeBytes = 200 * 1024 * 1024

async function diskSpace(folder: string): Promise<Details['diskSpace']> {
  try {
    const { bavail, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    return freeBytes < leastFreeBytes
      ? { status: 'DOWN', freeBytes, message: `Less than ${leastFreeBytes / 1024 / 1024} MB are free` }
      : { status: 'UP', freeBytes }
  } catch {
    return { status: 'UNKNOWN', freeBytes: 0, message: 'The free space of the data folder is unknown' }
  }
}

/** Where no worker reports, nobody knows whether a browser would start. */
function workerParts({ workers }: Vitals): Pick<Details, 'worker' | 'browser'> {
  if (workers.length === 0)
    return {
      worker: { status: 'DOWN', message: 'No worker has reported for a while: runs wait' },
      browser: { status: 'UNKNOWN' },
    }
  const able = workers.find((w) => w.browser !== null)
  const problem = workers.find((w) => w.problem !== null)?.problem
  return {
    worker: { status: 'UP' },
    browser: able
      ? {
          status: 'UP',
          version: able.browser!,
          ...(able.browserSource !== null && { source: able.browserSource }),
        }
      : { status: problem ? 'DOWN' : 'UNKNOWN', ...(problem && { message: problem }) },
  }
}

async function migrationPart(deps: HealthDeps): Promise<Details['migrations']> {
  const found = await deps.migrations()
  const files = found.map(({ file, appliedAt }) => ({
    file,
    status: appliedAt ? ('COMPLETE' as const) : ('PENDING' as const),
    started: appliedAt?.toISOString() ?? null,
  }))
  return { status: files.every((f) => f.status === 'COMPLETE') ? 'COMPLETE' : 'RUNNING', files }
}

const unknown = { status: 'UNKNOWN' as const }
const unknownParts = { scheduler: unknown, mail: unknown, worker: unknown, browser: unknown }

/** Runs that wait although workers could take them: the queue does not move. */
function queuePart(vitals: Vitals, counts: { waitingRuns: number; activeRuns: number }): Details['queue'] {
  const stuck =
    vitals.workers.length > 0 && vitals.oldestWaitSeconds > stuckSeconds && counts.activeRuns === 0
  return stuck
    ? {
        status: 'DOWN',
        ...counts,
        message: `A run has waited for ${Math.round(vitals.oldestWaitSeconds / 60)} minutes`,
      }
    : { status: 'UP', ...counts }
}

/** A schedule that has been due for a while says that nobody starts runs. */
const schedulerPart = ({ lateSchedules }: Vitals): Details['scheduler'] =>
  lateSchedules > 0
    ? { status: 'DOWN', message: `${lateSchedules} scheduled runs are due and not started` }
    : { status: 'UP' }

/** Mail is as well as its last message was; without a server set there is nothing to be well. */
function mailPart(deps: HealthDeps, { lastMail }: Vitals): Details['mail'] {
  if (!deps.hasMail) return { status: 'UNKNOWN', message: 'No mail server is set' }
  if (!lastMail?.error) return { status: 'UP' }
  return { status: 'DOWN', message: 'The last message could not be sent' }
}

/** Those of this machine, each worker with its id, then the workers elsewhere. */
function processesOf({ processes }: HealthDeps, { workers }: Vitals): ProcessHealth[] {
  const { machine } = thisProcess()
  const own = processes().map((one) => {
    const row = one.kind === 'worker' && workers.find((w) => w.host === machine && w.pid === one.pid)
    return row ? { ...one, id: row.id } : one
  })
  const others = workers
    .filter(({ id }) => own.every((one) => one.id !== id))
    // One that was killed here reports no more, and is known to be gone.
    .filter(({ host, pid, began }) => isRunning({ machine: host, pid, began }) !== false)
    .map(({ id, pid, startedAt }) => ({
      kind: 'worker' as const,
      id,
      pid,
      status: 'UP' as const,
      startedAt: startedAt.toISOString(),
      restarts: null,
    }))
  return [...own, ...others]
}

/**
 * The system and its parts as they are now. The whole is down when its database is, or when migrations are not done;
 * without worker, browser or disk the rest of the product still runs, so that these show in their parts alone.
 */
export async function systemHealth(deps: HealthDeps): Promise<SystemHealthDetails> {
  const disk = await diskSpace(deps.dataFolder)
  const down = { diskSpace: disk, queue: { ...unknown, waitingRuns: 0, activeRuns: 0 }, ...unknownParts }
  try {
    const migrations = await migrationPart(deps)
    // Until they are done the tables below may not be there.
    if (migrations.status !== 'COMPLETE')
      return {
        status: 'DOWN',
        message: 'Migrations are running',
        details: { ...down, migrations, database: { status: 'UP' } },
        processes: deps.processes(),
      }
    const vitals = await readVitals(deps)
    const { waitingRuns, activeRuns } = vitals
    return {
      status: 'UP',
      details: {
        migrations,
        database: { status: 'UP', version: vitals.version },
        diskSpace: disk,
        queue: queuePart(vitals, { waitingRuns, activeRuns }),
        scheduler: schedulerPart(vitals),
        mail: mailPart(deps, vitals),
        ...workerParts(vitals),
      },
      processes: processesOf(deps, vitals),
    }
  } catch {
    const migrations = { status: 'FAILED' as const, files: [] }
    return {
      status: 'DOWN',
      message: 'The database does not answer',
      details: { ...down, migrations, database: { status: 'DOWN' } },
      processes: deps.processes(),
    }
  }
}
