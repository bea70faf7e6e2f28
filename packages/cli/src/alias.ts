import { type AliasCandidate, findAliases } from '@clearway/contract/monitor/page/alias/model.ts'
import type { CollectedPage } from './report.ts'

/** The issues of a page, without what its address changes in them. */
const describeIssues = ({ page }: CollectedPage): string =>
  JSON.stringify(page.issues.map(({ rule, severity, target, states }) => JSON.stringify([rule, severity, target, states])).sort())

function toCandidates(visit: CollectedPage): (AliasCandidate & { visit: CollectedPage })[] {
  const { page, signature, isNamed } = visit
  if (page.status !== 'completed' || page.health === null || !signature || signature.isSeparate) return []
  const { content, canonical = null } = signature
  const findings = describeIssues(visit)
  return [{ visit, url: page.url, content, title: page.title ?? '', findings, canonical, isNamed, wasTested: false }]
}

/** A page that was tested as another one already: it has no result of its own. */
const toJoined = (visit: CollectedPage, reason: string): CollectedPage => ({
  ...visit,
  ownVisit: visit,
  evidence: null,
  findings: [],
  page: {
    ...visit.page,
    title: null,
    status: 'excluded',
    failure: { reason: 'duplicate', detail: reason },
    health: null,
    notices: [],
    detail: null,
    likelyWall: null,
    isProved: null,
    driven: null,
    issues: [],
  },
})

/** Joins the pages that are the same under several addresses: like on the server, they count once. */
export function joinAliases(visits: readonly CollectedPage[]): CollectedPage[] {
  const aliases = findAliases(visits.flatMap(toCandidates))
  const reasons = new Map(aliases.map(({ page, reason }) => [page.visit, reason]))
  const addresses = Map.groupBy(aliases, ({ target }) => target.visit)
  return visits.map((visit) => {
    const reason = reasons.get(visit)
    if (reason !== undefined) return toJoined(visit, reason)
    const urls = addresses.get(visit)?.map(({ page }) => page.url) ?? []
    return urls.length === 0 ? visit : { ...visit, page: { ...visit.page, aliases: urls.sort() } }
  })
}
