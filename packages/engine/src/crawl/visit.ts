import type { ExclusionReason, FailureReason, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { healthOf } from '@clearway/contract/monitor/page/model.ts'
import { analyse, type Analysis } from '../axe/analyse.ts'
import { findingsOf } from '../axe/findings.ts'
import { addPictures, type PictureShelf } from '../axe/pictures.ts'
import type { DocumentFacts } from '../axe/report-in-page.ts'
import type { AxeOptions } from '../axe/version.ts'
import { pause, within } from '../browser/deadline.ts'
import type { Guard } from '../browser/guard.ts'
import type { Tab } from '../browser/tab.ts'
import { call, worldOf } from '../browser/world.ts'
import type { Claim } from '../frontier.ts'
import type { PageOutcome } from '../outcome.ts'
import type { ScanPlan } from '../settings.ts'
import { authorityOf, readAddress } from './address.ts'
import { arrive, type Arrival } from './arrive.ts'
import { reasonOfStatus } from './net-error.ts'
import type { DocumentState } from './settle-in-page.ts'
import { settle } from './settle.ts'

/** What a visit came to. `keepTab`: whether the tab can be trusted with the next address. */
export type Visit = { outcome: PageOutcome; links: DocumentFacts['links']; keepTab: boolean }

export type VisitDeps = {
  plan: ScanPlan
  guard: Guard
  /** axe and our kit. */ script: string
  axe: AxeOptions
  shelf: PictureShelf | null
  contentBytes: number
  notices: readonly PageNotice[]
}

const navigationMs = 30_000
const analysisMs = 30_000
const settleMs = 10_000
const secondSettleMs = 6000
const secondWindowMs = 500
/** Redirects on the way from a start URL; a site may need one for every link. */
const maxRedirects = 60

/** One visit under way. */
type Course = {
  deps: VisitDeps
  tab: Tab
  claim: Claim
  key: string
  began: number
  end: number
}

/** What is known of an answer that is not analysed. */
type Answered = { url: string; status: number | null; mimeType: string | null; keepTab?: boolean }
type Document = Extract<Arrival, { kind: 'document' }>

const since = (course: Course): number => Math.round(performance.now() - course.began)
const left = (course: Course, most: number): number => Math.min(most, course.end - performance.now())

function fail(
  course: Course,
  reason: FailureReason,
  detail: string,
  rest: { document?: Document; status?: number | null; keepTab?: boolean } = {},
): Visit {
  const { document, keepTab = true } = rest
  const httpStatus = document?.status ?? rest.status
  return {
    outcome: {
      kind: 'failed',
      reason,
      detail,
      durationMs: since(course),
      ...(document ? { finalUrl: document.url, mimeType: document.mimeType } : {}),
      ...(httpStatus === undefined ? {} : { httpStatus }),
    },
    links: [],
    keepTab,
  }
}

function exclude(
  course: Course,
  reason: ExclusionReason,
  detail: string,
  rest: Answered & { leadsTo?: string },
): Visit {
  return {
    outcome: {
      kind: 'excluded',
      reason,
      detail,
      durationMs: since(course),
      finalUrl: rest.url,
      httpStatus: rest.status,
      mimeType: rest.mimeType,
      ...(rest.leadsTo === undefined ? {} : { leadsTo: rest.leadsTo }),
    },
    links: [],
    keepTab: rest.keepTab ?? true,
  }
}

const htmlTypes = new Set(['text/html', 'application/xhtml+xml'])

/**
 * The visit's end when the address leads to another page; null when it is the page that was asked for. A site that makes up a
 * new address at each visit would lead on for ever: waves count redirects, depth does not.
 */
function redirected(course: Course, url: string, answered: Answered): Visit | null {
  const target = readAddress(url, course.deps.plan.advanced)
  if (target.ok && target.key === course.key) return null
  if (course.claim.wave - course.claim.depth >= maxRedirects)
    return fail(
      course,
      'redirect-loop',
      `More than ${maxRedirects} redirects lead here, and it goes on to ${url}`,
    )
  return exclude(course, 'redirect', `Redirects to ${url}`, { ...answered, leadsTo: url })
}

/** The visit's end when what arrived is not to be analysed; null when it is. */
function unwanted(course: Course, arrival: Arrival): Visit | null {
  if (arrival.kind === 'failed') {
    // Where a redirect led and failed is for the visit to that address to say; a loop has no such address.
    const elsewhere =
      arrival.reason === 'redirect-loop'
        ? null
        : redirected(course, arrival.url, { ...arrival, mimeType: null, keepTab: !arrival.hung })
    if (elsewhere) return elsewhere
    return fail(course, arrival.reason, arrival.detail, { status: arrival.status, keepTab: !arrival.hung })
  }
  if (arrival.kind === 'no-document') {
    const html = arrival.mimeType !== null && htmlTypes.has(arrival.mimeType)
    if (html && arrival.status !== 204) return fail(course, 'binary-instead-of-html', arrival.detail)
    return exclude(course, 'mime-type', arrival.detail, arrival)
  }
  const elsewhere = redirected(course, arrival.url, arrival)
  if (elsewhere) return elsewhere
  if (arrival.status >= 400 && !course.deps.plan.advanced.includeErrorPages)
    return fail(course, reasonOfStatus(arrival.status), `HTTP ${arrival.status}`, { document: arrival })
  if (arrival.mimeType !== null && !htmlTypes.has(arrival.mimeType))
    return exclude(course, 'mime-type', `The address is of type ${arrival.mimeType}`, arrival)
  return null
}

/** The loader and address of the document that the tab shows now; null when it does not answer. */
async function shown(tab: Tab): Promise<{ loaderId: string; url: string } | null> {
  const tree = await within(
    2000,
    tab.cdp.send('Page.getFrameTree').catch(() => null),
  )
  return tree.done && tree.value ? tree.value.frameTree.frame : null
}

/** An analysis with the marks of the document before and after it. */
type Look = {
  analysis: Analysis
  settled: boolean
  complete: boolean
  moved: boolean
  loaderId: string | null
  url: string
}

const moved = (before: DocumentState, after: DocumentState): boolean =>
  before.changes !== after.changes || before.frames !== after.frames || before.url !== after.url

async function look(course: Course, capMs: number, windowMs?: number): Promise<Look | null> {
  const { tab, deps } = course
  const rest = await settle(tab, {
    // Half of what is left is the analysis's.
    capMs: Math.min(capMs, left(course, Infinity) / 2),
    ...(windowMs === undefined ? {} : { windowMs }),
  })
  if (rest.kind === 'no-answer') return null
  if (deps.plan.advanced.preScanWaitMs > 0) await pause(left(course, deps.plan.advanced.preScanWaitMs))
  const before = await shown(tab)
  const analysis = await analyse(tab, {
    script: deps.script,
    axe: deps.axe,
    contentCharacters: deps.plan.advanced.savePageContent ? deps.contentBytes : 0,
    limitMs: left(course, analysisMs),
  })
  const world = analysis.kind === 'done' ? await worldOf(tab.cdp, tab.mainFrameId, 1000) : null
  const answer = world ? await call<string>(world, 'clearwayState()', 1000) : null
  const after = answer?.kind === 'value' ? (JSON.parse(answer.value) as DocumentState) : null
  const now = await shown(tab)
  const same = before !== null && now !== null && before.loaderId === now.loaderId
  return {
    analysis: analysis.kind === 'done' && !same ? { kind: 'gone' } : analysis,
    settled: rest.kind === 'settled',
    complete: rest.state.complete,
    moved: after === null || moved(rest.state, after),
    loaderId: now?.loaderId ?? null,
    url: now?.url ?? '',
  }
}

/**
 * Analyses what the tab shows; once more when it changed meanwhile, or when it navigated. A second change is kept and
 * marked, a second navigation is the page's failure.
 */
async function lookTwice(course: Course): Promise<Look | null> {
  const first = await look(course, settleMs)
  if (!first) return null
  const again = first.analysis.kind === 'gone' || (first.analysis.kind === 'done' && first.moved)
  if (!again) return first
  const second = await look(course, secondSettleMs, secondWindowMs)
  return second ? { ...second, settled: second.settled && !second.moved } : null
}

function failedAnalysis(course: Course, document: Document, seen: Look): Visit {
  const { analysis } = seen
  if (analysis.kind === 'failed')
    return fail(course, 'axe-failed', `axe failed: ${analysis.message}`, { document })
  if (analysis.kind === 'gone')
    return fail(course, 'client-redirect', `The page goes on to ${seen.url} by itself`, {
      document,
      keepTab: false,
    })
  return fail(course, 'timeout-command', 'The page did not answer in the time for its analysis', {
    document,
    keepTab: false,
  })
}

function noticesOf(course: Course, seen: Look, framesNotTested: number, truncated: boolean): PageNotice[] {
  const notices: PageNotice[] = [...course.deps.notices]
  if (!seen.settled) notices.push('did-not-settle')
  if (!seen.complete) notices.push('not-fully-loaded')
  if (framesNotTested > 0) notices.push('frame-not-tested')
  if (truncated) notices.push('content-truncated')
  return notices
}

/** Cuts text to a number of UTF-8 bytes, never within a character. */
function cutBytes(text: string, bytes: number): { text: string; cut: boolean } {
  const encoded = Buffer.from(text, 'utf8')
  if (encoded.length <= bytes) return { text, cut: text.length >= bytes }
  return { text: new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true }), cut: true }
}

