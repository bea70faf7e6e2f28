import * as z from 'zod/mini'
import { Instant } from '../../kit/time.ts'

/** The public link of a scan. The token is returned once, on creation; only its hash is stored. */
export const PublicToken = z.object({
  exists: z.boolean(),
  createdAt: z.nullable(Instant),
  /** Null for a link that does not expire. */
  expiresAt: z.nullable(Instant),
  expired: z.boolean(),
})
export const NewPublicToken = z.object({
  token: z.string(),
  /** The shareable URL: the scan's overview with `?guestToken=`. */
  url: z.string(),
  createdAt: Instant,
  expiresAt: z.nullable(Instant),
})
export const PublicTokenBody = z.strictObject({ expiresAt: z._default(z.nullable(Instant), null) })
