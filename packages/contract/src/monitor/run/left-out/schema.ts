import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'

/** URLs of one form that the page limit left out. */
export const LeftOutPattern = z.object({
  /** The URLs, with `*` for what differs; a rule of a scan for them. */
  pattern: z.string(),
  urls: Count,
  example: z.string(),
})
export type LeftOutPattern = z.output<typeof LeftOutPattern>

export const LeftOutPatterns = z.object({
  patterns: z.array(LeftOutPattern),
  /** URLs that were grouped: all that the limit left out, or as many as can be read at once. */
  urls: Count,
})
export type LeftOutPatterns = z.output<typeof LeftOutPatterns>
