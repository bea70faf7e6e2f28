import type { BranchResult } from '@clearway/contract/monitor/run/branch/schema.ts'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import type { IconName } from '../../kit/control/icon.tsx'
import { listSearch, withDefault } from '../../kit/list/search.ts'

/** URL parameters of the list of results on branches; the newest is always first. */
export const BranchSearch = z.object({ ...listSearch, sort: withDefault(z.literal('uploadedAt,desc'), 'uploadedAt,desc') })
export type BranchSearch = z.output<typeof BranchSearch>
export const branchSearchDefaults = z.parse(BranchSearch, {})

export const branchResultSigns = {
  passed: { word: msg`Nothing new`, icon: 'check', look: 'completed' },
  failed: { word: msg`New issues`, icon: 'stopSign', look: 'failed' },
  incomplete: { word: msg`Incomplete`, icon: 'warning', look: 'partial' },
} as const satisfies Record<BranchResult, { icon: IconName; word: unknown; look: string }>
