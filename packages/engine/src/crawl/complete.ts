import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { healthOf } from '@clearway/contract/monitor/page/model.ts'
import { findingsOf } from '../axe/findings.ts'
import { addPictures } from '../axe/pictures.ts'
import { readAddress } from './address.ts'
import { exclude, fail, left, since, type Course, type Document, type Visit } from './course.ts'
import { htmlTypes } from './judge.ts'
import type { Look } from './look.ts'

/** Why an analysis that has no result has none. */
export function failedAnalysis(course: Course, document: Document, seen: Look): Visit {
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

const lastPart = (url: URL): string => url.pathname.split('/').filter(Boolean).at(-1) ?? ''

/**
 * The address of which this page says that it is a copy; null when it is none. Taken at its word only where both look alike (same
 * path, or same last part of it) and the other is the shorter one, so that two pages can never leave each other out and
 * a whole site cannot call itself its front page.
 */
export function twinOf(course: Course, canonical: string | null): string | null {
  if (canonical === null) return null
  const own = URL.parse(course.key)
  const target = readAddress(canonical, course.deps.plan.advanced)
  if (!own || !target.ok || target.key === course.key || course.deps.scope(target.parsed)) return null
  const shorter =
    target.key.length < course.key.length ||
    (target.key.length === course.key.length && target.key < course.key)
  const alike =
    own.pathname.replace(/\/$/, '') === target.parsed.pathname.replace(/\/$/, '') ||
    (lastPart(own) !== '' && lastPart(own) === lastPart(target.parsed))
  return shorter && alike ? target.url : null
}

/** Turns an analysis into the page's outcome: completed, or excluded as a twin or by its type. */
export async function complete(course: Course, document: Document, seen: Look): Promise<Visit> {
  const { deps, tab } = course
  if (seen.analysis.kind !== 'done') return failedAnalysis(course, document, seen)
  const { results, places, facts, framesNotTested } = seen.analysis
  if (!htmlTypes.has(facts.contentType))
    return exclude(course, 'mime-type', `The address is of type ${facts.contentType}`, document)
  if (facts.binary)
    return fail(course, 'binary-instead-of-html', 'The document holds binary data, not text', { document })
  const twin = twinOf(course, facts.canonical)
  if (twin !== null) {
    const detail = `The page says that it is a copy of ${twin}`
    return exclude(course, 'duplicate', detail, { ...document, leadsTo: twin, links: facts.links })
  }
  const names = (deps.plan.commonComponents?.components ?? []).map(({ name }) => name)
  const findings = findingsOf(results, places, names)
  // Where a script has typed a secret, or a page says it again, a photograph would show it to whoever sees the scan.
  const shelf = course.typed ? null : deps.shelf
  const views = shelf ? await addPictures({ tab, shelf, findings, places }, left(course, 5000)) : []
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
      components: facts.components.flatMap((number) => names[number] ?? []),
      content: content?.text ?? null,
      views,
    },
    links: facts.links,
    keepTab: true,
  }
}
