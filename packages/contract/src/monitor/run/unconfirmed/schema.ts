import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { PageId } from '../../../kit/id.ts'

/**
 * Disappearance of most issues at once that no later run has confirmed yet: issues that are kept open until then, and the first
 * page on which they are missing, with its visit of the previous run.
 */
export const UnconfirmedChange = z.object({
  issues: Count,
  sinceUrl: z.nullable(z.string()),
  pageId: z._default(z.nullable(PageId), null),
  previousPageId: z._default(z.nullable(PageId), null),
})
export type UnconfirmedChange = z.output<typeof UnconfirmedChange>
