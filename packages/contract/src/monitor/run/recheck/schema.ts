import * as z from 'zod/mini'
import { PageId } from '../../../kit/id.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { FailureReason, PageStatus } from '../../page/schema.ts'
import { ChangeCounts } from '../schema.ts'

export const Recheck = z.object({
  pageId: PageId,
  /** `stale`: a newer run started in the meantime, so nothing was recorded. */
  state: z.enum(['waiting', 'working', 'done', 'stale', 'failed']),
  requestedAt: Instant,
  endedAt: z.nullable(Instant),
  /** Outcome of the page; null until it is done. */
  status: z.nullable(PageStatus),
  failure: z.nullable(FailureReason),
  /** Failure details in English. */
  detail: z.nullable(z.string()),
  /** Numbers of issues of this page that the re-check changed, and that stayed the same. */
  issues: z.nullable(z.extend(z.omit(ChangeCounts, { issuesGone: true }), { still: Count })),
})
export type Recheck = z.output<typeof Recheck>

/** Maximum number of pages that one request re-checks. */
export const maxRecheckedPages = 500
export const RecheckCount = z.object({ pages: Count })