async function complete(course: Course, document: Document, seen: Look): Promise<Visit> {
  const { deps, tab } = course
  if (seen.analysis.kind !== 'done') return failedAnalysis(course, document, seen)
  const { results, places, facts, framesNotTested } = seen.analysis
  if (!htmlTypes.has(facts.contentType))
    return exclude(course, 'mime-type', `The address is of type ${facts.contentType}`, document)
  if (facts.binary)
    return fail(course, 'binary-instead-of-html', 'The document holds binary data, not text', { document })
  const findings = findingsOf(results, places)
  if (deps.shelf) await addPictures(tab, deps.shelf, findings, places, left(course, 5000))
  const content = facts.content === null ? null : cutBytes(facts.content, deps.contentBytes)
  return {
    outcome: {
      kind: 'completed',
      finalUrl: seen.url,
      httpStatus: document.status,
      mimeType: document.mimeType ?? facts.contentType,
      durationMs: since(course),
      title: facts.title.slice(0, 1000),
      health: healthOf(findings.map(({ severity }) => severity)),
      findings,
      notices: noticesOf(course, seen, framesNotTested, content?.cut ?? false),
      content: content?.text ?? null,
    },
    links: facts.links,
    keepTab: true,
  }
}

/** Bytes of cookies above which a server may refuse the request for them. */
const manyCookies = 8000
const refusesCookies = new Set([400, 431])

