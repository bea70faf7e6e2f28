import type { Request, Response } from 'playwright-core'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { sleep, withTimeout } from '../../browser/deadline.ts'
import type { Guard } from '../../guard/guard.ts'
import { readCurrentDocument, type Tab } from '../../browser/tab.ts'
import { reasonOfCode, reasonOfGuard, reasonOfStatus } from './net-error.ts'

/** What came of asking for a URL, as soon as the answer's headers are there. */
export type Arrival =
  | {
      kind: 'document'
      url: string
      status: number
      /** Without parameters, lower case; null when the site names none. */
      mimeType: string | null
      loaderId: string
      /** What the server asks for before another try. */
      retryAfter: string | undefined
      lastModified: string | undefined
    }
  | {
      kind: 'failed'
      /** The last hop: where the answer failed. */
      url: string
      reason: FailureReason
      detail: string
      status: number | null
      hung: boolean
      retryAfter?: string | undefined
    }
  /** An answer that is no document: an attachment, a status without content. */
  | { kind: 'no-document'; mimeType: string | null; detail: string; status: number | null; url: string }

const aborted = 'net::ERR_ABORTED'

const failed = (
  url: string,
  reason: FailureReason,
  detail: string,
  status: number | null = null,
): Arrival => ({
  kind: 'failed',
  url,
  reason,
  detail,
  status,
  hung: false,
})

