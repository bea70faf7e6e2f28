import * as z from 'zod/mini'
import { Instant } from '../../kit/time.ts'

export const HealthStatus = z.enum(['UP', 'DOWN', 'UNKNOWN'])
const part = { status: HealthStatus, message: z.optional(z.string()) }

/** The state of the whole system and of its parts. Also the body of the 503 while it is down. */
export const SystemHealth = z.object({
  status: HealthStatus,
  message: z.optional(z.string()),
  details: z.object({
    migrations: z.object({
      status: z.enum(['COMPLETE', 'RUNNING', 'FAILED']),
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
})
export type SystemHealth = z.output<typeof SystemHealth>
