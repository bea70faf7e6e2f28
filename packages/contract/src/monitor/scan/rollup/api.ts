import * as z from 'zod/mini'
import { define } from '../../../kit/endpoint.ts'
import { pageOf } from '../../../kit/paging.ts'
import {
  RollupChanges,
  RollupChangesQuery,
  RollupFaultQuery,
  RollupGroup,
  RollupGroupsQuery,
  RollupRule,
  RollupTemplate,
  RollupTrend,
  RollupTrendQuery,
} from './schema.ts'

const read = { method: 'GET', permission: 'list' } as const

/** Many scans summed up. The worst pages over all scans are the first of `GET /pages`. */
export const rollupApi = define({
  rollupTrend: {
    ...read,
    path: '/rollup/trend',
    summary: 'Score, pages and open issues of the scans that you may see, by day or week',
    query: RollupTrendQuery,
    reply: RollupTrend,
  },
  rollupRules: {
    ...read,
    path: '/rollup/rules',
    summary: 'Rules with open issues in the scans that you may see',
    query: RollupFaultQuery,
    reply: pageOf(RollupRule),
  },
  rollupTemplates: {
    ...read,
    path: '/rollup/templates',
    summary: 'Recurring issues of the same element pattern in the scans that you may see',
    query: RollupFaultQuery,
    reply: pageOf(RollupTemplate),
  },
  rollupGroups: {
    ...read,
    path: '/rollup/groups',
    summary: 'Score and critical issues of scan groups, the lowest score first, a hundred at most',
    query: RollupGroupsQuery,
    reply: z.object({ content: z.array(RollupGroup) }),
  },
  rollupChanges: {
    ...read,
    path: '/rollup/changes',
    summary: 'New, fixed and reappeared issues in the runs of the last days, by scan',
    query: RollupChangesQuery,
    reply: RollupChanges,
  },
})
