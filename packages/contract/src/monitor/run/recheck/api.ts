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
    summary:
      'Analyses a page of the newest run again, by itself; its issues in that run become what is found',
    params,
    reply: Recheck,
    status: 202,
    problems: ['run-active', 'not-recheckable'],
  },
  readRecheck: {
    method: 'GET',
    path: '/pages/{id}/recheck',
    permission: 'scan.see',
    summary: 'How the last re-check of a page stands; 404 when there was none',
    params,
    reply: Recheck,
  },
})
