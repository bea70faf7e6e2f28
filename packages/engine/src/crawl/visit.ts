import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { healthOf } from '@clearway/contract/monitor/page/model.ts'
import { analyse } from '../axe/analyse.ts'
import { findingsOf } from '../axe/findings.ts'
import { addPictures } from '../axe/pictures.ts'
import type { Analysis } from '../axe/report.ts'
import { pause, within } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { call, worldOf } from '../browser/world.ts'
import type { Claim } from '../frontier.ts'
import { authorityOf, readAddress } from './address.ts'
import { arrive, type Arrival } from './arrive.ts'
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
import { htmlTypes, redirected, unwanted } from './judge.ts'
import type { DocumentState } from './settle-in-page.ts'
import { settle } from './settle.ts'

const navigationMs = 30_000
const analysisMs = 30_000
const settleMs = 10_000
const secondSettleMs = 6000
const secondWindowMs = 500

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
  const world = analysis.kind === 'done' ? await worldOf(tab.cdp, tab.mainFrameId, 'watch', 1000) : null
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

/** Bytes of cookies above which a server may refuse the request for them, or just hang up. */
const manyCookies = 8000

/** Goes to an address; once more without cookies where those that another page has set made the server refuse. */
async function arriveClean(course: Course, url: string): Promise<Arrival> {
  const { tab, deps } = course
  const arrival = await arrive(tab, deps.guard, url, left(course, navigationMs))
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
  // A document that was cut says so itself, unless it is so large that it no longer answers.
  const cut =
    seen === null || tab.traffic.mainFailed() ? deps.guard.problemOf(placeOf(arrival.url), startedAt) : null
  if (cut?.problem === 'too-large')
    return fail(course, 'too-large', cut.detail, { document: arrival, keepTab: seen !== null })
  if (!seen) return noAnswer(course, arrival)
  if (seen.loaderId !== arrival.loaderId) {
    if (!seen.settled) return failedAnalysis(course, arrival, { ...seen, analysis: { kind: 'gone' } })
    const elsewhere = redirected(course, seen.url, arrival)
    if (elsewhere) return elsewhere
  }
  return complete(course, arrival, seen)
}
