import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'

/** What applies to the whole organization, whatever product asks. */
export const GlobalConfig = z.object({
  organisation: z.string(),
  /** Whether people must agree to the terms before they work. */
  termsRequired: z.boolean(),
  /** The page that shows the terms; takes `original-redirect`, the URL to go back to. */
  termsUrl: z.string(),
  termsVersion: z.string(),
  /** A message of the administrators to everybody; null for none. */
  message: z.nullable(z.string()),
  /** Grows when the message changes: the notice is then shown again. */
  version: Count,
})
export type GlobalConfig = z.output<typeof GlobalConfig>

export const GlobalConfigBody = z.strictObject({
  message: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(2000))),
})

/** Whether the caller is to see the notice about the global configuration now. */
export const Notice = z.object({
  show: z.boolean(),
  message: z.nullable(z.string()),
  /** When it comes back, after "remind me later". */
  remindAt: z.nullable(Instant),
})
export type Notice = z.output<typeof Notice>

/** `remind`: again after two weeks. `dismiss`: not until the message changes. */
export const NoticeBody = z.strictObject({ action: z.enum(['remind', 'dismiss']) })
