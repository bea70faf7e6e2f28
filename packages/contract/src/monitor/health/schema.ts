import * as z from 'zod/mini'
import { Instant } from '../../kit/time.ts'

export const HealthStatus = z.enum(['UP', 'DOWN', 'UNKNOWN'])
const MigrationsStatus = z.enum(['COMPLETE', 'RUNNING', 'FAILED'])
const state = z.object({ status: HealthStatus })
const part = { status: HealthStatus, message: z.optional(z.string()) }

/**
 * The state of the whole system and of its parts, and nothing else: anybody may ask. Also the body of the 503 while it
 * is down.
 */
export const SystemHealth = z.object({
  status: HealthStatus,
  message: z.optional(z.string()),
  details: z.object({
    migrations: z.object({ status: MigrationsStatus }),
    database: state,
    diskSpace: state,
    queue: state,
    scheduler: state,
    mail: state,
    worker: state,
    browser: state,
  }),
})
export type SystemHealth = z.output<typeof SystemHealth>

/** A process of the product: those of the machine that answers, and all workers. */
export const ProcessHealth = z.object({
  kind: z.enum(['server', 'worker']),
  /** Of a worker that has signed on. */
  id: z.nullable(z.string()),
  /** Where it runs, its number; null while it waits to be started again. */
  pid: z.nullable(z.number()),
  status: HealthStatus,
  startedAt: z.nullable(Instant),
  /** How often it ended and was started again; null where this machine does not keep it. */
  restarts: z.nullable(z.number()),
})
export type ProcessHealth = z.output<typeof ProcessHealth>

/** What there is to know beyond the states: versions, numbers, messages, and each process. */
export const SystemHealthDetails = z.object({
  ...SystemHealth.shape,
  details: z.object({
    migrations: z.object({
      status: MigrationsStatus,
      files: z.array(
        z.object({
          file: z.string(),
          status: z.enum(['COMPLETE', 'PENDING', 'FAILED']),
          started: z.nullable(Instant),
        }),
      ),
    }),
    database: z.object({ ...part, version: z.optional(z.string()) }),
    diskSpace: z.object({ ...part, freeBytes: z.number() }),
    queue: z.object({ ...part, waitingRuns: z.number(), activeRuns: z.number() }),
    scheduler: z.object(part),
    mail: z.object(part),
    worker: z.object(part),
    browser: z.object({ ...part, version: z.optional(z.string()), source: z.optional(z.string()) }),
  }),
  processes: z.array(ProcessHealth),
})
export type SystemHealthDetails = z.output<typeof SystemHealthDetails>
