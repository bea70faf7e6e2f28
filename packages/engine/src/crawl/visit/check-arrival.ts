import { documentTypeExpression, htmlMimeTypes, testedMimeTypes } from '../../axe/document-type.ts'
import { callInTab } from '../../browser/isolated-world.ts'
import { removeFragment } from '../../browser/remove-fragment.ts'
import { readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import type { Arrival } from './arrive.ts'
import {
  excludeVisit,
  failVisit,
  getRemainingMs,
  type ResponseFacts,
  type VisitContext,
  type ArrivedDocument,
  type VisitResult,
} from './context.ts'
import { readPageLinks } from './links.ts'
import { judgeRedirect, judgeRefusal } from './signed-in.ts'
import { getStatusReason } from './net-error.ts'
import { maxSettleMs } from '../settle/limits.ts'
import { waitUntilIdle } from '../settle/settle.ts'

/** Segments of a path; a trailing slash adds none. */
const listSegments = ({ pathname, hash }: URL): string[] => `${pathname.replace(/\/$/, '')}${hash}`.split('/')

/** Returns true if the server has a page at an address. One that redirects elsewhere is another page. */
async function hasServerPage({ deps }: VisitContext, url: string): Promise<boolean> {
  const { advanced } = deps.plan
  const { fetchText, userAgent } = deps.plainRequest
  // The server does not see the fragment.
  const requestedPage = readPageUrl(removeFragment(url), advanced)
  if (!requestedPage.ok || deps.acting.findReason(requestedPage.parsed)) return false
  const response = await fetchText(requestedPage.url, userAgent)
  if (!response.ok || response.status >= 400) return false
  const servedPage = readPageUrl(response.url, advanced)
  return servedPage.ok && servedPage.key === requestedPage.key
}

/** Records that a page moved. Returns false if other pages move back to it: one of them must be tested. */
function recordScriptMove(scriptMoves: Map<string, string>, fromKey: string, toKey: string): boolean {
  for (let key: string | undefined = toKey; key !== undefined; key = scriptMoves.get(key)) if (key === fromKey) return false
  scriptMoves.set(fromKey, toKey)
  return true
}

/**
 * Returns true if a page gave itself the address of another page of the scan (`history.replaceState`), which is then
 * tested instead. A new query or a generated part is state of the same page, and different at each visit. An address that
 * the server does not know cannot be visited: the page is tested where it was found.
 */
export async function hasMovedByScript(context: VisitContext, url: string): Promise<boolean> {
  const idleUrl = readPageUrl(url, context.deps.plan.advanced)
  const ownUrl = URL.parse(context.key)
  if (!idleUrl.ok || !ownUrl || idleUrl.key === context.key || context.deps.scope(idleUrl.parsed)) return false
  const ownSegments = listSegments(ownUrl)
  const idleSegments = listSegments(new URL(idleUrl.key))
  const isMoved = idleSegments.join('/') !== ownSegments.join('/')
  if (!isMoved || idleSegments.some((segment) => !ownSegments.includes(segment) && /\d|.{40}/.test(segment))) return false
  if (!(await hasServerPage(context, idleUrl.url))) return false
  return recordScriptMove(context.deps.scriptMoves, context.key, idleUrl.key)
}

/** Handles a type that the scan does not test: excluded for a linked URL, failed for a start URL. */
function rejectType(context: VisitContext, detail: string, responseFacts: ResponseFacts): VisitResult {
  if (context.claim.foundOn === null && context.claim.wave === 0)
    return failVisit(context, 'mime-type', detail, { status: responseFacts.status, keepTab: responseFacts.keepTab ?? true })
  return excludeVisit(context, 'mime-type', detail, responseFacts)
}

/** Collects the links of a page in a scan of PDFs only. */
async function collectLinksOnly(context: VisitContext, document: ArrivedDocument): Promise<VisitResult> {
  await waitUntilIdle(context.tab, { capMs: maxSettleMs.links })
  const typeDetail = `The URL is of type ${document.mimeType ?? 'text/html'}, and the scan looks at PDFs only`
  return excludeVisit(context, 'mime-type', typeDetail, { ...document, links: await readPageLinks(context) })
}

const getHost = (url: string): string => URL.parse(url)?.host ?? url

const needsSignIn = (context: VisitContext, status: number | null): boolean =>
  context.deps.plan.session?.connection != null && (status === 401 || status === 407)

async function rejectFailure(context: VisitContext, arrival: Extract<Arrival, { kind: 'failed' }>): Promise<VisitResult> {
  // A failed redirect target is reported by its own visit; a redirect loop has no such URL.
  const redirectVisit =
    arrival.reason === 'redirect-loop'
      ? null
      : await judgeRedirect(context, arrival.url, { ...arrival, mimeType: null, keepTab: !arrival.isHung })
  if (redirectVisit) return redirectVisit
  const failureReason = needsSignIn(context, arrival.status) ? 'authentication' : arrival.reason
  return failVisit(context, failureReason, arrival.detail, { status: arrival.status, keepTab: !arrival.isHung })
}

const xmlType = /[/+]xml$/

/**
 * Returns an arrival with the type that the browser shows, if the header names another one: the browser is lenient with
 * headers that are no types, reads the last of several, and renders XML that is XHTML or has a style sheet.
 */
export async function readShownType(context: VisitContext, arrival: Arrival): Promise<Arrival> {
  if (arrival.kind !== 'document' || arrival.mimeType === null || testedMimeTypes.has(arrival.mimeType)) return arrival
  // A style sheet is applied to the whole document.
  if (xmlType.test(arrival.mimeType)) await waitUntilIdle(context.tab, { capMs: getRemainingMs(context, maxSettleMs.links) })
  const typeResult = await callInTab<string>(context.tab, documentTypeExpression, 2000, 'watch')
  const shownType = typeResult.kind === 'value' ? typeResult.value : null
  return shownType !== null && testedMimeTypes.has(shownType) ? { ...arrival, mimeType: shownType } : arrival
}

/** Ends the visit if the response is not to be analyzed; null if it is. */
export async function checkArrival(context: VisitContext, arrival: Arrival): Promise<VisitResult | null> {
  const { includeErrorPages, mimeTypes } = context.deps.plan.advanced
  if (arrival.kind === 'failed') return rejectFailure(context, arrival)
  if (arrival.kind === 'no-document') {
    const isHtml = arrival.mimeType !== null && htmlMimeTypes.has(arrival.mimeType)
    if (isHtml && arrival.status !== 204) return failVisit(context, 'binary-instead-of-html', arrival.detail)
    return rejectType(context, arrival.detail, arrival)
  }
  const redirectVisit = await judgeRedirect(context, arrival.url, arrival)
  if (redirectVisit) return redirectVisit
  const lostVisit = await judgeRefusal(context, arrival)
  if (lostVisit) return lostVisit
  if (needsSignIn(context, arrival.status))
    return failVisit(context, 'authentication', `HTTP ${arrival.status}: the sign-in was refused`, { document: arrival })
  if (arrival.isChallenge)
    return failVisit(
      context,
      'bot-protection',
      `HTTP ${arrival.status}: ${getHost(arrival.url)} sent a challenge instead of the page`,
      { document: arrival },
    )
  if (arrival.status >= 400 && !includeErrorPages)
    return failVisit(context, getStatusReason(arrival.status), `HTTP ${arrival.status}`, { document: arrival })
  if (arrival.mimeType !== null && !testedMimeTypes.has(arrival.mimeType))
    return rejectType(context, `The URL is of type ${arrival.mimeType}`, arrival)
  return mimeTypes.includes('text/html') ? null : collectLinksOnly(context, arrival)
}
