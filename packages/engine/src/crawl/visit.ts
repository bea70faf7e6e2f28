import { within } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import type { Claim } from '../frontier.ts'
import { authorityOf, readAddress } from './address.ts'
import { arrive, type Arrival } from './arrive.ts'
import { complete, failedAnalysis } from './complete.ts'
import {
  exclude,
  fail,
  left,
  since,
  type Course,
  type Document,
  type Visit,
  type VisitDeps,
} from './course.ts'
import { redirected, unwanted } from './judge.ts'
import { linksOf } from './links.ts'
import { lookTwice, shown, type Look, type Passed } from './look.ts'
import { retryAfterMs } from './pace.ts'
import { judgeKeywords } from './prepare.ts'
import { settle } from './settle.ts'

const navigationMs = 30_000
const previewSettleMs = 3000

/** Where the guard notes that an answer was too large: of a tunnel it knows the host only. */
function placeOf(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.protocol === 'https:' ? authorityOf(url) : url.href
}

/** Why a page that was there cannot be asked: it went on, or it is busy. */
async function noAnswer(course: Course, document: Document): Promise<Visit> {
  const now = await shown(course.tab)
  const wandered = now !== null && now.loaderId !== document.loaderId
  const [reason, detail] = wandered
    ? (['client-redirect', `The page goes on to ${now.url} by itself`] as const)
    : (['timeout-command', 'The page did not answer'] as const)
  return fail(course, reason, detail, { document, keepTab: false })
}

/** Above this, cookies fill the headers of a request: servers refuse the request for them, or just hang up. */
const manyCookies = 8000

/** Goes to an address; once more without cookies where those that another page has set made the server refuse. */
async function arriveClean(course: Course, url: string): Promise<Arrival> {
  const { tab, deps } = course
  const { referrer } = deps.plan.advanced
  const arrival = await arrive(tab, deps.guard, url, left(course, navigationMs), referrer)
  const refused =
    arrival.kind === 'no-document'
      ? false
      : arrival.kind === 'failed'
        ? arrival.reason === 'connection-failed' || arrival.status === 431
        : arrival.status === 400 || arrival.status === 431
  if (!refused) return arrival
  const context = tab.page.context()
  const cookies = await within(1000, context.cookies(url))
  if (!cookies.done || JSON.stringify(cookies.value).length < manyCookies) return arrival
  await within(1000, context.clearCookies())
  return arrive(tab, deps.guard, url, left(course, navigationMs), referrer)
}

/** What the settings say of an address before it is asked for; null when it can be. */
function refusal(course: Course, parsed: URL): Visit | null {
  const { fault, scope } = course.deps
  if (fault) return fail(course, fault.reason, fault.detail)
  // Links are judged where they are found; a start URL that the scan's own rules leave out is a mistake to be seen.
  const outside = course.claim.foundOn === null ? scope(parsed) : null
  return outside ? fail(course, 'violates-settings', outside.detail) : null
}

/** A page that is there, but not to be analysed. */
async function passBy(course: Course, document: Document, passed: Passed): Promise<Visit> {
  if (passed.kind === 'signed-out')
    return fail(course, 'session-failed', 'The page shows that the scan is signed out', { document })
  const links = await linksOf(course)
  return exclude(course, 'keyword-rule', passed.why, { ...document, links })
}

/** Opens a page for its links alone. */
async function passThrough(course: Course, document: Document): Promise<Visit> {
  await settle(course.tab, { capMs: left(course, previewSettleMs), eager: true })
  const why = await judgeKeywords(course.tab, course.claim.url, course.deps.plan.advanced.keywordRules)
  const links = await linksOf(course)
  if (why !== null) return exclude(course, 'keyword-rule', why, { ...document, links })
  return {
    outcome: {
      kind: 'completed',
      finalUrl: document.url,
      httpStatus: document.status,
      mimeType: document.mimeType,
      durationMs: since(course),
      title: '',
      health: 'good',
      findings: [],
      notices: [],
      content: null,
    },
    links,
    keepTab: true,
  }
}

/** Judges a document after it has come to rest and was looked at. */
async function judgeLook(course: Course, document: Document, seen: Look, askedAt: number): Promise<Visit> {
  // A document that was cut says so itself, unless it is so large that it no longer answers.
  const cut = course.tab.traffic.mainFailed()
    ? course.deps.guard.problemOf(placeOf(document.url), askedAt)
    : null
  if (cut?.problem === 'too-large') return fail(course, 'too-large', cut.detail, { document })
  if (seen.loaderId !== document.loaderId) {
    if (!seen.settled) return failedAnalysis(course, document, { ...seen, analysis: { kind: 'gone' } })
    const elsewhere = redirected(course, seen.url, document)
    if (elsewhere) return elsewhere
  }
  return complete(course, document, seen)
}

async function visitOnce(course: Course, url: string): Promise<Visit> {
  const askedAt = Date.now()
  const arrival = await arriveClean(course, url)
  const retryAfter = arrival.kind === 'no-document' ? undefined : arrival.retryAfter
  const pdf = await course.deps.pdf(course, arrival)
  if (pdf) return pdf
  const early = await unwanted(course, arrival)
  if (early || arrival.kind !== 'document') return { ...early!, retryAfterMs: retryAfterMs(retryAfter) }
  if (!course.deps.analyse) return passThrough(course, arrival)
  const seen = await lookTwice(course)
  if (seen === null) {
    const cut = course.deps.guard.problemOf(placeOf(arrival.url), askedAt)
    if (cut?.problem !== 'too-large') return noAnswer(course, arrival)
    return fail(course, 'too-large', cut.detail, { document: arrival, keepTab: false })
  }
  return 'kind' in seen ? passBy(course, arrival, seen) : judgeLook(course, arrival, seen, askedAt)
}

/** Visits one address in a tab: goes there, waits until it is at rest, analyses it. Never rejects for what a page does. */
export async function visit(deps: VisitDeps, tab: Tab, claim: Claim): Promise<Visit> {
  const address = readAddress(claim.url, deps.plan.advanced)
  const began = performance.now()
  const end = began + deps.plan.advanced.pageTimeoutMs
  const course: Course = { deps, tab, claim, key: claim.key, began, end }
  if (!address.ok) return fail(course, 'bad-url', `${claim.url} is not an address that can be visited`)
  return refusal(course, address.parsed) ?? visitOnce(course, address.url)
}
