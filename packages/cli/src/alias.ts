import { type AliasCandidate, findAliases } from '@clearway/contract/monitor/page/alias/model.ts'
import { mayStandIn } from '@clearway/contract/monitor/page/wall/model.ts'
import { DriveLevel } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { CollectedPage } from './report.ts'

/** Issues of a page, without what its address or its drive changes in them; empty if there are none. */
const describeIssues = (issues: CollectedPage['page']['issues']): string =>
  issues
    .map(({ rule, severity, target }) => JSON.stringify([rule, severity, target]))
    .sort()
    .join('\n')

function toCandidates(visit: CollectedPage, wasTested: boolean): (AliasCandidate & { visit: CollectedPage })[] {
  const { page, signature, evidence, isNamed } = visit
  if (page.status !== 'completed' || page.health === null || page.isProved === false) return []
  if (!signature || signature.isSeparate) return []
  const { content, canonical = null } = signature
  const [drivenIssues = [], otherIssues = []] = [true, false].map((isDriven) =>
    page.issues.filter(({ engine }) => (engine === 'driven') === isDriven),
  )
  return [
    {
      visit,
      url: page.url,
      content,
      title: page.title ?? '',
      findings: describeIssues(otherIssues),
      drivenFindings: describeIssues(drivenIssues),
      driveLevel: page.driven && !page.driven.isPartial ? DriveLevel.options.indexOf(page.driven.level) : -1,
      canonical,
      isNamed,
      wasTested,
      decisions: '',
      hasKnownIssues: false,
      isStandIn: evidence !== null && mayStandIn(evidence) && page.issues.length === 0,
    },
  ]
}

type WasTested = (url: string) => boolean

const findVisitAliases = (visits: readonly CollectedPage[], wasTested: WasTested) =>
  findAliases(visits.flatMap((visit) => toCandidates(visit, wasTested(visit.page.url))))

/** Number of pages that are the same as another one. */
export const countAliases = (visits: readonly CollectedPage[], wasTested: WasTested = () => false): number =>
  findVisitAliases(visits, wasTested).length

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

/**
 * Joins the pages that are the same under several addresses: like on the server, they count once.
 * @param wasTested returns true for the URL of a page that has known issues: it stands for its other addresses
 */
export function joinAliases(visits: readonly CollectedPage[], wasTested: WasTested = () => false): CollectedPage[] {
  const aliases = findVisitAliases(visits, wasTested)
  const reasons = new Map(aliases.map(({ page, reason }) => [page.visit, reason]))
  const addresses = Map.groupBy(aliases, ({ target }) => target.visit)
  return visits.map((visit) => {
    const reason = reasons.get(visit)
    if (reason !== undefined) return toJoined(visit, reason)
    const urls = addresses.get(visit)?.map(({ page }) => page.url) ?? []
    return urls.length === 0 ? visit : { ...visit, page: { ...visit.page, aliases: urls.sort() } }
  })
}
