import type { Request, Response } from 'playwright-core'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { sleep, withTimeout } from '../../browser/deadline.ts'
import { isSandboxPolicy } from '../../browser/sandbox.ts'
import type { Guard } from '../../guard/guard.ts'
import { readCurrentDocument, type Tab } from '../../browser/tab.ts'
import { isChallengeResponse } from './challenge.ts'
import { getCodeReason, guardReasons, getStatusReason } from './net-error.ts'
import { removeFragment } from '../../browser/remove-fragment.ts'

/** Result of requesting a URL, available once the response headers are. */
export type Arrival =
  | {
      kind: 'document'
      /** URL after redirects, with the fragment that the request or a redirect had. */
      url: string
      status: number
      /** Lower case without parameters; null if the site sends none. */
      mimeType: string | null
      loaderId: string
      /** Retry-After header of the server. */
      retryAfter: string | undefined
      lastModified: string | undefined
      /** The response is a challenge in front of the page. */
      isChallenge?: boolean
      /** The response forbids its document all scripts, ours included. */
      isSandboxed?: boolean
    }
  | {
      kind: 'failed'
      /** The last hop, whose response failed. */
      url: string
      reason: FailureReason
      detail: string
      status: number | null
      isHung: boolean
      retryAfter?: string | undefined
    }
  /** A response without a document: an attachment, a status without content. */
  | {
      kind: 'no-document'
      mimeType: string | null
      /** File name of a download. */
      fileName: string | null
      detail: string
      status: number | null
      url: string
    }

const abortedCode = 'net::ERR_ABORTED'

const buildFailedArrival = (url: string, reason: FailureReason, detail: string, status: number | null = null): Arrival => ({
  kind: 'failed',
  url,
  reason,
  detail,
  status,
  isHung: false,
})

/** Returns the first type of a Content-Type header; a server may send several, or without the right signs. */
const getMimeType = (response: Response | null): string | null => {
  const contentType = response?.headers()['content-type'] ?? ''
  const [firstType = ''] = contentType.trim().split(/[;,\s]/, 1)
  return firstType.toLowerCase() || null
}

/** Returns the file name of a Content-Disposition header; the one with an encoding comes last, and is better. */
const getFileName = (response: Response | null): string | null =>
  [
    ...(response?.headers()['content-disposition'] ?? '')
      .slice(0, 2000)
      .matchAll(/filename\*?=(?:[\w-]{1,20}'[\w-]{0,20}')?"?([^";]+)/gi),
  ]
    .at(-1)?.[1]
    ?.trim() ?? null

type NavigationResult = { errorText?: string; loaderId?: string; isDownload?: boolean }

async function navigate(
  tab: Tab,
  url: string,
  timeoutMs: number,
  referrer: string | null,
): Promise<NavigationResult | 'late' | 'gone'> {
  const referrerOptions = referrer === null ? {} : { referrer, referrerPolicy: 'unsafeUrl' as const }
  const pendingNavigation = tab.cdp.send('Page.navigate', { url, ...referrerOptions }).catch((): 'gone' => 'gone')
  const navigationResult = await withTimeout(timeoutMs, pendingNavigation)
  return navigationResult.done ? navigationResult.value : 'late'
}

/** Returns the response to a request, as reported by the browser. */
async function readResponse(request: Request): Promise<Response | null> {
  const responseResult = await withTimeout(
    2000,
    request.response().catch(() => null),
  )
  return responseResult.done ? responseResult.value : null
}

const getFragment = (url: string): string => url.slice(removeFragment(url).length)

/** Returns true if a request, traced back through its redirects, is for the requested URL. */
function isRequestFor(url: string, request: Request): boolean {
  let firstRequest = request
  for (let previousRequest = firstRequest.redirectedFrom(); previousRequest; previousRequest = firstRequest.redirectedFrom())
    firstRequest = previousRequest
  return removeFragment(firstRequest.url()) === removeFragment(url)
}

const hopWaitMs = 1000

/**
 * Returns the last hop of the navigation to a URL; null if the browser reports none. A document that navigates by
 * itself makes requests, too, and under load any of them may be reported before ours.
 */
