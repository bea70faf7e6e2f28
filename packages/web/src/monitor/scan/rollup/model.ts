import type { GroupId, ScanId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'
import { withDefault, listWithDefault, uuidParam } from '../../../kit/list/search.ts'

/** Periods of the trend in days. */
export const rollupSpans = [30, 90, 180, 365] as const

/** URL parameters of the dashboard. Without scans and groups it covers all visible scans. */
export const RollupSearch = z.object({
  scanId: listWithDefault(uuidParam<ScanId>()),
  groupId: listWithDefault(uuidParam<GroupId>()),
  days: withDefault(z.union([z.literal(30), z.literal(90), z.literal(180), z.literal(365)]), 90),
  faults: withDefault(z.enum(['rules', 'templates']), 'rules'),
})
export type RollupSearch = z.output<typeof RollupSearch>
export const rollupSearchDefaults = z.parse(RollupSearch, {})

export type RollupScope = Pick<RollupSearch, 'scanId' | 'groupId'>
