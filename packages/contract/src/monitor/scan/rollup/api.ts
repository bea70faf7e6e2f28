import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import { createPageSchema } from '../../../kit/paging.ts'
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

const readEndpoint = { method: 'GET', permission: 'list' } as const

/** Summaries of many scans. The worst pages of all scans are the first ones of `GET /pages`. */
export const rollupApi = defineEndpoints({
  rollupTrend: {
    ...readEndpoint,
    path: '/rollup/trend',
    summary: 'Score, pages and open issues of the scans that you may see, by day or week',
    query: RollupTrendQuery,
    reply: RollupTrend,
  },
  rollupRules: {
    ...readEndpoint,
    path: '/rollup/rules',
    summary: 'Rules with open issues in the scans that you may see',
    query: RollupFaultQuery,
    reply: createPageSchema(RollupRule),
  },
  rollupTemplates: {
    ...readEndpoint,
    path: '/rollup/templates',
    summary: 'Recurring issues of the same element pattern in the scans that you may see',
    query: RollupFaultQuery,
    reply: createPageSchema(RollupTemplate),
  },
  rollupGroups: {
    ...readEndpoint,
    path: '/rollup/groups',
    summary: 'Score and critical issues of scan groups, the lowest score first, a hundred at most',
    query: RollupGroupsQuery,
    reply: z.object({ content: z.array(RollupGroup) }),
  },
  rollupChanges: {
    ...readEndpoint,
    path: '/rollup/changes',
    summary: 'Changes of issues in the runs of the last days, by scan',
    query: RollupChangesQuery,
    reply: RollupChanges,
  },
})
