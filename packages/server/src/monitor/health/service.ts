import { statfs } from 'node:fs/promises'
import type { SystemHealth as Schema } from '@clearway/contract/monitor/health/schema.ts'
import type * as z from 'zod/mini'
import type { MonitorDb } from '../database.ts'
import { readVitals, type Vitals } from './store.ts'

type SystemHealth = z.output<typeof Schema>
type Details = SystemHealth['details']

export type HealthDeps = {
  db: MonitorDb
  /** Folder whose disk must have room. */
  dataFolder: string
  migrations: () => Promise<{ file: string; appliedAt: Date | null }[]>
}

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
    return { status: 'UNKNOWN', freeBytes: 0, message: 'The data folder cannot be asked' }
  }
}

/** With no worker heard of, nobody knows whether a browser would start. */
function workerParts({ workers }: Vitals): Pick<Details, 'worker' | 'browser'> {
  if (workers.length === 0)
    return {
      worker: { status: 'DOWN', message: 'No worker has been heard of for a while: runs wait' },
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

/**
 * The system and its parts as they are now. The whole is down when its database is, or when migrations are not done;
 * without worker, browser or disk the rest of the product still runs, so that these show in their parts alone.
 */
export async function systemHealth(deps: HealthDeps): Promise<SystemHealth> {
  const disk = await diskSpace(deps.dataFolder)
  try {
    const [vitals, migrations] = await Promise.all([readVitals(deps), migrationPart(deps)])
    const up = migrations.status === 'COMPLETE'
    return {
      status: up ? 'UP' : 'DOWN',
      ...(!up && { message: 'Migrations are running' }),
      details: {
        migrations,
        database: { status: 'UP', version: vitals.version },
        diskSpace: disk,
        queue: { status: 'UP', waitingRuns: vitals.waitingRuns, activeRuns: vitals.activeRuns },
        ...workerParts(vitals),
      },
    }
  } catch {
    return {
      status: 'DOWN',
      message: 'The database does not answer',
      details: {
        migrations: { status: 'FAILED', files: [] },
        database: { status: 'DOWN' },
        diskSpace: disk,
        queue: { ...unknown, waitingRuns: 0, activeRuns: 0 },
        worker: unknown,
        browser: unknown,
      },
    }
  }
}
