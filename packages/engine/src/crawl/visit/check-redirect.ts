import { readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import { excludeVisit, failVisit, type ResponseFacts, type VisitContext, type VisitResult } from './context.ts'

/** Maximum number of redirects after a start URL; a site may need one for every link. */
const maxRedirects = 60

/**
 * Ends the visit if the URL leads to another page; null if it is the requested page. A site that generates a new URL at
 * each visit would redirect forever: waves count redirects, depth does not.
 */
export function checkRedirect(context: VisitContext, url: string, responseFacts: ResponseFacts): VisitResult | null {
  const targetUrl = readPageUrl(url, context.deps.plan.advanced)
  if (targetUrl.ok && targetUrl.key === context.key) return null
  if (context.claim.wave - context.claim.depth >= maxRedirects)
    return failVisit(context, 'redirect-loop', `More than ${maxRedirects} redirects lead here, and it goes on to ${url}`)
  return excludeVisit(context, 'redirect', `Redirects to ${url}`, { ...responseFacts, leadsTo: url })
}
