import { randomBytes } from 'node:crypto'
import { findOwnWalls, maxStandInLength, maxStandInLinks, type WallNotice } from '@clearway/contract/monitor/page/wall/model.ts'
import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import { withTimeout } from '../../browser/deadline.ts'
import type { FetchText } from '../../guard/fetch.ts'

/** Characters of the page's text that the plain response has to contain. */
const comparedLength = 40
const codeTag = /^(script|style)\b/i

/** Text of HTML without tags and code; the address that was requested does not count. */
const readText = (html: string, path: string): string =>
  html
    .replaceAll(path, '')
    .split('<')
    .map((part) => (codeTag.test(part) ? '' : part.slice(part.indexOf('>') + 1)))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/**
 * Returns true if a site sends the text of a page also for an address that cannot exist: maintenance, a challenge or a
 * consent page stands in for everything. An application that builds its pages with scripts sends the same for every
 * address, so the response itself has to contain the text.
 */
async function standsInForAll(fetchText: FetchText, userAgent: string, url: string, pageText: string): Promise<boolean> {
  const path = `/${randomBytes(8).toString('hex')}`
  const ownPath = new URL(url).pathname
  const [pageResponse, otherResponse] = await Promise.all([
    fetchText(url, userAgent),
    fetchText(new URL(path, url).href, userAgent),
  ])
  if (!pageResponse.ok || !otherResponse.ok || pageResponse.status >= 400 || otherResponse.status >= 400) return false
  const responseText = readText(pageResponse.text, ownPath === '/' ? '\0' : ownPath)
  return responseText.includes(pageText.slice(0, comparedLength).trim()) && responseText === readText(otherResponse.text, path)
}

/** Finds the walls of a page by its evidence, and for a start page with hardly any content by a second request. */
export async function findVisitWalls(
  { fetchText, userAgent }: { fetchText: FetchText; userAgent: string },
  { url, isStartPage, text, timeoutMs }: { url: string; isStartPage: boolean; text: string; timeoutMs: number },
  evidence: PageEvidence,
): Promise<WallNotice[]> {
  const ownWalls = findOwnWalls(evidence)
  const isSuspicious = isStartPage && text !== '' && evidence.links <= maxStandInLinks && evidence.textLength <= maxStandInLength
  if (ownWalls.length > 0 || !isSuspicious) return ownWalls
  const comparison = await withTimeout(timeoutMs, standsInForAll(fetchText, userAgent, url, text))
  return comparison.done && comparison.value ? ['same-as-other-pages'] : []
}
