import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { holdAxe } from '../../axe/bring.ts'
import { withTimeout } from '../../browser/deadline.ts'
import { holdRefreshes, type RefreshHold } from '../../browser/refresh.ts'
import { readCurrentDocument, type Tab } from '../../browser/tab.ts'
import type { Claim } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import { readPageUrl } from '../scope/page-url.ts'
import { arrive, type Arrival } from './arrive.ts'
import { complete, failedAnalysis } from './complete.ts'
import {
  exclude,
  fail,
  isLikelySame,
  left,
  since,
  whyLate,
  type VisitContext,
  type Document,
  type Visit,
  type VisitDeps,
} from './context.ts'
import { redirected, unwanted } from './judge.ts'
import { linksOf } from './links.ts'
import { lookTwice, type Look, type Passed } from './look.ts'
import { retryAfterMs } from '../pace.ts'
import { judgeKeywords } from './prepare.ts'
import { settleCap } from '../settle/time.ts'
import { settle } from '../settle/settle.ts'

const navigationMs = 30_000

/** Where the guard notes that an answer was too large: of a tunnel it knows the host only. */
function guardKeyOf(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.protocol === 'https:' ? authorityOf(url) : url.href
}

/** Why a page that was there cannot be asked: it went on, or it is busy. */
async function noAnswer(context: VisitContext, document: Document): Promise<Visit> {
  const now = await readCurrentDocument(context.tab)
  const wandered = now !== null && now.loaderId !== document.loaderId
  const [reason, detail] = wandered
    ? (['client-redirect', `The page goes on to ${now.url} by itself`] as const)
    : whyLate(context, 'The page did not answer')
  return fail(context, reason, detail, { document, keepTab: false })
}

/** Above this, cookies fill the headers of a request: servers refuse the request for them, or just hang up. */
const manyCookies = 8000

/** Opens a URL; once more without cookies where those that another page has set made the server refuse. */
async function arriveClean(context: VisitContext, url: string, hold: RefreshHold): Promise<Arrival> {
  const { tab, deps } = context
  const { referrer } = deps.plan.advanced
  const arrival = await arrive(tab, deps.guard, url, left(context, navigationMs), referrer)
  const refused =
    arrival.kind === 'no-document'
      ? false
      : arrival.kind === 'failed'
        ? arrival.reason === 'connection-failed' || arrival.status === 431
        : arrival.status === 400 || arrival.status === 431
  if (!refused) return arrival
  const browserContext = tab.page.context()
  const cookies = await withTimeout(
    1000,
    browserContext.cookies(url).catch(() => []),
  )
  if (!cookies.done || JSON.stringify(cookies.value).length < manyCookies) return arrival
  await withTimeout(
    1000,
    browserContext.clearCookies().catch(() => {}),
  )
  hold.clear()
  return arrive(tab, deps.guard, url, left(context, navigationMs), referrer)
}

/** What the settings say of a URL before it is asked for; null when it can be. */
function refusal(context: VisitContext, parsed: URL): Visit | null {
  const { fault, scope } = context.deps
  if (fault) return fail(context, fault.reason, fault.detail)
  // Links are judged where they are found; a start URL that the scan's own rules exclude is a mistake to be seen.
  const outside = context.claim.foundOn === null ? scope(parsed) : null
  return outside ? fail(context, 'violates-settings', outside.detail) : null
}

/** A page that was not analysed, with its links. */
const completedWithout = (
  context: VisitContext,
  document: Document,
  links: Visit['links'],
): Visit & { outcome: Extract<PageOutcome, { kind: 'completed' }> } => ({
  outcome: {
    kind: 'completed',
    finalUrl: document.url,
    httpStatus: document.status,
    mimeType: document.mimeType,
    durationMs: since(context),
    title: '',
    health: 'good',
    findings: [],
    notices: [],
    content: null,
  },
  links,
  keepTab: true,
})

/** A page that is there, but not to be analysed. */
async function passBy(context: VisitContext, document: Document, passed: Passed): Promise<Visit> {
  switch (passed.kind) {
    case 'signed-out':
      return fail(context, 'session-failed', 'The page shows that the scan is signed out', { document })
    case 'too-large':
      return fail(context, 'too-large', passed.why, { document, keepTab: false })
    case 'unchanged': {
      const visit = completedWithout(context, { ...document, url: passed.url }, passed.links)
      return { ...visit, outcome: { ...visit.outcome, unchanged: true } }
    }
    case 'keyword': {
      const links = await linksOf(context)
      return exclude(context, 'keyword-rule', passed.why, { ...document, links })
    }
  }
}

