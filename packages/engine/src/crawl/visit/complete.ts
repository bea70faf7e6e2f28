import { getVisitUrl } from '../../frontier.ts'
import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { asksForPassword, findOwnWalls, mayAskForPassword, type WallNotice } from '@clearway/contract/monitor/page/wall/model.ts'
import { computeHealth } from '@clearway/contract/monitor/page/model.ts'
import { testedMimeTypes } from '../../axe/document-type.ts'
import { combineEvidence } from '../../axe/evidence.ts'
import type { DocumentEvidence } from '../../axe/evidence-in-page.ts'
import { toFindings } from '../../axe/findings.ts'
import type { DocumentFacts } from '../../axe/report-in-page.ts'
import { addPictures } from '../../axe/screenshots.ts'
import { readPageFacts } from '../../session/proof.ts'
import { signsIn } from '../../settings.ts'
import {
  excludeVisit,
  failVisit,
  getRemainingMs,
  getElapsedMs,
  explainTimeout,
  type VisitContext,
  type ArrivedDocument,
  type VisitResult,
} from './context.ts'
import { explainBrokenDocument } from './net-error.ts'
import { findCanonicalUrl } from './canonical.ts'
import { computeSignature, toLinkSource } from './signature.ts'
import type { VisitSnapshot } from './snapshot.ts'

/** Returns the failure of an axe run without a result. */
export function failForAnalysis(context: VisitContext, document: ArrivedDocument, snapshot: VisitSnapshot): VisitResult {
  const { analysis: pageAnalysis } = snapshot
  const documentHost = URL.parse(document.url)?.host
  const { errorCode } = context.tab.received
  if (pageAnalysis.kind === 'failed' && errorCode !== null)
    return failVisit(context, ...explainBrokenDocument(documentHost, errorCode), { document })
  if (pageAnalysis.kind === 'failed') return failVisit(context, 'axe-failed', `axe failed: ${pageAnalysis.message}`, { document })
  // A page that is too busy to report its URL has not navigated.
  const hasNavigated = snapshot.loaderId !== null && snapshot.loaderId !== document.loaderId
  if (pageAnalysis.kind === 'gone' && hasNavigated)
    return failVisit(context, 'client-redirect', `The page goes on to ${snapshot.url} by itself`, { document, keepTab: false })
  const [failureReason, failureDetail] = explainTimeout(context, 'The page did not answer in the time for its analysis')
  return failVisit(context, failureReason, failureDetail, { document, keepTab: false })
}

function collectNotices(
  context: VisitContext,
  snapshot: VisitSnapshot,
  framesNotTested: readonly string[],
  isTruncated: boolean,
): PageNotice[] {
  const pageNotices: PageNotice[] = [...context.deps.notices]
  if (!snapshot.isSettled) pageNotices.push('did-not-settle')
  pageNotices.push(...snapshot.notices, ...context.preparation.notices)
  if (context.tab.sent.hasHeldContent()) pageNotices.push('requests-held')
  if (framesNotTested.length > 0) pageNotices.push('frame-not-tested')
  if (isTruncated) pageNotices.push('content-truncated')
  if (snapshot.analysis.kind === 'done' && snapshot.analysis.facts.hasMoreLinks) pageNotices.push('links-not-followed')
  return pageNotices
}

/** Maximum number of frames that are named; a page with hundreds has a single cause. */
const maxNamedFrames = 10

/** Lists the untested frames, one line each. */
function describeFrames(frames: readonly string[]): string[] {
  const unnamedCount = frames.length - maxNamedFrames
  return [...frames.slice(0, maxNamedFrames), ...(unnamedCount > 0 ? [`and ${unnamedCount} more`] : [])]
}

/** Truncates text to a number of UTF-8 bytes, never within a character. */
function truncateBytes(text: string, maxBytes: number): { text: string; isTruncated: boolean } {
  const encodedText = Buffer.from(text, 'utf8')
  if (encodedText.length <= maxBytes) return { text, isTruncated: text.length >= maxBytes }
  return { text: new TextDecoder().decode(encodedText.subarray(0, maxBytes), { stream: true }), isTruncated: true }
}

/** Excludes a page that declares itself a copy of another one; null for others. */
export function excludeDuplicate(
  context: VisitContext,
  document: ArrivedDocument,
  { canonical, links, signature }: Pick<DocumentFacts, 'canonical' | 'links' | 'signature'>,
): VisitResult | null {
  const canonicalUrl = findCanonicalUrl(context, canonical)
  if (canonicalUrl === null) return null
  const duplicateDetail = `The page says that it is a copy of ${canonicalUrl}`
  const source = toLinkSource(signature)
  return excludeVisit(context, 'duplicate', duplicateDetail, { ...document, leadsTo: canonicalUrl, links, source })
}

