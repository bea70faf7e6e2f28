import * as z from 'zod/mini'
import { PageId, ScanId } from '../../../kit/id.ts'
import { Count } from '../../../kit/count.ts'

/** Global search: part of a name, a URL or a title. */
export const SearchQuery = z.object({ q: z.string().check(z.trim(), z.minLength(2), z.maxLength(200)) })
/** Maximum number of results of each kind. */
export const maxSearchResults = 5

export const SearchResult = z.object({
  scans: z.array(z.object({ id: ScanId, name: z.string(), url: z.string() })),
  /** Pages of each scan's default run in lists. */
  pages: z.array(
    z.object({
      id: PageId,
      url: z.string(),
      title: z.nullable(z.string()),
      scanId: ScanId,
      scanName: z.string(),
      runNumber: Count,
    }),
  ),
  rules: z.array(z.object({ rule: z.string(), help: z.string() })),
  /** People with a role on a scan where the caller may comment. */
  people: z.array(z.object({ id: z.string(), name: z.string() })),
  /** False if there were too many pages to search in time. */
  complete: z.boolean(),
})
export type SearchResult = z.output<typeof SearchResult>