const mimeTypeOf = (response: Response | null): string | null =>
  response?.headers()['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || null

type Navigated = { errorText?: string; loaderId?: string; isDownload?: boolean }

async function navigate(
  tab: Tab,
  url: string,
  ms: number,
  referrer: string | null,
): Promise<Navigated | 'late' | 'gone'> {
  const from = referrer === null ? {} : { referrer, referrerPolicy: 'unsafeUrl' as const }
  const sent = tab.cdp.send('Page.navigate', { url, ...from }).catch((): 'gone' => 'gone')
  const navigated = await withTimeout(ms, sent)
  return navigated.done ? navigated.value : 'late'
}

/** What a request was answered, as the browser reports it. */
async function responseTo(request: Request): Promise<Response | null> {
  const response = await withTimeout(
    2000,
    request.response().catch(() => null),
  )
  return response.done ? response.value : null
}

const withoutFragment = (url: string): string => url.split('#', 1)[0]!

/** Whether a request, followed back over its redirects, is for the URL that was asked for. */
function isFor(url: string, request: Request): boolean {
  let first = request
  for (let from = first.redirectedFrom(); from; from = first.redirectedFrom()) first = from
  return withoutFragment(first.url()) === withoutFragment(url)
}

const eventMs = 1000

/**
 * The last hop of the navigation to a URL; null when the browser reports none. A document that leaves by itself
 * makes requests too, and under load any of them may be reported before ours.
 */
async function ownHop(
  tab: Tab,
  url: string,
  { loaderId, errorText }: Navigated,
  waitMs: number,
): Promise<Request | null> {
  const end = performance.now() + waitMs
  do {
    const own = tab.traffic.listMainRequests().findLast((request) => isFor(url, request))
    if (own) return own
    // The browser may write the URL in another way, as without a password: what our loader shows is ours all the same.
    const newest = tab.traffic.listMainRequests().at(-1)
    const now = newest && loaderId !== undefined && !errorText ? await readCurrentDocument(tab) : null
    const isShown =
      now?.loaderId === loaderId && withoutFragment(now?.url ?? '') === withoutFragment(newest?.url() ?? '')
    if (newest && now && isShown) return newest
    if (waitMs > 0) await sleep(50)
  } while (performance.now() < end)
  return null
}

/** Another fragment of what the tab shows is no visit: nothing is asked for. */
const isSameDocument = ({ loaderId, errorText, isDownload }: Navigated): boolean =>
  loaderId === undefined && !errorText && !isDownload

type Asked = {
  navigated: Navigated | 'late' | 'gone'
  /** Where it failed, or was answered. */
  hop: string
  response: Response | null
  /** Whether another navigation came between: ours was ended by it, or nothing but its answer is there. */
  crossed: boolean
}

async function ask(tab: Tab, url: string, ms: number, referrer: string | null): Promise<Asked> {
  tab.traffic.reset()
  let navigated = await navigate(tab, url, ms, referrer)
  if (typeof navigated === 'object' && isSameDocument(navigated)) {
    await navigate(tab, 'about:blank', ms, null)
    navigated = await navigate(tab, url, ms, referrer)
  }
  const end = typeof navigated === 'object' ? navigated : {}
  const { errorText, loaderId, isDownload } = end
  // Of what failed by itself there may be no request at all.
  const reported = typeof navigated === 'object' && (!errorText || errorText === aborted)
  let own = await ownHop(tab, url, end, reported ? eventMs : 0)
  let response = own && typeof navigated === 'object' ? await responseTo(own) : null
  // That a hop was a redirect is reported together with the next.
  for (let next = own?.redirectedTo(); next; next = next.redirectedTo()) {
    own = next
    response = await responseTo(next)
  }
  const unknown = own === null && loaderId !== undefined && !errorText
  const crossed = response === null && !isDownload && (errorText === aborted || unknown)
  return { navigated, hop: own?.url() ?? url, response, crossed }
}

/** What the guard had to say about the hop that failed. */
function guardProblem(guard: Guard, hop: string, since: number) {
  const url = URL.parse(hop)
  return url ? guard.findProblem(authorityOf(url), since) : null
}

function explainError(code: string, navigated: Navigated, response: Response | null, hop: string): Arrival {
  const status = response?.status() ?? null
  if (status !== null && status >= 400) {
    const refusal = failed(hop, reasonOfStatus(status), `HTTP ${status}`, status)
    return { ...refusal, retryAfter: response?.headers()['retry-after'] } as Arrival
  }
  if (navigated.isDownload || (code === aborted && status !== null)) {
    const mimeType = mimeTypeOf(response)
    const detail = navigated.isDownload
      ? `The URL is a download${mimeType ? ` of type ${mimeType}` : ''}`
      : `The answer holds no document (HTTP ${status})`
    return { kind: 'no-document', mimeType, detail, status, url: response?.url() ?? hop }
  }
  return failed(hop, reasonOfCode(code), `${URL.parse(hop)?.host ?? hop}: ${code}`, status)
}

/**
 * Sends a tab to a URL (http or https, checked before) and waits for the headers of the final answer, redirects
 * followed, at most `ms`. `hung` says that the tab may still be busy with it.
 */
export async function arrive(
  tab: Tab,
  guard: Guard,
  url: string,
  ms: number,
  referrer: string | null = null,
): Promise<Arrival> {
  const since = performance.now()
  let asked = await ask(tab, url, ms, referrer)
  if (asked.crossed) asked = await ask(tab, url, ms, referrer)
  const { navigated, hop, response } = asked
  if (navigated === 'late') {
    await withTimeout(
      1000,
      tab.cdp.send('Page.stopLoading').catch(() => null),
    )
    const detail =
      guardProblem(guard, hop, since)?.detail ??
      `${URL.parse(url)?.host} sent no document within ${Math.round(ms)} ms`
    return { kind: 'failed', url: hop, reason: 'timeout-download', detail, status: null, hung: true }
  }
  if (navigated === 'gone') return failed(url, 'browser-driver', 'The browser closed the page')
  const refusal = response?.headers()[guard.mark]
  const problem = refusal !== undefined || navigated.errorText ? guardProblem(guard, hop, since) : null
  if (problem) return failed(hop, reasonOfGuard[problem.problem], problem.detail)
  if (navigated.errorText) return explainError(navigated.errorText, navigated, response, hop)
  if (asked.crossed) {
    const detail = 'Twice the browser went on to another page instead of this one'
    return { kind: 'failed', url, reason: 'browser-driver', detail, status: null, hung: true }
  }
  if (!response || navigated.loaderId === undefined)
    return failed(hop, 'connection-failed', `${URL.parse(hop)?.host}: the answer could not be read`)
  return {
    kind: 'document',
    url: response.url(),
    status: response.status(),
    mimeType: mimeTypeOf(response),
    loaderId: navigated.loaderId,
    retryAfter: response.headers()['retry-after'],
    lastModified: response.headers()['last-modified'],
  }
}
