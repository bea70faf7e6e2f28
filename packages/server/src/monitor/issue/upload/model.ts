import { selectorOf } from '@clearway/contract/monitor/issue/model.ts'
import {
  AxeResults,
  ClearwayReport,
  type UploadErrorCode,
} from '@clearway/contract/monitor/issue/upload/schema.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import * as z from 'zod/mini'

export type UploadedPage = { url: string; title: string | null; findings: Finding[] }
export type UploadError = { code: UploadErrorCode; message: string; path?: string }
export type ReadUpload = { pages: UploadedPage[]; versions: string[] } | { error: UploadError }

type Node = AxeResults['violations'][number]['nodes'][number]
const messages = (checks: Node['any']) =>
  (checks ?? []).flatMap(({ message }) => (message ? [message.slice(0, 2000)] : []))

/** axe's own markup limits do not hold for what a stranger sends. */
const markup = (html: string) => html.slice(0, 10_000)

/** The element's key: its selector, with positions written as in ours. */
const keyOf = (target: Finding['target']): string =>
  `${selectorOf(target)
    .replaceAll(/:nth-(?:child|of-type)\((\d+)\)/g, ':$1')
    .replaceAll(/(?<!\s)\s*>\s*/g, '>')
    .replaceAll('|', '/')}|||`

const isWeb = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '')

/** A URL that a link may lead to; nothing for `javascript:` and the like. */
const linkOf = (url: string): string => (isWeb(url) ? url : '')

/** PostgreSQL takes neither NUL nor half of a surrogate pair. */
const nameOf = (rule: string): string => rule.toWellFormed().replaceAll('\0', '\uFFFD')

/** Gives equal elements of a page and rule their ordinals. */
function numbered(
  findings: Omit<Finding, 'elementKey' | 'elementPattern' | 'ordinal' | 'picture'>[],
): Finding[] {
  const seen = new Map<string, number>()
  return findings.map((found) => {
    const finding = { ...found, rule: nameOf(found.rule), helpUrl: linkOf(found.helpUrl) }
    const elementKey = keyOf(finding.target)
    const key = `${finding.rule}\n${elementKey}`
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    const elementPattern = elementKey.replaceAll(/:\d+(?=[>|])/g, '')
    return { ...finding, elementKey, elementPattern, ordinal, picture: null }
  })
}

function axePage(results: AxeResults): UploadedPage {
  const of = (rules: AxeResults['violations'], review: boolean) =>
    rules.flatMap(({ id, impact, tags, help, helpUrl, description, nodes }) =>
      nodes.map((node) => ({
        rule: id,
        impact: impact ?? null,
        severity: review || !impact ? ('needs review' as const) : impact,
        help,
        helpUrl,
        description,
        tags,
        target: node.target,
        html: markup(node.html),
        fix: { any: messages(node.any), all: messages(node.all), none: messages(node.none) },
      })),
    )
  const findings = numbered([...of(results.violations, false), ...of(results.incomplete, true)])
  return { url: results.url, title: null, findings }
}

function reportPages(report: ClearwayReport): UploadedPage[] {
  return report.pages
    .filter(({ status }) => status === 'completed')
    .map(({ url, title, issues }) => ({
      url,
      title,
      findings: numbered(
        issues.map((issue) => ({ ...issue, html: markup(issue.html), description: issue.help })),
      ),
    }))
}

const wrong = (code: UploadErrorCode, message: string, path?: PropertyKey[]): { error: UploadError } => ({
  error: { code, message, ...(path && path.length > 0 && { path: path.join('.') }) },
})
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checked(pages: UploadedPage[], versions: string[]): ReadUpload {
  const bad = pages.find(({ url }) => !isWeb(url))
  if (bad) return wrong('invalid-issues', `${bad.url.slice(0, 200)} is not an http URL.`, ['url'])
  return { pages, versions }
}

/**
 * Reads one uploaded file: results of `axe.run`, a list of them, or a report of `clearway scan`.
 * @param text the file's content
 */
export function readUpload(text: string): ReadUpload {
  let value: unknown
  try {
    // A byte order mark is no part of JSON, but of files.
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return wrong('not-json', 'The file is not JSON.')
  }
  if (isObject(value) && 'clearway' in value) {
    const report = z.safeParse(ClearwayReport, value)
    if (!report.success)
      return wrong('invalid-issues', 'The report is not complete.', report.error.issues[0]?.path)
    return checked(reportPages(report.data), [report.data.axe])
  }
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0) return wrong('invalid-issues', 'The file has no results.')
  const engines = list.map((item) =>
    isObject(item) && isObject(item.testEngine) ? item.testEngine.name : null,
  )
  if (engines.includes(null)) return wrong('invalid-issues', 'The file has no results of axe-core.')
  if (engines.some((name) => name !== 'axe-core'))
    return wrong(
      'unsupported-source',
      'Only results of axe-core, of @axe-core packages and of clearway scan are read.',
    )
  const results = z.safeParse(z.array(AxeResults), list)
  if (!results.success)
    return wrong('invalid-issues', 'The results are not complete.', results.error.issues[0]?.path)
  return checked(
    results.data.map(axePage),
    results.data.map(({ testEngine }) => testEngine.version),
  )
}
