import * as z from 'zod/mini'
import { PageId } from '../../../kit/id.ts'
import { createIdList, expectedCountField } from '../../../kit/selection.ts'
import { Instant } from '../../../kit/time.ts'
import { PageFilter, PageSummary } from '../schema.ts'

/** Selection of pages: the given ones, or all that match the filters except the given ones. */
export const SelectedPages = z.strictObject({
  selectAllMode: z._default(z.boolean(), false),
  selectedPages: createIdList(PageId),
  deselectedPages: createIdList(PageId),
})

export const PageSelection = z.strictObject({
  filters: z.prefault(PageFilter, {}),
  selected: z.prefault(SelectedPages, {}),
  ...expectedCountField,
})
export type PageSelection = z.output<typeof PageSelection>

/** JSON export of pages: complete, in the order scan, run, URL. */
export const PageExport = z.object({
  format: z.literal('clearway-pages'),
  version: z.literal(1),
  exportedAt: Instant,
  pages: z.array(PageSummary),
})
