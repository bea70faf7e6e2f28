import * as z from 'zod/mini'
import { PageId } from '../../../kit/id.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { FailureReason, PageStatus } from '../../page/schema.ts'

/** A page that is analysed again by itself, or was. */
export const Recheck = z.object({
  pageId: PageId,
  /** `stale`: a newer run began meanwhile, so nothing was recorded. */
  state: z.enum(['waiting', 'working', 'done', 'stale', 'failed']),
  requestedAt: Instant,
  endedAt: z.nullable(Instant),
  /** What became of the page; null until it is done. */
  status: z.nullable(PageStatus),
  failure: z.nullable(FailureReason),
  /** What failed, in English. */
  detail: z.nullable(z.string()),
  /** Issues of this page that the re-check changed, and those that it found as they were. */
  issues: z.nullable(z.object({ new: Count, back: Count, fixed: Count, still: Count })),
})
export type Recheck = z.output<typeof Recheck>
