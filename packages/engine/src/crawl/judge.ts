import { readAddress } from './address.ts'
import type { Arrival } from './arrive.ts'
import { exclude, fail, type Answered, type Course, type Document, type Visit } from './course.ts'
import { linksOf } from './links.ts'
import { reasonOfStatus } from './net-error.ts'
import { settle } from './settle.ts'

/** Redirects on the way from a start URL; a site may need one for every link. */
const maxRedirects = 60

/** What is analysed as a web page. */
export const htmlTypes = new Set(['text/html', 'application/xhtml+xml'])

/**
 * The visit's end when the address leads to another page; null when it is the page that was asked for. A site that makes up a
 * new address at each visit would lead on for ever: waves count redirects, depth does not.
 */
export function redirected(course: Course, url: string, answered: Answered): Visit | null {
  const target = readAddress(url, course.deps.plan.advanced)
  if (target.ok && target.key === course.key) return null
  if (course.claim.wave - course.claim.depth >= maxRedirects)
    return fail(
      course,
      'redirect-loop',
      `More than ${maxRedirects} redirects lead here, and it goes on to ${url}`,
    )
  return exclude(course, 'redirect', `Redirects to ${url}`, { ...answered, leadsTo: url })
}

/** A type that the scan does not look at: nothing of a link's, but a mistake for a start URL. */
function wrongType(course: Course, detail: string, answered: Answered): Visit {
  if (course.claim.foundOn === null && course.claim.wave === 0)
    return fail(course, 'mime-type', detail, { status: answered.status, keepTab: answered.keepTab ?? true })
  return exclude(course, 'mime-type', detail, answered)
}

/** A page of a scan that looks at PDFs only: its links lead to them. */
async function linksOnly(course: Course, document: Document): Promise<Visit> {
  await settle(course.tab, { capMs: 5000 })
  const detail = `The address is of type ${document.mimeType ?? 'text/html'}, and the scan looks at PDFs only`
  return exclude(course, 'mime-type', detail, { ...document, links: await linksOf(course) })
}

const needsSignIn = (course: Course, status: number | null): boolean =>
  course.deps.plan.session?.connection != null && (status === 401 || status === 407)

function refused(course: Course, arrival: Extract<Arrival, { kind: 'failed' }>): Visit {
  // Where a redirect led and failed is for the visit to that address to say; a loop has no such address.
  const elsewhere =
    arrival.reason === 'redirect-loop'
      ? null
      : redirected(course, arrival.url, { ...arrival, mimeType: null, keepTab: !arrival.hung })
  if (elsewhere) return elsewhere
  const reason = needsSignIn(course, arrival.status) ? 'authentication' : arrival.reason
  return fail(course, reason, arrival.detail, { status: arrival.status, keepTab: !arrival.hung })
}

/** The visit's end when what arrived is not to be analysed; null when it is. */
export async function unwanted(course: Course, arrival: Arrival): Promise<Visit | null> {
  const { includeErrorPages, mimeTypes } = course.deps.plan.advanced
  if (arrival.kind === 'failed') return refused(course, arrival)
  if (arrival.kind === 'no-document') {
    const html = arrival.mimeType !== null && htmlTypes.has(arrival.mimeType)
    if (html && arrival.status !== 204) return fail(course, 'binary-instead-of-html', arrival.detail)
    return wrongType(course, arrival.detail, arrival)
  }
  const elsewhere = redirected(course, arrival.url, arrival)
  if (elsewhere) return elsewhere
  if (needsSignIn(course, arrival.status))
    return fail(course, 'authentication', `HTTP ${arrival.status}: the sign-in was refused`, {
      document: arrival,
    })
  if (arrival.status >= 400 && !includeErrorPages)
    return fail(course, reasonOfStatus(arrival.status), `HTTP ${arrival.status}`, { document: arrival })
  if (arrival.mimeType !== null && !htmlTypes.has(arrival.mimeType))
    return wrongType(course, `The address is of type ${arrival.mimeType}`, arrival)
  return mimeTypes.includes('text/html') ? null : linksOnly(course, arrival)
}
