import { ScanListQuery } from '@clearway/contract/monitor/scan/schema.ts'
import * as z from 'zod/mini'
import { withDefault, listSearch } from '../../kit/list/search.ts'
import { savedSearch } from '../view/model.ts'

type Sort = z.output<typeof ScanListQuery>['sort'][number]

/** The scan list as the address bar keeps it. */
export const ScanSearch = z.object({
  ...listSearch,
  ...savedSearch,
  show: withDefault(z.enum(['all', 'favorites', 'mine']), 'all'),
  sort: withDefault(
    z.custom<Sort>((value) => z.safeParse(ScanListQuery.shape.sort, [value]).success),
    'lastRun,desc',
  ),
  /** Whether the columns count issues, or pages by their worst issue. */
  by: withDefault(z.enum(['issues', 'pages']), 'issues'),
  group: withDefault(z.enum(['none', 'group', 'type', 'priority']), 'none'),
  /** Empty for all. */
  tag: withDefault(z.string().check(z.maxLength(50)), ''),
})
export type ScanSearch = z.output<typeof ScanSearch>
export const scanSearchDefaults = z.parse(ScanSearch, {})

/** The same order, by the counts that are shown now. */
export function sortBy(sort: Sort, by: ScanSearch['by']): Sort {
  const [field = '', direction] = sort.split(',')
  const plain = field.replace(/(Issues|Pages)$/, '')
  const other = by === 'pages' ? `${plain}Pages` : plain
  const wanted = `${other},${direction}`
  return z.safeParse(ScanListQuery.shape.sort, [wanted]).success ? (wanted as Sort) : sort
}

/** What a start URL is called in a list: its host, and its path when that says more. */
export function shortUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : host + pathname
}
