import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { AxeResults, ClearwayReport, type UploadErrorCode } from '@clearway/contract/monitor/issue/upload/schema.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import * as z from 'zod/mini'

export type UploadedPage = { url: string; title: string | null; findings: Finding[] }
export type UploadError = { code: UploadErrorCode; message: string; path?: string }
export type ParsedUpload = { pages: UploadedPage[]; versions: string[] } | { error: UploadError }

type AxeNode = AxeResults['violations'][number]['nodes'][number]
const collectMessages = (checks: AxeNode['any']) =>
  (checks ?? []).flatMap(({ message }) => (message ? [message.slice(0, 2000)] : []))

/** Limits the HTML length; axe-core's own limit cannot be trusted in uploaded files. */
const truncateHtml = (html: string) => html.slice(0, 10_000)

/** The element key: its selector, with positions in our notation. */
const toElementKey = (target: Finding['target']): string =>
  `${formatSelector(target)
    .replaceAll(/:nth-(?:child|of-type)\((\d+)\)/g, ':$1')
    .replaceAll(/(?<!\s)\s*>\s*/g, '>')
    .replaceAll('|', '/')}|||`

const isHttpUrl = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '')
const hasCredentials = (url: string): boolean => {
  const parsedUrl = URL.parse(url)
  return parsedUrl !== null && (parsedUrl.username !== '' || parsedUrl.password !== '')
}

/** Returns a URL that is safe to link to; empty for `javascript:` and the like. */
const toSafeLink = (url: string): string => (isHttpUrl(url) ? url : '')

/** Replaces NUL and lone surrogates, which PostgreSQL rejects. */
const toSafeName = (rule: string): string => rule.toWellFormed().replaceAll('\0', '\uFFFD')

/** Assigns ordinals to equal elements of a page and rule. */
function assignOrdinals(findings: Omit<Finding, 'elementKey' | 'elementPattern' | 'ordinal' | 'picture'>[]): Finding[] {
  const countsByKey = new Map<string, number>()
  return findings.map((rawFinding) => {
    const safeFinding = { ...rawFinding, rule: toSafeName(rawFinding.rule), helpUrl: toSafeLink(rawFinding.helpUrl) }
    const elementKey = toElementKey(safeFinding.target)
    const ordinalKey = `${safeFinding.rule}\n${elementKey}`
    const ordinal = countsByKey.get(ordinalKey) ?? 0
    countsByKey.set(ordinalKey, ordinal + 1)
    const elementPattern = elementKey.replaceAll(/:\d+(?=[>|])/g, '')
    return { ...safeFinding, elementKey, elementPattern, ordinal, picture: null }
  })
}

function toUploadedPage(results: AxeResults): UploadedPage {
  const toFindings = (rules: AxeResults['violations'], isReview: boolean) =>
    rules.flatMap(({ id, impact, tags, help, helpUrl, description, nodes }) =>
      nodes.map((node) => ({
        rule: id,
        impact: impact ?? null,
        severity: isReview || !impact ? ('needs review' as const) : impact,
        help,
        helpUrl,
        description,
        tags,
        target: node.target,
        html: truncateHtml(node.html),
        fix: { any: collectMessages(node.any), all: collectMessages(node.all), none: collectMessages(node.none) },
      })),
    )
  const pageFindings = assignOrdinals([...toFindings(results.violations, false), ...toFindings(results.incomplete, true)])
  return { url: results.url, title: null, findings: pageFindings }
}

function toUploadedPages(report: ClearwayReport): UploadedPage[] {
  return report.pages
    .filter(({ status }) => status === 'completed')
    .map(({ url, title, issues }) => ({
      url,
      title,
      findings: assignOrdinals(issues.map((issue) => ({ ...issue, html: truncateHtml(issue.html), description: issue.help }))),
    }))
}

const createUploadError = (code: UploadErrorCode, message: string, path?: PropertyKey[]): { error: UploadError } => ({
  error: { code, message, ...(path && path.length > 0 && { path: path.join('.') }) },
})
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checkPages(pages: UploadedPage[], versions: string[]): ParsedUpload {
  const invalidPage = pages.find(({ url }) => !isHttpUrl(url))
  if (invalidPage) return createUploadError('invalid-issues', `${invalidPage.url.slice(0, 200)} is not an http URL.`, ['url'])
  // The message does not repeat the URL, because lists, exports and guests show what is stored.
  if (pages.some(({ url }) => hasCredentials(url)))
    return createUploadError(
      'invalid-issues',
      'A page URL contains a user name or password. Remove it, because every list and export shows the URL.',
      ['url'],
    )
  return { pages, versions }
}

/** Parses one uploaded file: results of `axe.run`, a list of them, or a report of `clearway scan`. */
export function parseUpload(fileContent: string): ParsedUpload {
  let parsedJson: unknown
  try {
    // JSON does not allow a byte order mark, but files may have one.
    parsedJson = JSON.parse(fileContent.replace(/^\uFEFF/, ''))
  } catch {
    return createUploadError('not-json', 'The file is not JSON.')
  }
  if (isObject(parsedJson) && 'clearway' in parsedJson) {
    const parsedReport = z.safeParse(ClearwayReport, parsedJson)
    if (!parsedReport.success)
      return createUploadError('invalid-issues', 'The report is not complete.', parsedReport.error.issues[0]?.path)
    return checkPages(toUploadedPages(parsedReport.data), [parsedReport.data.axe])
  }
  const resultList = Array.isArray(parsedJson) ? parsedJson : [parsedJson]
  if (resultList.length === 0) return createUploadError('invalid-issues', 'The file has no results.')
  const engineNames = resultList.map((item) => (isObject(item) && isObject(item.testEngine) ? item.testEngine.name : null))
  if (engineNames.includes(null)) return createUploadError('invalid-issues', 'The file has no results of axe-core.')
  if (engineNames.some((name) => name !== 'axe-core'))
    return createUploadError(
      'unsupported-source',
      'Only results of axe-core, of @axe-core packages and of clearway scan are read.',
    )
  const parsedResults = z.safeParse(z.array(AxeResults), resultList)
  if (!parsedResults.success)
    return createUploadError('invalid-issues', 'The results are not complete.', parsedResults.error.issues[0]?.path)
  return checkPages(
    parsedResults.data.map(toUploadedPage),
    parsedResults.data.map(({ testEngine }) => testEngine.version),
  )
}
