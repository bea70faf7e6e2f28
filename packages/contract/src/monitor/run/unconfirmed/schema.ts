import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { PageId } from '../../../kit/id.ts'

/**
 * Disappearance of many issues at once that no later run has confirmed yet: the issues that stay open until then, and the first
 * page that lacks them, with its visit in the previous run.
 */
export const UnconfirmedChange = z.object({
  issues: Count,
  sinceUrl: z.nullable(z.string()),
  pageId: z._default(z.nullable(PageId), null),
  previousPageId: z._default(z.nullable(PageId), null),
})
export type UnconfirmedChange = z.output<typeof UnconfirmedChange>
