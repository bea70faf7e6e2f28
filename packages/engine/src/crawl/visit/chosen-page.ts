import { randomBytes } from 'node:crypto'
import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { withTimeout } from '../../browser/deadline.ts'
import { computeSharedWords, readPageFacts } from '../../session/proof.ts'
import { getVisitUrl } from '../../frontier.ts'
import { maxSettleMs } from '../settle/limits.ts'
import { waitUntilIdle } from '../settle/settle.ts'
import { arriveAtUrl } from './arrive.ts'
import { getRemainingMs, type VisitContext, type VisitResult } from './context.ts'

// A page with a form that asks for a password is content if a person chose it for what it shows, such as an example of a form. A site
// that shows its sign-in at every address shows the same one at other chosen addresses.

const maxArrivalMs = 5000
/** Other start URLs that are compared. */
const maxCompared = 3
/** Share of common words from which two pages show the same form. */
const minSameShare = 0.8

/** Returns true if a site has an error for an address that cannot exist: it knows which pages it has. */
async function knowsItsPages({ claim, deps }: VisitContext): Promise<boolean> {
  const { fetchText, userAgent } = deps.plainRequest
  const response = await fetchText(new URL(`/${randomBytes(8).toString('hex')}`, claim.url).href, userAgent)
  return response.ok && (response.status === 404 || response.status === 410)
}

/** Returns true if another start URL asks for a password with the words of the tab's page. The tab shows that page afterwards. */
async function isShownElsewhere(context: VisitContext): Promise<boolean> {
  const { tab, deps, claim } = context
  const ownFacts = await readPageFacts(tab)
  if (ownFacts === null) return true
  const visitUrl = getVisitUrl(claim)
  const otherUrls = deps.plan.urls.filter((url) => url !== visitUrl && new URL(url).origin === new URL(visitUrl).origin)
  for (const url of otherUrls.slice(0, maxCompared)) {
    const arrival = await arriveAtUrl(tab, deps.guard, url, getRemainingMs(context, maxArrivalMs))
    if (arrival.kind !== 'document') continue
    await waitUntilIdle(tab, { capMs: getRemainingMs(context, maxSettleMs.links) })
    const otherFacts = await readPageFacts(tab)
    if (otherFacts?.hasPassword && computeSharedWords(ownFacts, otherFacts) >= minSameShare) return true
  }
  return false
}

/** Returns true for a page that a person named among others on a site that knows which pages it has, and that is one of a kind. */
async function isChosenPage(context: VisitContext): Promise<boolean> {
  const { claim, deps } = context
  const { urls } = deps.plan
  if (urls.length < 2 || !urls.includes(getVisitUrl(claim)) || new URL(claim.url).pathname === '/') return false
  return (await knowsItsPages(context)) && !(await isShownElsewhere(context))
}

/** Takes a page that asks for a password for content if a person chose it. The tab may show another page afterwards. */
export async function keepChosenPage(context: VisitContext, visit: VisitResult): Promise<VisitResult> {
  const { outcome } = visit
  if (outcome.kind !== 'completed' || !outcome.notices.includes('asks-for-password')) return visit
  const choice = await withTimeout(getRemainingMs(context, Infinity), isChosenPage(context))
  if (!choice.done || !choice.value) return visit
  const notices = outcome.notices.filter((notice) => notice !== 'asks-for-password')
  const health = hasWall(notices) ? null : computeHealth(outcome.findings.map(({ severity }) => severity))
  return { ...visit, outcome: { ...outcome, notices, health } }
}
