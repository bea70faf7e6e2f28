import { ScanListQuery } from '@clearway/contract/monitor/scan/schema.ts'
import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import * as z from 'zod/mini'
import { withDefault, listSearch } from '../../kit/list/search.ts'
import { savedSearch } from '../view/model.ts'

type ScanSort = z.output<typeof ScanListQuery>['sort'][number]

export const ScanSearch = z.object({
  ...listSearch,
  ...savedSearch,
  show: withDefault(z.enum(['all', 'favorites', 'mine']), 'all'),
  sort: withDefault(
    z.custom<ScanSort>((value) => z.safeParse(ScanListQuery.shape.sort, [value]).success),
    'lastRun,desc',
  ),
  /** Columns count either issues, or pages by their worst issue. */
  by: withDefault(z.enum(['issues', 'pages']), 'issues'),
  group: withDefault(z.enum(['none', 'group', 'type', 'priority']), 'none'),
  /** Empty for all tags. */
  tag: withDefault(z.string().check(z.maxLength(50)), ''),
})
export type ScanSearch = z.output<typeof ScanSearch>
export const scanSearchDefaults = z.parse(ScanSearch, {})

/** Converts a sort order to the currently displayed counts. */
export function convertSort(sortOrder: ScanSort, countedBy: ScanSearch['by']): ScanSort {
  const [sortField = '', sortDirection] = sortOrder.split(',')
  const baseField = sortField.replace(/(Issues|Pages)$/, '')
  const convertedField = countedBy === 'pages' ? `${baseField}Pages` : baseField
  const convertedSort = `${convertedField},${sortDirection}`
  return z.safeParse(ScanListQuery.shape.sort, [convertedSort]).success ? (convertedSort as ScanSort) : sortOrder
}

/** Returns the host of a URL, and all that follows it unless that is the root. */
export function shortenUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { host: urlHost, pathname: urlPath, search: urlQuery, hash } = new URL(url)
  const urlEnd = urlPath + urlQuery + hash
  return urlEnd === '/' ? urlHost : urlHost + toReadableUrl(urlEnd)
}
