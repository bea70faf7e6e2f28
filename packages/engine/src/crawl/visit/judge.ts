import { htmlTypes, testedTypes } from '../../axe/document-type.ts'
import { readPageUrl } from '../scope/page-url.ts'
import type { Arrival } from './arrive.ts'
import { exclude, fail, type Answered, type VisitContext, type Document, type Visit } from './context.ts'
import { linksOf } from './links.ts'
import { reasonOfStatus } from './net-error.ts'
import { settleCap } from '../settle/time.ts'
import { settle } from '../settle/settle.ts'

/** Redirects on the way from a start URL; a site may need one for every link. */
const maxRedirects = 60

/**
 * The visit's end when the URL leads to another page; null when it is the page that was asked for. A site that makes up a
 * new URL at each visit would lead on for ever: waves count redirects, depth does not.
 */
export function redirected(context: VisitContext, url: string, answered: Answered): Visit | null {
  const target = readPageUrl(url, context.deps.plan.advanced)
  if (target.ok && target.key === context.key) return null
  if (context.claim.wave - context.claim.depth >= maxRedirects)
    return fail(
      context,
      'redirect-loop',
      `More than ${maxRedirects} redirects lead here, and it goes on to ${url}`,
    )
  return exclude(context, 'redirect', `Redirects to ${url}`, { ...answered, leadsTo: url })
}

/** A type that the scan does not look at: nothing of a link's, but a mistake for a start URL. */
function wrongType(context: VisitContext, detail: string, answered: Answered): Visit {
  if (context.claim.foundOn === null && context.claim.wave === 0)
    return fail(context, 'mime-type', detail, { status: answered.status, keepTab: answered.keepTab ?? true })
  return exclude(context, 'mime-type', detail, answered)
}

/** A page of a scan that looks at PDFs only: its links lead to them. */
async function linksOnly(context: VisitContext, document: Document): Promise<Visit> {
  await settle(context.tab, { capMs: settleCap.links })
  const detail = `The URL is of type ${document.mimeType ?? 'text/html'}, and the scan looks at PDFs only`
  return exclude(context, 'mime-type', detail, { ...document, links: await linksOf(context) })
}

const needsSignIn = (context: VisitContext, status: number | null): boolean =>
  context.deps.plan.session?.connection != null && (status === 401 || status === 407)

function refused(context: VisitContext, arrival: Extract<Arrival, { kind: 'failed' }>): Visit {
  // Where a redirect led and failed is for the visit to that URL to say; a loop has no such URL.
  const elsewhere =
    arrival.reason === 'redirect-loop'
      ? null
      : redirected(context, arrival.url, { ...arrival, mimeType: null, keepTab: !arrival.hung })
  if (elsewhere) return elsewhere
  const reason = needsSignIn(context, arrival.status) ? 'authentication' : arrival.reason
  return fail(context, reason, arrival.detail, { status: arrival.status, keepTab: !arrival.hung })
}

/** The visit's end when what arrived is not to be analysed; null when it is. */
export async function unwanted(context: VisitContext, arrival: Arrival): Promise<Visit | null> {
  const { includeErrorPages, mimeTypes } = context.deps.plan.advanced
  if (arrival.kind === 'failed') return refused(context, arrival)
  if (arrival.kind === 'no-document') {
    const html = arrival.mimeType !== null && htmlTypes.has(arrival.mimeType)
    if (html && arrival.status !== 204) return fail(context, 'binary-instead-of-html', arrival.detail)
    return wrongType(context, arrival.detail, arrival)
  }
  const elsewhere = redirected(context, arrival.url, arrival)
  if (elsewhere) return elsewhere
  if (needsSignIn(context, arrival.status))
    return fail(context, 'authentication', `HTTP ${arrival.status}: the sign-in was refused`, {
      document: arrival,
    })
  if (arrival.status >= 400 && !includeErrorPages)
    return fail(context, reasonOfStatus(arrival.status), `HTTP ${arrival.status}`, { document: arrival })
  if (arrival.mimeType !== null && !testedTypes.has(arrival.mimeType))
    return wrongType(context, `The URL is of type ${arrival.mimeType}`, arrival)
  return mimeTypes.includes('text/html') ? null : linksOnly(context, arrival)
}
