import type { Response } from 'playwright-core'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { within } from '../../browser/deadline.ts'
import type { Guard } from '../../guard/guard.ts'
import type { Tab } from '../../browser/tab.ts'
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
  const navigated = await within(ms, sent)
  return navigated.done ? navigated.value : 'late'
}

/** The response to the last hop of the navigation, as the browser reports it. */
async function responseOf(tab: Tab): Promise<Response | null> {
  const request = tab.traffic.mainRequest()
  if (!request) return null
  const response = await within(
    2000,
    request.response().catch(() => null),
  )
  return response.done ? response.value : null
}

const withoutFragment = (url: string): string => url.split('#', 1)[0]!

/** Whether an answer, followed back over its redirects, is to the URL that was asked for. */
function isAnswerTo(response: Response, url: string): boolean {
  let request = response.request()
  for (let from = request.redirectedFrom(); from; from = request.redirectedFrom()) request = from
  return withoutFragment(request.url()) === withoutFragment(url)
}

/** What the guard had to say about the URL that failed: the last hop, or the one asked for. */
function guardProblem(tab: Tab, guard: Guard, url: string, since: number) {
  const hop = URL.parse(tab.traffic.mainRequest()?.url() ?? url)
  return hop ? guard.problemOf(authorityOf(hop), since) : null
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
      ? `The address is a download${mimeType ? ` of type ${mimeType}` : ''}`
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
  const since = Date.now()
  tab.traffic.reset()
  let navigated = await navigate(tab, url, ms, referrer)
  // The document before may have started a navigation of its own, which ends ours or is taken for it.
  if (typeof navigated === 'object' && !navigated.isDownload) {
    const answered = await responseOf(tab)
    const ours = answered !== null && isAnswerTo(answered, url)
    if (!ours && (answered !== null || navigated.errorText === aborted))
      navigated = await navigate(tab, url, ms, referrer)
  }
  if (navigated === 'late') {
    await within(
      1000,
      tab.cdp.send('Page.stopLoading').catch(() => null),
    )
    const problem = guardProblem(tab, guard, url, since)
    const detail = problem?.detail ?? `${URL.parse(url)?.host} sent no document within ${Math.round(ms)} ms`
    const hop = tab.traffic.mainRequest()?.url() ?? url
    return { kind: 'failed', url: hop, reason: 'timeout-download', detail, status: null, hung: true }
  }
  if (navigated === 'gone') return failed(url, 'browser-driver', 'The browser closed the page')
  const response = await responseOf(tab)
  const refusal = response?.headers()[guard.mark]
  const problem = refusal !== undefined || navigated.errorText ? guardProblem(tab, guard, url, since) : null
  const hop = tab.traffic.mainRequest()?.url() ?? url
  if (problem) return failed(hop, reasonOfGuard[problem.problem], problem.detail)
  if (navigated.errorText) return explainError(navigated.errorText, navigated, response, hop)
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
