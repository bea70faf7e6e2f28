import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { readReply } from '../read-reply.ts'

/** The build system refused a request, or did not answer; the message is one sentence. `isUnknown`: it may have been carried out. */
export class VendorError extends Error {
  readonly status: number | null
  readonly isUnknown: boolean
  constructor(message: string, status: number | null, isUnknown: boolean) {
    super(message)
    this.status = status
    this.isUnknown = isUnknown
  }
}

export type VendorRequest = { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string; body?: object }
/** Sends a request to a build system. @throws VendorError */
export type SendRequest = (request: VendorRequest) => Promise<unknown>

const maxReplyBytes = 20_000_000
const maxAttempts = 3
/** Longer waits would hold up a build. */
const maxWaitSeconds = 60

const isRepeatable = ({ method }: VendorRequest): boolean => method !== 'POST'

/** GitHub signals its limits by 403, too: with `retry-after`, or with no requests left. */
const hasRateLimit = ({ status, headers }: Response): boolean =>
  status === 429 || (status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'))

/** Seconds that a system asks to wait, as a number, a date, or the time of the next requests; null without any. */
function readRetryAfter({ headers }: Response): number | null {
  const retryAfter = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter)
  const resetAt =
    headers.get('x-ratelimit-remaining') === '0' ? Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000 : Number.NaN
  const retryAt = retryAfter === '' ? resetAt : Date.parse(retryAfter)
  return Number.isNaN(retryAt) ? null : Math.max(0, Math.ceil((retryAt - Date.now()) / 1000))
}

/** Seconds until the next attempt; null if a retry is pointless. */
function findWait(response: Response, request: VendorRequest, attempt: number): number | null {
  const isServerFault = response.status >= 500 && isRepeatable(request)
  if (attempt >= maxAttempts || !(hasRateLimit(response) || isServerFault)) return null
  const seconds = readRetryAfter(response) ?? attempt
  return seconds <= maxWaitSeconds ? seconds : null
}

/**
 * Creates a client of a build system. The token follows no redirect.
 * @param options.reasons what a status means there, by its number
 * @param options.timeoutMs time for one answer, 20 s by default
 */
export function openVendorClient(options: {
  name: string
  baseUrl: string
  headers: Readonly<Record<string, string>>
  reasons: Readonly<Record<number, string>>
  timeoutMs?: number
}): SendRequest {
  const { name, baseUrl, headers, reasons, timeoutMs = 20_000 } = options
  const sendOnce = async (request: VendorRequest): Promise<Response | VendorError> => {
    try {
      return await fetch(baseUrl + request.path, {
        method: request.method,
        headers: { ...headers, ...(request.body && { 'content-type': 'application/json' }) },
        ...(request.body && { body: JSON.stringify(request.body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : (error as Error).message
      return new VendorError(`${name} cannot be reached: ${cause}.`, null, true)
    }
  }
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const response = await sendOnce(request)
      if (response instanceof VendorError) {
        if (attempt >= maxAttempts || !isRepeatable(request)) throw response
        await sleep(attempt * 1000)
        continue
      }
      if (response.ok)
        try {
          const text = await readReply(response, maxReplyBytes)
          return text === '' ? null : JSON.parse(text)
        } catch (error) {
          throw new VendorError(`${name} gave an answer that cannot be read: ${(error as Error).message}.`, response.status, true)
        }
      await response.body?.cancel()
      const waitSeconds = findWait(response, request, attempt)
      if (waitSeconds === null) {
        const reason = hasRateLimit(response) ? 'too many requests; try again later' : reasons[response.status]
        throw new VendorError(
          `${name} refused it: ${reason ?? `HTTP ${response.status}`}.`,
          response.status,
          response.status >= 500,
        )
      }
      await sleep(waitSeconds * 1000)
    }
  }
}

const rowsPerPage = 100
const maxPages = 30

/**
 * Reads all rows of a list, page by page.
 * @param path with a query, to which the page is added
 * @throws VendorError, ZodError for rows of another form
 */
export async function listAll<T>(send: SendRequest, path: string, rowSchema: z.ZodMiniType<T>): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; page <= maxPages; page++) {
    const reply = await send({ method: 'GET', path: `${path}per_page=${rowsPerPage}&page=${page}` })
    const pageRows = z.parse(z.array(rowSchema), reply)
    rows.push(...pageRows)
    if (pageRows.length < rowsPerPage) break
  }
  return rows
}