async function findOwnRequest(
  tab: Tab,
  url: string,
  { loaderId, errorText }: NavigationResult,
  waitMs: number,
): Promise<Request | null> {
  const deadlineAt = performance.now() + waitMs
  do {
    const ownRequest = tab.traffic.listMainRequests().findLast((request) => isRequestFor(url, request))
    if (ownRequest) return ownRequest
    // The browser may serialize the URL differently, for example without a password. Our loader's document is ours in any case.
    const latestRequest = tab.traffic.listMainRequests().at(-1)
    const currentDocument = latestRequest && loaderId !== undefined && !errorText ? await readCurrentDocument(tab) : null
    const isCurrentDocument =
      currentDocument?.loaderId === loaderId &&
      removeFragment(currentDocument?.url ?? '') === removeFragment(latestRequest?.url() ?? '')
    if (latestRequest && currentDocument && isCurrentDocument) return latestRequest
    if (waitMs > 0) await sleep(50)
  } while (performance.now() < deadlineAt)
  return null
}

/** Returns true if only the fragment differs from the current document: nothing is requested. */
const isSameDocument = ({ loaderId, errorText, isDownload }: NavigationResult): boolean =>
  loaderId === undefined && !errorText && !isDownload

type NavigationAttempt = {
  navigated: NavigationResult | 'late' | 'gone'
  /** The hop that failed or responded. */
  hop: string
  response: Response | null
  /** True if another navigation interfered: it aborted ours, or only its response is available. */
  wasSuperseded: boolean
  /** The browser has no copy of a page that the server says it has. */
  isDiscarded: boolean
}

const notModifiedStatus = 304
const maxLeaveMs = 2000

/** Shows an empty document. A navigation that starts before it is shown may never end. */
async function leaveDocument(tab: Tab, timeoutMs: number): Promise<void> {
  await navigate(tab, 'about:blank', Math.min(timeoutMs, maxLeaveMs), null)
  await tab.page.waitForURL('about:blank', { waitUntil: 'commit', timeout: maxLeaveMs }).catch(() => null)
}

async function attemptNavigation(tab: Tab, url: string, timeoutMs: number, referrer: string | null): Promise<NavigationAttempt> {
  tab.traffic.reset()
  // The scripts of a document do not see the fragment of another page.
  if (url.includes('#') && removeFragment(tab.page.url()) === removeFragment(url)) await leaveDocument(tab, timeoutMs)
  let navigationResult = await navigate(tab, url, timeoutMs, referrer)
  if (typeof navigationResult === 'object' && isSameDocument(navigationResult)) {
    await leaveDocument(tab, timeoutMs)
    navigationResult = await navigate(tab, url, timeoutMs, referrer)
  }
  const finishedNavigation = typeof navigationResult === 'object' ? navigationResult : {}
  const { errorText, loaderId, isDownload } = finishedNavigation
  // A navigation that failed by itself may have no request.
  const hasRequest = typeof navigationResult === 'object' && (!errorText || errorText === abortedCode)
  let ownRequest = await findOwnRequest(tab, url, finishedNavigation, hasRequest ? hopWaitMs : 0)
  let hopResponse = ownRequest && typeof navigationResult === 'object' ? await readResponse(ownRequest) : null
  // Redirects are reported together with the next hop.
  for (let redirectTarget = ownRequest?.redirectedTo(); redirectTarget; redirectTarget = redirectTarget.redirectedTo()) {
    ownRequest = redirectTarget
    hopResponse = await readResponse(redirectTarget)
  }
  const isUnknown = ownRequest === null && loaderId !== undefined && !errorText
  const lastStatus = loaderId === undefined ? null : tab.navigations.getStatus(loaderId)
  const isDiscarded = errorText === abortedCode && lastStatus === notModifiedStatus
  const wasSuperseded = hopResponse === null && !isDownload && !isDiscarded && (errorText === abortedCode || isUnknown)
  const hopFragment = (loaderId === undefined ? null : tab.navigations.getFragment(loaderId)) ?? getFragment(url)
  const hop = ownRequest ? `${removeFragment(ownRequest.url())}${hopFragment}` : url
  return { navigated: navigationResult, hop, response: hopResponse, wasSuperseded, isDiscarded }
}

