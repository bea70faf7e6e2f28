import { addressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialler } from '@clearway/contract/kit/dial.ts'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { robotName } from '../crawl/robots/robots.ts'
import { openFetch } from './fetch.ts'

/** What answers at a URL as somebody types it. */
export type Reached = {
  /** With the scheme that answered; null when none did. */
  url: string | null
  /** Where its redirects lead, when that is another host or scheme. */
  leadsTo: string | null
  status: number | null
  /** Why nothing answered. */
  reason: FailureReason | null
  /** English, for that. */
  detail: string | null
}

const nothing: Reached = { url: null, leadsTo: null, status: null, reason: null, detail: null }

/** The URLs that a line may mean: as it is, or without a scheme by https, then by http. */
function meant(line: string): URL[] {
  const isWhole = /^[a-z][a-z0-9+.-]*:\/\//i.test(line)
  const read = (isWhole ? [line] : [`https://${line}`, `http://${line}`]).map((text) => URL.parse(text))
  return read.filter(
    (url) => url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password,
  ) as URL[]
}

export type Asked = {
  url: string
  allowPrivate: readonly string[]
  /** The scan's own, where it has one. */
  userAgent: string | null
}

/**
 * Asks what answers at a URL, by the rule that scans go by: https first, then http. Nothing of the answer is read, and
 * nothing secret is sent.
 */
export async function reachUrl(
  { url: typed, allowPrivate, userAgent }: Asked,
  signal?: AbortSignal,
): Promise<Reached> {
  const fetcher = openFetch(openDialler({ rule: addressRule([...allowPrivate]) }), {
    headersFor: () => ({ 'user-agent': userAgent ?? robotName }),
    certificateFor: () => null,
  })
  try {
    let first: Reached = { ...nothing, reason: 'bad-url', detail: null }
    for (const [index, url] of meant(typed).entries()) {
      if (signal?.aborted) break
      const answer = await fetcher.probe(url.href, signal)
      if (answer.ok) {
        const isElsewhere = new URL(answer.url).origin !== url.origin
        return { ...nothing, url: url.href, status: answer.status, leadsTo: isElsewhere ? answer.url : null }
      }
      if (index === 0) first = { ...nothing, reason: answer.reason, detail: answer.detail }
    }
    return first
  } finally {
    await fetcher.close()
  }
}
