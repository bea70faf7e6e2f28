import { readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import type { VisitContext } from './context.ts'

/** Returns true for pages that the scan counts as pages of their own. */
export const isSeparatePage = ({ claim, deps }: VisitContext): boolean => deps.separatePages(claim.url) !== null

/** Reads the canonical URL that a page declares, also if it is its own; null if it declares none in the scope of the scan. */
export function readCanonical({ deps }: VisitContext, canonical: string | null) {
  if (canonical === null) return null
  const pageUrl = readPageUrl(canonical, deps.plan.advanced)
  return pageUrl.ok && !deps.scope(pageUrl.parsed) ? pageUrl : null
}

const getLastSegment = (url: URL): string => url.pathname.split('/').filter(Boolean).at(-1) ?? ''

/**
 * Returns the URL of which this page claims to be a copy; null if none. The claim counts only if the URLs are similar
 * (same path or last segment) and the other one is shorter, so that two pages never exclude each other and a site
 * cannot declare all its pages copies of its home page. An application names one address for all its routes: pages told
 * apart by their fragments are no copies of the one without.
 */
export function findCanonicalUrl(context: VisitContext, canonical: string | null): string | null {
  const ownUrl = URL.parse(context.key)
  const canonicalTarget = readCanonical(context, canonical)
  if (!ownUrl || !canonicalTarget || canonicalTarget.key === context.key || isSeparatePage(context)) return null
  if (ownUrl.hash !== URL.parse(canonicalTarget.key)?.hash) return null
  const isShorter =
    canonicalTarget.key.length < context.key.length ||
    (canonicalTarget.key.length === context.key.length && canonicalTarget.key < context.key)
  const isSimilar =
    ownUrl.pathname.replace(/\/$/, '') === canonicalTarget.parsed.pathname.replace(/\/$/, '') ||
    (getLastSegment(ownUrl) !== '' && getLastSegment(ownUrl) === getLastSegment(canonicalTarget.parsed))
  return isShorter && isSimilar ? canonicalTarget.url : null
}
