import type { GroupId, ScanId } from '@clearway/contract/kit/id.ts'
import * as z from 'zod/mini'
import { withDefault, listWithDefault } from '../../../kit/list/search.ts'

const id = <T extends string>() => z.custom<T>((value) => z.safeParse(z.uuid(), value).success)
/** Spans of the trend, in days. */
export const rollupSpans = [30, 90, 180, 365] as const

/** The board over many scans, as the address bar keeps it. No scan and no group: all that the reader sees. */
export const RollupSearch = z.object({
  scanId: listWithDefault(id<ScanId>()),
  groupId: listWithDefault(id<GroupId>()),
  days: withDefault(z.union([z.literal(30), z.literal(90), z.literal(180), z.literal(365)]), 90),
  faults: withDefault(z.enum(['rules', 'templates']), 'rules'),
})
export type RollupSearch = z.output<typeof RollupSearch>
export const rollupSearchDefaults = z.parse(RollupSearch, {})

/** The scans that the board is about. */
export type RollupScope = Pick<RollupSearch, 'scanId' | 'groupId'>
