import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialer } from './dial.ts'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { robotName } from '../crawl/robots/robots.ts'
import { openFetch } from './fetch.ts'

/** Response at a URL as typed by a user. */
export type ReachResult = {
  /** URL with the scheme that responded; null if none did. */
  url: string | null
  /** Redirect target, if it has another host or scheme. */
  leadsTo: string | null
  status: number | null
  /** Reason why nothing responded. */
  reason: FailureReason | null
  /** Details of the reason, in English. */
  detail: string | null
}

const emptyResult: ReachResult = { url: null, leadsTo: null, status: null, reason: null, detail: null }

/** Returns the URLs that a line may stand for: the line itself, or https and http if it has no scheme. */
function listCandidateUrls(urlText: string): URL[] {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(urlText)
  const parsedUrls = (hasScheme ? [urlText] : [`https://${urlText}`, `http://${urlText}`]).map((candidateText) =>
    URL.parse(candidateText),
  )
  return parsedUrls.filter(
    (parsedUrl) => parsedUrl !== null && /^https?:$/.test(parsedUrl.protocol) && !parsedUrl.username && !parsedUrl.password,
  ) as URL[]
}

export type ReachRequest = {
  url: string
  allowPrivate: readonly string[]
  /** The scan's own user agent, if it has one. */
  userAgent: string | null
}

/** Probes a URL under the scan's address rule: https first, then http. Reads no response body and sends no secrets. */
export async function reachUrl(
  { url: typedUrl, allowPrivate, userAgent }: ReachRequest,
  signal?: AbortSignal,
): Promise<ReachResult> {
  const fetcher = openFetch(openDialer({ rule: createAddressRule([...allowPrivate]) }), {
    headersFor: () => ({ 'user-agent': userAgent ?? robotName }),
    certificateFor: () => null,
  })
  try {
    let firstFailure: ReachResult = { ...emptyResult, reason: 'bad-url', detail: null }
    for (const [index, candidateUrl] of listCandidateUrls(typedUrl).entries()) {
      if (signal?.aborted) break
      const probeResult = await fetcher.probe(candidateUrl.href, signal)
      if (probeResult.ok) {
        const isOtherOrigin = new URL(probeResult.url).origin !== candidateUrl.origin
        return {
          ...emptyResult,
          url: candidateUrl.href,
          status: probeResult.status,
          leadsTo: isOtherOrigin ? probeResult.url : null,
        }
      }
      if (index === 0) firstFailure = { ...emptyResult, reason: probeResult.reason, detail: probeResult.detail }
    }
    return firstFailure
  } finally {
    await fetcher.close()
  }
}
