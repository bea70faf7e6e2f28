import * as z from 'zod/mini'
import { PageId } from '../../../kit/id.ts'
import { idList } from '../../../kit/selection.ts'
import { Instant } from '../../../kit/time.ts'
import { PageFilter, PageSummary } from '../schema.ts'

/** Which pages: those named, or all that the filters match less those named. */
export const SelectedPages = z.strictObject({
  selectAllMode: z._default(z.boolean(), false),
  selectedPages: idList(PageId),
  deselectedPages: idList(PageId),
})

/** The body of every call on many pages. */
export const PageSelection = z.strictObject({
  filters: z.prefault(PageFilter, {}),
  selected: z.prefault(SelectedPages, {}),
})
export type PageSelection = z.output<typeof PageSelection>

/** The JSON export of pages: complete, in the order scan, run, URL. */
export const PageExport = z.object({
  format: z.literal('clearway-pages'),
  version: z.literal(1),
  exportedAt: Instant,
  pages: z.array(PageSummary),
})
