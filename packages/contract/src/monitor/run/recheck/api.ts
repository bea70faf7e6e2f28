import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import { PageId, ScanId } from '../../../kit/id.ts'
import { queryInteger } from '../../../kit/paging.ts'
import { Recheck, RecheckCount } from './schema.ts'

const pageParams = z.object({ id: PageId })

export const recheckApi = defineEndpoints({
  recheckPage: {
    method: 'POST',
    path: '/pages/{id}/recheck',
    permission: 'scan.run',
    summary: 'Analyzes one page of the newest run again, and replaces its issues in that run',
    params: pageParams,
    reply: Recheck,
    status: 202,
    problems: ['run-active', 'not-recheckable'],
  },
  recheckDoubtfulPages: {
    method: 'POST',
    path: '/scans/{id}/runs/{run}/recheck',
    permission: 'scan.run',
    summary:
      'Analyzes the pages of the newest run again whose content was not seen, that were not proved signed in, or whose issues were not tested again; at most 500, start pages first',
    params: z.object({ id: ScanId, run: queryInteger(1, 1_000_000_000) }),
    reply: RecheckCount,
    status: 202,
    problems: ['run-active', 'not-recheckable'],
  },
  readRecheck: {
    method: 'GET',
    path: '/pages/{id}/recheck',
    permission: 'scan.see',
    summary: 'State of the last re-check of a page; 404 if there was none',
    params: pageParams,
    reply: Recheck,
  },
})
