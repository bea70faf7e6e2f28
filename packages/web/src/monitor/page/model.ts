import type { PageId, ScanId } from '@clearway/contract/kit/id.ts'
import {
  type PageStatus,
  ExclusionReason,
  FailureReason,
  Health,
  PageListQuery,
  PageSource,
  PageTab,
} from '@clearway/contract/monitor/page/schema.ts'
import * as z from 'zod/mini'
import { withDefault, listWithDefault, listSearch, uuidParam } from '../../kit/list/search.ts'
import { savedSearch } from '../view/model.ts'

type PageSort = z.output<typeof PageListQuery>['sort'][number]

/** Page statuses of each tab of the list. */
export const pageTabs = {
  completed: ['completed'],
  failed: ['failed'],
  excluded: ['excluded', 'otherDomainIgnored'],
} as const satisfies Record<PageTab, readonly PageStatus[]>

export const PageSearch = z.object({
  ...listSearch,
  ...savedSearch,
  scanId: listWithDefault(uuidParam<ScanId>()),
  run: z.catch(z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))), undefined),
  tab: withDefault(PageTab, 'completed'),
  health: listWithDefault(Health),
  failure: listWithDefault(FailureReason),
  exclusion: listWithDefault(ExclusionReason),
  source: listWithDefault(PageSource),
  /** The list, or its pages by folder. */
  by: withDefault(z.enum(['', 'folder']), ''),
  sort: withDefault(
    z.custom<PageSort>((value) => z.safeParse(PageListQuery.shape.sort, [value]).success),
    'health,asc',
  ),
  view: z.catch(z.optional(uuidParam<PageId>()), undefined),
})
export type PageSearch = z.output<typeof PageSearch>
export const pageSearchDefaults = z.parse(PageSearch, {})

const isToken = (name: string, value: string): boolean =>
  /nonce|token|csrf|xsrf|key|crumb/i.test(name) || (/^[\w-]{10,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value))

/** Pattern for a URL in which tokens, which differ at each visit, are any text. */
export function toUrlPattern(url: string): string {
  const [address = '', query] = url.split('#', 1)[0]!.split('?', 2)
  if (query === undefined) return address
  const pairs = query.split('&').map((pair) => {
    const [name = '', value] = pair.split('=', 2)
    return value !== undefined && isToken(name, value) ? `${name}=*` : pair
  })
  return `${address}?${pairs.join('&')}`
}
