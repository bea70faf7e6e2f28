import { createDomainMatcher } from '@clearway/contract/monitor/scan/model.ts'
import type { ScanPlan } from '../../settings.ts'

/**
 * Returns a predicate for URLs that may receive credentials, sign-in cookies, certificates and extra headers of a scan:
 * those on its domains, including the port. If the scan starts on https, nothing is sent in clear text except to http
 * origins that its own start URLs name; a link on a page never adds one.
 */
export function openTrust(plan: Pick<ScanPlan, 'domains' | 'urls' | 'sources'>): (url: URL) => boolean {
  const isInDomains = createDomainMatcher(plan.domains)
  const startUrls = [...plan.urls, ...(plan.sources?.urls ?? [])].map((urlText) => URL.parse(urlText))
  const hasSecureStart = startUrls.some((url) => url?.protocol === 'https:')
  const plainOrigins = new Set(startUrls.flatMap((url) => (url?.protocol === 'http:' ? [url.origin] : [])))
  return (url) => isInDomains(url) && (url.protocol === 'https:' || !hasSecureStart || plainOrigins.has(url.origin))
}