/** Returns true for a page that each run tests: it may be one that asks for a password, and says nothing about other pages. */
const isAlwaysTested = ({ claim, deps }: VisitContext): boolean =>
  deps.plan.advanced.alwaysTested.some((url) => URL.parse(url)?.href === getVisitUrl(claim))

/** Returns true for a start page that asks for a password although the scan does not sign in. */
async function isSignInPage(context: VisitContext, evidence: PageEvidence): Promise<boolean> {
  const { claim, deps, tab } = context
  if (claim.depth > 0 || signsIn(deps.plan) || isAlwaysTested(context)) return false
  if (!mayAskForPassword(evidence)) return false
  const facts = await readPageFacts(tab)
  return facts !== null && asksForPassword({ ...facts, url: getVisitUrl(claim), startUrls: deps.plan.urls }, evidence)
}

/** Combines the evidence of a page's documents, and finds the walls that the page shows by itself. */
async function readEvidence(context: VisitContext, url: string, documents: readonly DocumentEvidence[], title: string) {
  const evidence = combineEvidence(documents, { title, failedRequests: context.tab.traffic.countFailures(url) })
  const walls: WallNotice[] = findOwnWalls(evidence)
  return { evidence, walls: (await isSignInPage(context, evidence)) ? [...walls, 'asks-for-password' as const] : walls }
}

/** Turns an axe run into the page's outcome: completed, or excluded as a duplicate or by its type. */
export async function completeVisit(
  context: VisitContext,
  document: ArrivedDocument,
  snapshot: VisitSnapshot,
): Promise<VisitResult> {
  const { deps, tab } = context
  if (snapshot.analysis.kind !== 'done') return failForAnalysis(context, document, snapshot)
  const { results: axeResults, elements: elementReports, facts: documentFacts, framesNotTested } = snapshot.analysis
  if (!testedMimeTypes.has(documentFacts.contentType))
    return excludeVisit(context, 'mime-type', `The URL is of type ${documentFacts.contentType}`, document)
  if (documentFacts.binary)
    return failVisit(context, 'binary-instead-of-html', 'The document holds binary data, not text', { document })
  const duplicateVisit = excludeDuplicate(context, document, documentFacts)
  if (duplicateVisit) return duplicateVisit
  const componentNames = (deps.plan.commonComponents?.components ?? []).map(({ name }) => name)
  const pageFindings = toFindings(axeResults, elementReports, componentNames)
  // After a script has typed a secret, screenshots could reveal it to everyone who can see the scan.
  const screenshotCache = context.hasTypedSecrets ? null : deps.pictureCache
  const pageScreenshots = screenshotCache
    ? await addPictures(
        { tab, pictureCache: screenshotCache, findings: pageFindings, elements: elementReports },
        getRemainingMs(context, 5000),
      )
    : []
  // A page may repeat request headers, and more people can read scans than edit them.
  const redactText = (text: string) => deps.headerSecrets.redact(text)
  const detailLines = [...context.preparation.details, ...describeFrames(framesNotTested)]
  const detailText = detailLines.length > 0 ? detailLines.join('\n') : null
  const pageTitle = redactText(documentFacts.title.slice(0, 1000))
  const { evidence, walls } = await readEvidence(context, snapshot.url, snapshot.analysis.evidence, pageTitle)
  const savedContent = documentFacts.content === null ? null : truncateBytes(redactText(documentFacts.content), deps.contentBytes)
  return {
    outcome: {
      kind: 'completed',
      finalUrl: snapshot.url,
      httpStatus: document.status,
      mimeType: document.mimeType ?? documentFacts.contentType,
      durationMs: getElapsedMs(context),
      title: pageTitle,
      health: walls.length > 0 ? null : computeHealth(pageFindings.map(({ severity }) => severity)),
      findings: pageFindings.map((finding) => ({ ...finding, html: redactText(finding.html) })),
      notices: [...collectNotices(context, snapshot, framesNotTested, savedContent?.isTruncated ?? false), ...walls],
      evidence,
      signature: computeSignature(context, snapshot.url, documentFacts),
      detail: detailText && redactText(detailText),
      components: documentFacts.components.flatMap((number) => componentNames[number] ?? []),
      content: savedContent?.text ?? null,
      views: pageScreenshots,
      fingerprint: snapshot.fingerprint,
      audited: snapshot.isAudited,
      ...(context.isProved === undefined ? {} : { isProved: context.isProved }),
    },
    links: documentFacts.links,
    source: toLinkSource(documentFacts.signature),
    pageText: snapshot.analysis.evidence[0]?.text ?? '',
    keepTab: true,
  }
}
