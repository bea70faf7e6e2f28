import * as z from 'zod/mini'
import { Instant } from '../../kit/time.ts'

export const HealthStatus = z.enum(['UP', 'DOWN', 'UNKNOWN'])
/** `DEGRADED`: works, but a part is down. */
const SystemStatus = z.enum(['UP', 'DEGRADED', 'DOWN', 'UNKNOWN'])
const MigrationsStatus = z.enum(['COMPLETE', 'RUNNING', 'FAILED'])
const partStateSchema = z.object({ status: HealthStatus })
export const HealthReason = z.enum([
  'disk-unknown',
  'disk-full',
  'no-worker',
  'browser-broken',
  'queue-stuck',
  'schedules-late',
  'no-mail-server',
  'mail-server-unusable',
  'last-mail-failed',
  'identity-provider-unusable',
])
export type HealthReason = z.output<typeof HealthReason>
const partFields = {
  status: HealthStatus,
  /** The reason as an English sentence. */
  message: z.optional(z.string()),
  reason: z.optional(HealthReason),
  /** Number in the sentence: megabytes, minutes, schedules or workers. */
  count: z.optional(z.number()),
  /** Error text of the other program. */
  cause: z.optional(z.string()),
}

/** State of the whole system and its parts only, because the endpoint is public. Also the body of the 503 while it is down. */
export const SystemHealth = z.object({
  status: SystemStatus,
  message: z.optional(z.string()),
  details: z.object({
    migrations: z.object({ status: MigrationsStatus }),
    database: partStateSchema,
    diskSpace: partStateSchema,
    queue: partStateSchema,
    scheduler: partStateSchema,
    mail: partStateSchema,
    signIn: partStateSchema,
    worker: partStateSchema,
    browser: partStateSchema,
  }),
})
export type SystemHealth = z.output<typeof SystemHealth>

/** A process of the product: those of the responding machine, and all workers. */
export const ProcessHealth = z.object({
  kind: z.enum(['server', 'worker']),
  id: z.nullable(z.string()),
  /** Process id on its machine; null while waiting for a restart. */
  pid: z.nullable(z.number()),
  status: HealthStatus,
  startedAt: z.nullable(Instant),
  /** Number of restarts; null if this machine does not track them. */
  restarts: z.nullable(z.number()),
})
export type ProcessHealth = z.output<typeof ProcessHealth>

/** Details in addition to the states: versions, numbers, messages, and each process. */
export const SystemHealthDetails = z.object({
  ...SystemHealth.shape,
  version: z.string(),
  /** Commit and time of the build, or `development`. */
  build: z.string(),
  details: z.object({
    migrations: z.object({
      status: MigrationsStatus,
      files: z.array(
        z.object({ file: z.string(), status: z.enum(['COMPLETE', 'PENDING', 'FAILED']), started: z.nullable(Instant) }),
      ),
    }),
    database: z.object({ ...partFields, version: z.optional(z.string()) }),
    diskSpace: z.object({ ...partFields, freeBytes: z.number() }),
    queue: z.object({ ...partFields, waitingRuns: z.number(), activeRuns: z.number() }),
    scheduler: z.object(partFields),
    mail: z.object(partFields),
    /** An external identity provider; the embedded one is up with its server. */
    signIn: z.object(partFields),
    worker: z.object(partFields),
    browser: z.object({ ...partFields, version: z.optional(z.string()), source: z.optional(z.string()) }),
  }),
  processes: z.array(ProcessHealth),
})
export type SystemHealthDetails = z.output<typeof SystemHealthDetails>
