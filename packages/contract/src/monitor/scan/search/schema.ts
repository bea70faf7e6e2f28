import * as z from 'zod/mini'
import { PageId, ScanId } from '../../../kit/id.ts'
import { Count } from '../../../kit/count.ts'

/** What is looked for everywhere: part of a name, a URL or a title. */
export const SearchQuery = z.object({ q: z.string().check(z.trim(), z.minLength(2), z.maxLength(200)) })
/** The most that is answered of each kind. */
export const mostFound = 5

/** What the caller may see of what was looked for, a few of each kind. */
export const SearchResult = z.object({
  scans: z.array(z.object({ id: ScanId, name: z.string(), url: z.string() })),
  /** Of the run of each scan that lists look at. */
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
  /** People with a role on a scan that the caller discusses. */
  people: z.array(z.object({ id: z.string(), name: z.string() })),
  /** False when there were more pages than could be looked through in time. */
  complete: z.boolean(),
})
export type SearchResult = z.output<typeof SearchResult>