/** Goes to an address; once more without cookies where those that another page has set made the server refuse. */
async function arriveClean(course: Course, url: string): Promise<Arrival> {
  const { tab, deps } = course
  const arrival = await arrive(tab, deps.guard, url, left(course, navigationMs))
  if (arrival.kind === 'no-document' || arrival.status === null || !refusesCookies.has(arrival.status))
    return arrival
  const context = tab.page.context()
  const cookies = await within(1000, context.cookies(url))
  if (!cookies.done || JSON.stringify(cookies.value).length < manyCookies) return arrival
  await within(1000, context.clearCookies())
  return arrive(tab, deps.guard, url, left(course, navigationMs))
}

/** Visits one address in a tab: goes there, waits until it is at rest, analyses it. Never rejects for what a page does. */
export async function visit(deps: VisitDeps, tab: Tab, claim: Claim): Promise<Visit> {
  const address = readAddress(claim.url, deps.plan.advanced)
  const began = performance.now()
  const course: Course = {
    deps,
    tab,
    claim,
    key: claim.key,
    began,
    end: began + deps.plan.advanced.pageTimeoutMs,
  }
  if (!address.ok) return fail(course, 'bad-url', `${claim.url} is not an address that can be visited`)
  const startedAt = Date.now()
  const arrival = await arriveClean(course, address.url)
  const early = unwanted(course, arrival)
  if (early || arrival.kind !== 'document') return early!
  const seen = await lookTwice(course)
  if (!seen)
    return fail(course, 'timeout-command', 'The page did not answer', { document: arrival, keepTab: false })
  const cut = tab.traffic.mainFailed()
    ? deps.guard.problemOf(authorityOf(new URL(arrival.url)), startedAt)
    : null
  if (cut?.problem === 'too-large') return fail(course, 'too-large', cut.detail, { document: arrival })
  if (seen.loaderId !== arrival.loaderId) {
    if (!seen.settled) return failedAnalysis(course, arrival, { ...seen, analysis: { kind: 'gone' } })
    const elsewhere = redirected(course, seen.url, arrival)
    if (elsewhere) return elsewhere
  }
  return complete(course, arrival, seen)
}
