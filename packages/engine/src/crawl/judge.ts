import { readAddress } from './address.ts'
import type { Arrival } from './arrive.ts'
import { exclude, fail, type Answered, type Course, type Visit } from './course.ts'
import { reasonOfStatus } from './net-error.ts'

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

/** The visit's end when what arrived is not to be analysed; null when it is. */
export function unwanted(course: Course, arrival: Arrival): Visit | null {
  if (arrival.kind === 'failed') {
    // Where a redirect led and failed is for the visit to that address to say; a loop has no such address.
    const elsewhere =
      arrival.reason === 'redirect-loop'
        ? null
        : redirected(course, arrival.url, { ...arrival, mimeType: null, keepTab: !arrival.hung })
    if (elsewhere) return elsewhere
    return fail(course, arrival.reason, arrival.detail, { status: arrival.status, keepTab: !arrival.hung })
  }
  if (arrival.kind === 'no-document') {
    const html = arrival.mimeType !== null && htmlTypes.has(arrival.mimeType)
    if (html && arrival.status !== 204) return fail(course, 'binary-instead-of-html', arrival.detail)
    return exclude(course, 'mime-type', arrival.detail, arrival)
  }
  const elsewhere = redirected(course, arrival.url, arrival)
  if (elsewhere) return elsewhere
  if (arrival.status >= 400 && !course.deps.plan.advanced.includeErrorPages)
    return fail(course, reasonOfStatus(arrival.status), `HTTP ${arrival.status}`, { document: arrival })
  if (arrival.mimeType !== null && !htmlTypes.has(arrival.mimeType))
    return exclude(course, 'mime-type', `The address is of type ${arrival.mimeType}`, arrival)
  return null
}