/** Returns the guard's problem with the failed hop. */
function findGuardProblem(guard: Guard, hop: string, startedAt: number) {
  const hopUrl = URL.parse(hop)
  return hopUrl ? guard.findProblem(authorityOf(hopUrl), startedAt) : null
}

function toErrorArrival(errorCode: string, navigated: NavigationResult, response: Response | null, hop: string): Arrival {
  const httpStatus = response?.status() ?? null
  if (httpStatus !== null && httpStatus >= 400) {
    const refusedArrival = buildFailedArrival(hop, getStatusReason(httpStatus), `HTTP ${httpStatus}`, httpStatus)
    return { ...refusedArrival, retryAfter: response?.headers()['retry-after'] } as Arrival
  }
  if (navigated.isDownload || (errorCode === abortedCode && httpStatus !== null)) {
    const responseType = getMimeType(response)
    const noDocumentDetail = navigated.isDownload
      ? `The URL is a download${responseType ? ` of type ${responseType}` : ''}`
      : `The answer holds no document (HTTP ${httpStatus})`
    return {
      kind: 'no-document',
      mimeType: responseType,
      fileName: getFileName(response),
      detail: noDocumentDetail,
      status: httpStatus,
      url: hop,
    }
  }
  return buildFailedArrival(hop, getCodeReason(errorCode), `${URL.parse(hop)?.host ?? hop}: ${errorCode}`, httpStatus)
}

/**
 * Navigates a tab to a URL (http or https, checked before) and waits for the headers of the final response after
 * redirects, for at most `timeoutMs`. `isOnce`: never requests it again. `isHung` means that the tab may still be busy with it.
 */
export async function arriveAtUrl(
  tab: Tab,
  guard: Guard,
  url: string,
  timeoutMs: number,
  referrer: string | null = null,
  isOnce = false,
): Promise<Arrival> {
  const startedAt = performance.now()
  let navigationAttempt = await attemptNavigation(tab, url, timeoutMs, referrer)
  if (navigationAttempt.wasSuperseded && !isOnce) navigationAttempt = await attemptNavigation(tab, url, timeoutMs, referrer)
  const { navigated, hop, response } = navigationAttempt
  if (navigated === 'late') {
    await withTimeout(
      1000,
      tab.cdp.send('Page.stopLoading').catch(() => null),
    )
    const timeoutDetail =
      findGuardProblem(guard, hop, startedAt)?.detail ??
      `${URL.parse(url)?.host} sent no document within ${Math.round(timeoutMs)} ms`
    return { kind: 'failed', url: hop, reason: 'timeout-download', detail: timeoutDetail, status: null, isHung: true }
  }
  if (navigated === 'gone') return buildFailedArrival(url, 'browser-driver', 'The browser closed the page')
  const guardRefusal = response?.headers()[guard.mark]
  const guardProblem = guardRefusal !== undefined || navigated.errorText ? findGuardProblem(guard, hop, startedAt) : null
  if (guardProblem) return buildFailedArrival(hop, guardReasons[guardProblem.problem], guardProblem.detail)
  if (navigationAttempt.isDiscarded) {
    const discardedDetail = `HTTP ${notModifiedStatus}: the server sent no page, although the browser has no copy of it`
    return buildFailedArrival(hop, 'http-error', discardedDetail, notModifiedStatus)
  }
  if (navigated.errorText) return toErrorArrival(navigated.errorText, navigated, response, hop)
  if (navigationAttempt.wasSuperseded) {
    const supersededDetail = 'Twice the browser went on to another page instead of this one'
    return { kind: 'failed', url, reason: 'browser-driver', detail: supersededDetail, status: null, isHung: true }
  }
  if (!response || navigated.loaderId === undefined)
    return buildFailedArrival(hop, 'connection-failed', `${URL.parse(hop)?.host}: the answer could not be read`)
  return {
    kind: 'document',
    url: hop,
    status: response.status(),
    mimeType: getMimeType(response),
    loaderId: navigated.loaderId,
    retryAfter: response.headers()['retry-after'],
    lastModified: response.headers()['last-modified'],
    isChallenge: isChallengeResponse(response.headers()),
    isSandboxed: isSandboxPolicy(response.headers()['content-security-policy'] ?? ''),
  }
}
