import * as z from 'zod/mini'
import { define } from '../../../kit/endpoint.ts'
import { PageId } from '../../../kit/id.ts'
import { Recheck } from './schema.ts'

const params = z.object({ id: PageId })

/** One page of a run, done again. */
export const recheckApi = define({
  recheckPage: {
    method: 'POST',
    path: '/pages/{id}/recheck',
    permission: 'scan.run',
    summary: 'Analyzes one page of the newest run again, and replaces its issues in that run',
    params,
    reply: Recheck,
    status: 202,
    problems: ['run-active', 'not-recheckable'],
  },
  readRecheck: {
    method: 'GET',
    path: '/pages/{id}/recheck',
    permission: 'scan.see',
    summary: 'State of the last re-check of a page; 404 if there was none',
    params,
    reply: Recheck,
  },
})
