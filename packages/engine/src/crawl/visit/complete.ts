import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { healthOf } from '@clearway/contract/monitor/page/model.ts'
import { testedTypes } from '../../axe/document-type.ts'
import { findingsOf } from '../../axe/findings.ts'
import { addPictures } from '../../axe/pictures.ts'
import { readPageUrl } from '../scope/page-url.ts'
import {
  exclude,
  fail,
  left,
  since,
  whyLate,
  type VisitContext,
  type Document,
  type Visit,
} from './context.ts'
import type { Look } from './look.ts'

/** Why an analysis that has no result has none. */
export function failedAnalysis(context: VisitContext, document: Document, seen: Look): Visit {
  const { analysis } = seen
  const host = URL.parse(document.url)?.host
  if (analysis.kind === 'failed' && context.tab.received.brokeOff)
    return fail(context, 'connection-failed', `${host}: the answer broke off`, { document })
  if (analysis.kind === 'failed')
    return fail(context, 'axe-failed', `axe failed: ${analysis.message}`, { document })
  // A page that is too busy to say what it shows has not gone anywhere.
  const wentOn = seen.loaderId !== null && seen.loaderId !== document.loaderId
  if (analysis.kind === 'gone' && wentOn)
    return fail(context, 'client-redirect', `The page goes on to ${seen.url} by itself`, {
      document,
      keepTab: false,
    })
  const [reason, detail] = whyLate(context, 'The page did not answer in the time for its analysis')
  return fail(context, reason, detail, { document, keepTab: false })
}

function noticesOf(
  context: VisitContext,
  seen: Look,
  framesNotTested: readonly string[],
  truncated: boolean,
): PageNotice[] {
  const notices: PageNotice[] = [...context.deps.notices]
  if (!seen.settled) notices.push('did-not-settle')
  notices.push(...seen.notices)
  if (framesNotTested.length > 0) notices.push('frame-not-tested')
  if (truncated) notices.push('content-truncated')
  return notices
}

/** Frames that are named; a page of hundreds has them for one reason. */
const mostNamed = 10

/** The frames that were not tested, one a line; null when all were. */
function framesDetail(frames: readonly string[]): string | null {
  if (frames.length === 0) return null
  const more = frames.length - mostNamed
  return [...frames.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/** Cuts text to a number of UTF-8 bytes, never within a character. */
function cutBytes(text: string, bytes: number): { text: string; cut: boolean } {
  const encoded = Buffer.from(text, 'utf8')
  if (encoded.length <= bytes) return { text, cut: text.length >= bytes }
  return { text: new TextDecoder().decode(encoded.subarray(0, bytes), { stream: true }), cut: true }
}

const lastPart = (url: URL): string => url.pathname.split('/').filter(Boolean).at(-1) ?? ''

/**
 * The URL of which this page says that it is a copy; null when it is none. Taken at its word only where both look alike (same
 * path, or same last part of it) and the other is the shorter one, so that two pages can never leave each other out and
 * a whole site cannot call itself its front page.
 */
function canonicalOf(context: VisitContext, canonical: string | null): string | null {
  if (canonical === null) return null
  const own = URL.parse(context.key)
  const target = readPageUrl(canonical, context.deps.plan.advanced)
  if (!own || !target.ok || target.key === context.key || context.deps.scope(target.parsed)) return null
  const shorter =
    target.key.length < context.key.length ||
    (target.key.length === context.key.length && target.key < context.key)
  const alike =
    own.pathname.replace(/\/$/, '') === target.parsed.pathname.replace(/\/$/, '') ||
    (lastPart(own) !== '' && lastPart(own) === lastPart(target.parsed))
  return shorter && alike ? target.url : null
}

/** Turns an analysis into the page's outcome: completed, or excluded as a duplicate or by its type. */
export async function complete(context: VisitContext, document: Document, seen: Look): Promise<Visit> {
  const { deps, tab } = context
  if (seen.analysis.kind !== 'done') return failedAnalysis(context, document, seen)
  const { results, elements, facts, framesNotTested } = seen.analysis
  if (!testedTypes.has(facts.contentType))
    return exclude(context, 'mime-type', `The URL is of type ${facts.contentType}`, document)
  if (facts.binary)
    return fail(context, 'binary-instead-of-html', 'The document holds binary data, not text', { document })
  const canonical = canonicalOf(context, facts.canonical)
  if (canonical !== null) {
    const detail = `The page says that it is a copy of ${canonical}`
    return exclude(context, 'duplicate', detail, { ...document, leadsTo: canonical, links: facts.links })
  }
  const names = (deps.plan.commonComponents?.components ?? []).map(({ name }) => name)
  const findings = findingsOf(results, elements, names)
  // Where a script has typed a secret, or a page says it again, a photograph would show it to whoever sees the scan.
  const pictureCache = context.typed ? null : deps.pictureCache
  const views = pictureCache
    ? await addPictures({ tab, pictureCache, findings, elements }, left(context, 5000))
    : []
  // A page may say again what it was sent, and more people read scans than may edit them.
  const redact = (text: string) => deps.headerSecrets.redact(text)
  const detail = framesDetail(framesNotTested)
  const content = facts.content === null ? null : cutBytes(redact(facts.content), deps.contentBytes)
  return {
    outcome: {
      kind: 'completed',
      finalUrl: seen.url,
      httpStatus: document.status,
      mimeType: document.mimeType ?? facts.contentType,
      durationMs: since(context),
      title: redact(facts.title.slice(0, 1000)),
      health: healthOf(findings.map(({ severity }) => severity)),
      findings: findings.map((finding) => ({ ...finding, html: redact(finding.html) })),
      notices: noticesOf(context, seen, framesNotTested, content?.cut ?? false),
      detail: detail && redact(detail),
      components: facts.components.flatMap((number) => names[number] ?? []),
      content: content?.text ?? null,
      views,
      fingerprint: seen.fingerprint,
      audited: seen.audited,
    },
    links: facts.links,
    keepTab: true,
  }
}
