import type { PageListQuery } from '@clearway/contract/monitor/page/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { buildClassRange, sumPageClasses, limitToUrls } from '../../run/listed/table.ts'
import { healths } from '../model.ts'

// Fast paths of lists of pages by health: runs carry the numbers of their pages by class, so few pages are read.

type Query = z.output<typeof PageListQuery>
type PageFilters = Pick<Query, 'pageId' | 'source' | 'exclusion' | 'status' | 'health' | 'failure' | 'search'>
type Runs = RawBuilder<{ run_id: string }>

const isFilteredByHealth = ({ pageId, source, exclusion, status, failure, search }: PageFilters): boolean =>
  [pageId, source, exclusion, status, failure].every((values) => values.length === 0) && !search

/** Checks that a list has all pages of its runs. */
export const isUnfiltered = (query: PageFilters): boolean => isFilteredByHealth(query) && query.health.length === 0

const isInHealth = ({ health }: Query): RawBuilder<unknown> =>
  health.length > 0 ? sql`c.health = any(${health.map((name) => healths.indexOf(name))}::int[])` : sql`true`

/** The number of pages of a list, from the classes of its runs; null for a list with other filters. */
export const buildClassCount = (runs: Runs, query: Query): RawBuilder<number> | null =>
  isFilteredByHealth(query) ? sumPageClasses(runs, isInHealth(query)) : null

/** The classes of the page of a list in its usual order, or null. */
export const buildHealthRange = (runs: Runs, query: Query) =>
  isFilteredByHealth(query) && query.sort.length === 0 && query.size > 0
    ? buildClassRange(runs, { order: 'health', isChosen: isInHealth(query) }, query)
    : null

/** The runs that the page of a list in the order of URLs may show; all for another list. */
export function limitToOrder(runs: Runs, query: Query): Runs {
  const [word, ...furtherWords] = query.sort
  if (furtherWords.length > 0 || !isUnfiltered(query) || query.size === 0) return runs
  const maxPages = (query.page + 1) * query.size
  if (word === 'url,asc') return limitToUrls(runs, 'asc', maxPages)
  return word === 'url,desc' ? limitToUrls(runs, 'desc', maxPages) : runs
}
