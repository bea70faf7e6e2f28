import type { PageId, ScanId } from '@clearway/contract/kit/id.ts'
import type { PageStatus } from '@clearway/contract/monitor/page/schema.ts'
import {
  ExclusionReason,
  FailureReason,
  Health,
  PageListQuery,
  PageSource,
  PageTab,
} from '@clearway/contract/monitor/page/schema.ts'
import * as z from 'zod/mini'
import { withDefault, listWithDefault, listSearch } from '../../kit/list/search.ts'
import { savedSearch } from '../view/model.ts'

const id = <T extends string>() => z.custom<T>((value) => z.safeParse(z.uuid(), value).success)
type Sort = z.output<typeof PageListQuery>['sort'][number]

/** The page states that each tab of the list shows. */
export const pageTabs = {
  completed: ['completed'],
  failed: ['failed'],
  excluded: ['excluded', 'otherDomainIgnored'],
} as const satisfies Record<PageTab, readonly PageStatus[]>

/** The pages list as the address bar keeps it, the open page included. */
export const PageSearch = z.object({
  ...listSearch,
  ...savedSearch,
  scanId: listWithDefault(id<ScanId>()),
  run: z.catch(z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))), undefined),
  tab: withDefault(PageTab, 'completed'),
  health: listWithDefault(Health),
  failure: listWithDefault(FailureReason),
  exclusion: listWithDefault(ExclusionReason),
  source: listWithDefault(PageSource),
  sort: withDefault(
    z.custom<Sort>((value) => z.safeParse(PageListQuery.shape.sort, [value]).success),
    'health,asc',
  ),
  view: z.catch(z.optional(id<PageId>()), undefined),
})
export type PageSearch = z.output<typeof PageSearch>
export const pageSearchDefaults = z.parse(PageSearch, {})
