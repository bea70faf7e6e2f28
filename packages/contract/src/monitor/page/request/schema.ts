import * as z from 'zod/mini'
import { Count } from '../../../kit/count.ts'

/** Methods of requests. Pages may send any method; `other` stands for all others. */
export const RequestMethod = z.enum(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'other'])
export type RequestMethod = z.output<typeof RequestMethod>

/** Maximum number of addresses that are listed for a page or a run. */
export const maxChangingRequests = 50

/** Requests to one address that may change something on a site. */
export const ChangingRequest = z.object({
  method: RequestMethod,
  /** Origin and path, without the query. */
  address: z.string(),
  count: Count,
  /** The number of them that look-only mode held back. */
  held: Count,
})
export type ChangingRequest = z.output<typeof ChangingRequest>

export const SentRequests = z.object({
  byMethod: z.array(z.object({ method: RequestMethod, count: Count })),
  /** Requests other than GET, HEAD and OPTIONS, by address: the first of them. */
  changing: z.array(ChangingRequest).check(z.maxLength(maxChangingRequests)),
})
export type SentRequests = z.output<typeof SentRequests>
