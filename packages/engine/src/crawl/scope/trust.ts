import { openDomains } from '@clearway/contract/monitor/scan/model.ts'
import type { ScanPlan } from '../../settings.ts'

/**
 * Whether credentials, cookies of a sign-in, certificates and extra headers of a scan may be sent to a URL: on its domains,
 * their ports counted. Where the scan begins on https, nothing is sent in clear but to the http origins that its own start
 * URLs name: a link that somebody put on a page never makes it.
 */
export function openTrust(plan: Pick<ScanPlan, 'domains' | 'urls' | 'sources'>): (url: URL) => boolean {
  const inDomains = openDomains(plan.domains)
  const starts = [...plan.urls, ...(plan.sources?.urls ?? [])].map((text) => URL.parse(text))
  const beginsSecure = starts.some((url) => url?.protocol === 'https:')
  const plainOrigins = new Set(starts.flatMap((url) => (url?.protocol === 'http:' ? [url.origin] : [])))
  return (url) =>
    inDomains(url) && (url.protocol === 'https:' || !beginsSecure || plainOrigins.has(url.origin))
}
