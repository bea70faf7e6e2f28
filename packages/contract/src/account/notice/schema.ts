import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'
import { Instant } from '../../kit/time.ts'

/** Configuration of the whole organization, independent of the product. */
export const GlobalConfig = z.object({
  organisation: z.string(),
  /** True if people must accept the terms before they can work. */
  termsRequired: z.boolean(),
  /** The page that shows the terms; takes `original-redirect`, the URL to go back to. */
  termsUrl: z.string(),
  termsVersion: z.string(),
  /** A message of the administrators to all people; null for none. */
  message: z.nullable(z.string()),
  /** Increases when the message changes, so that the notice is shown again. */
  version: Count,
})
export type GlobalConfig = z.output<typeof GlobalConfig>

export const GlobalConfigBody = z.strictObject({
  message: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(2000))),
})

/** State of the global configuration notice for the caller. */
export const Notice = z.object({
  show: z.boolean(),
  message: z.nullable(z.string()),
  /** Time at which it reappears, after "remind me later". */
  remindAt: z.nullable(Instant),
})
export type Notice = z.output<typeof Notice>

/** `remind`: again after two weeks. `dismiss`: hidden until the message changes. */
export const NoticeBody = z.strictObject({ action: z.enum(['remind', 'dismiss']) })