/** Opens a page for its links alone. */
async function passThrough(context: VisitContext, document: Document): Promise<Visit> {
  await settle(context.tab, { capMs: left(context, settleCap.preview), eager: true })
  const why = await judgeKeywords(context.tab, context.claim.url, context.deps.plan.advanced.keywordRules)
  const links = await linksOf(context)
  if (why !== null) return exclude(context, 'keyword-rule', why, { ...document, links })
  return completedWithout(context, document, links)
}

/** Judges a document after it has come to rest and was looked at. */
async function judgeLook(
  context: VisitContext,
  document: Document,
  seen: Look,
  askedAt: number,
): Promise<Visit> {
  // A document that was cut says so itself, unless it is so large that it no longer answers.
  const cut = context.tab.received.brokeOff
    ? context.deps.guard.findProblem(guardKeyOf(document.url), askedAt)
    : null
  if (cut?.problem === 'too-large') return fail(context, 'too-large', cut.detail, { document })
  // A page that is too busy to say what it shows has not gone anywhere.
  if (seen.loaderId !== null && seen.loaderId !== document.loaderId) {
    if (!seen.settled) return failedAnalysis(context, document, { ...seen, analysis: { kind: 'gone' } })
    const elsewhere = redirected(context, seen.url, document)
    if (elsewhere) return elsewhere
  }
  return complete(context, document, seen)
}

async function judgeArrival(context: VisitContext, arrival: Arrival, askedAt: number): Promise<Visit> {
  const retryAfter = arrival.kind === 'no-document' ? undefined : arrival.retryAfter
  const pdf = await context.deps.pdf(context, arrival)
  if (pdf) return pdf
  const early = await unwanted(context, arrival)
  if (early || arrival.kind !== 'document') return { ...early!, retryAfterMs: retryAfterMs(retryAfter) }
  if (!context.deps.analyze) return passThrough(context, arrival)
  const seen = await lookTwice(context)
  if (seen === null) {
    const cut = context.deps.guard.findProblem(guardKeyOf(arrival.url), askedAt)
    if (cut?.problem !== 'too-large') return noAnswer(context, arrival)
    return fail(context, 'too-large', cut.detail, { document: arrival, keepTab: false })
  }
  return 'kind' in seen ? passBy(context, arrival, seen) : judgeLook(context, arrival, seen, askedAt)
}

async function visitUrl(context: VisitContext, url: string, hold: RefreshHold): Promise<Visit> {
  const askedAt = performance.now()
  const arrival = await arriveClean(context, url, hold)
  const visited = await judgeArrival(context, arrival, askedAt)
  const isAnalysed = context.deps.analyze && visited.outcome.kind === 'completed'
  const isOurs =
    isAnalysed || arrival.kind !== 'document' || !context.tab.navigations.wasSuperseded(arrival.loaderId)
  if (isOurs || left(context, Infinity) <= 0) return visited
  // The page before has what it wanted by now, and is gone.
  hold.clear()
  const again = performance.now()
  return judgeArrival(context, await arriveClean(context, url, hold), again)
}

/** Visits one URL in a tab: opens it, waits until it is at rest, analyses it. Never rejects for what a page does. */
export async function visit(
  deps: VisitDeps,
  tab: Tab,
  claim: Claim,
  more: Pick<VisitContext, 'signal' | 'idle'> = {},
): Promise<Visit> {
  const read = readPageUrl(claim.url, deps.plan.advanced)
  const began = performance.now()
  const end = began + deps.plan.advanced.pageTimeoutMs
  const context: VisitContext = {
    deps,
    tab,
    claim,
    key: claim.key,
    began,
    end,
    reusable: true,
    ...more,
  }
  if (!read.ok) return fail(context, 'bad-url', `${claim.url} is not a URL that can be visited`)
  const refused = refusal(context, read.parsed)
  if (refused) return refused
  await holdAxe(tab, deps.analyze && !isLikelySame(deps, claim) ? deps.script : null)
  const hold = holdRefreshes(tab)
  try {
    const visited = await visitUrl(context, read.url, hold)
    // Of a refresh in a header, the document itself says nothing.
    const targets = hold.listTargets().map((url) => ({ url, kind: 'meta-refresh' as const }))
    return targets.length > 0 ? { ...visited, links: [...visited.links, ...targets] } : visited
  } finally {
    hold.release()
  }
}
