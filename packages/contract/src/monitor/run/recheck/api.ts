import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import { PageId } from '../../../kit/id.ts'
import { Recheck } from './schema.ts'

const pageParams = z.object({ id: PageId })

/** Re-check of one page of a run. */
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
  readRecheck: {
    method: 'GET',
    path: '/pages/{id}/recheck',
    permission: 'scan.see',
    summary: 'State of the last re-check of a page; 404 if there was none',
    params: pageParams,
    reply: Recheck,
  },
})
