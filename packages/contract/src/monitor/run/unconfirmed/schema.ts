import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'
import { PageId } from '../../../kit/id.ts'

/** Disappearance of many issues that no later run has confirmed: the issues that stay open, and the first page without them. */
export const UnconfirmedChange = z.object({
  issues: Count,
  sinceUrl: z.nullable(z.string()),
  pageId: z._default(z.nullable(PageId), null),
  previousPageId: z._default(z.nullable(PageId), null),
})
export type UnconfirmedChange = z.output<typeof UnconfirmedChange>
