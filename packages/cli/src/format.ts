import { escapeXml } from '@clearway/contract/kit/xml.ts'
import type { WallKind } from '@clearway/contract/monitor/page/evidence/schema.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { sarifLevels, formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import { axeTextsEn } from '@clearway/contract/monitor/ruleset/axe/en.ts'
import { axeRules, type AxeRuleId } from '@clearway/contract/monitor/ruleset/axe/model.ts'
import { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ReportFormat } from './arguments.ts'
import { countScoredPages } from './report.ts'
import type { Report, ReportIssue, ReportPage } from './schema.ts'

/** Same texts as in the web, except that the fonts are not a server's. */
export const noticeTexts: Record<PageNotice, string> = {
  'did-not-settle': 'The page never stopped changing, so it was tested as it was.',
  'not-fully-loaded': 'Not everything on the page was loaded when it was tested.',
  'element-not-found': 'An element that the scan waits for did not appear; the page was tested without it.',
  'banner-not-closed': 'A banner stayed open: nothing that refuses closed it.',
  'banner-button-not-found': 'A button that closes a banner was not found; the page was tested without a click on it.',
  'frame-not-tested': 'A frame inside the page could not be tested.',
  'issue-limit-reached': 'The page has more issues than are stored; the rest are only counted.',
  'content-truncated': 'Only the first part of the source is kept.',
  'links-not-followed': 'The page links to more pages than are followed from one page; the rest was not visited.',
  'pdf-partly-checked': 'The PDF has too many pages: the last ones were not checked.',
  'pdf-partly-read': 'The PDF is damaged: it was checked as far as it can be read.',
  'content-out-of-reach':
    'The content could not be reached: most of the page is behind a dialog, inert or hidden from assistive technology.',
  'same-as-other-pages': 'At least three URLs show the same text, so their content was not seen.',
  'unlike-last-time': 'The content of the last visit is gone: something else was shown in its place.',
  'asks-for-password': 'The page asks for a password: nothing behind it was tested.',
  'own-requests-failed': 'Requests of the page to its own site failed, so it shows hardly any content.',
  'embedded-browser-fonts': 'This machine has few fonts: sizes and line breaks may differ from those that people see.',
}
const wallTexts: Record<WallKind, string> = {
  'consent-dialog': 'It looks like a consent dialog.',
  challenge: 'It looks like a captcha or another challenge.',
  maintenance: 'It looks like a maintenance page.',
  'application-error': 'It looks like an error of the application.',
  'age-check': 'It looks like an age check.',
  'sign-in': 'It looks like a sign-in.',
}
/** Lines of a page's details that the engine writes about banners; the remaining ones name frames. */
const bannerLine = /^(Banner(:| of .*?:) |No visible button matches )/
/** Notices about a page's result, in addition to its issues. */
const listNotices = ({ notices: pageNotices, detail, likelyWall }: ReportPage) => [
  ...pageNotices.map((notice) => {
    const frameLines =
      notice === 'frame-not-tested' ? (detail ?? '').split('\n').filter((line) => line && !bannerLine.test(line)) : []
    return frameLines.length > 0 ? `Frames were not tested: ${frameLines.join('; ')}` : noticeTexts[notice]
  }),
  ...(likelyWall === null ? [] : [wallTexts[likelyWall]]),
]

/** URLs and axe texts are untrusted: control characters must not reach a terminal or XML. */
// oxlint-disable-next-line no-control-regex -- matches the characters to remove
export const removeControlCharacters = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
const toXml = (text: string) => escapeXml(removeControlCharacters(text))
export const buildAdvice = ({ fix }: Pick<ReportIssue, 'fix'>) => [
  ...[...fix.all, ...fix.none].map((fixText) => `Fix: ${fixText}`),
  ...(fix.any.length > 0 ? [`Fix one of: ${fix.any.join('; ')}`] : []),
]

function formatTextPage(page: ReportPage): string[] {
  if (page.failure) return [`${page.status.toUpperCase()}  ${page.url}`, `  ${page.failure.reason}: ${page.failure.detail}`, '']
  if (page.issues.length === 0 && page.notices.length === 0) return []
  const healthText = page.health ?? (hasWall(page.notices) ? 'not seen' : null)
  const pageLines = [
    page.url + (healthText === null ? '' : `  (${healthText})`),
    ...listNotices(page).map((notice) => `  note: ${notice}`),
  ]
  for (const severity of Severity.options)
    for (const issue of page.issues.filter((i) => i.severity === severity))
      pageLines.push(
        `  ${severity}: ${issue.help} [${issue.rule}]`,
        `    ${formatSelector(issue.target)}`,
        ...buildAdvice(issue).map((adviceLine) => `    ${adviceLine}`),
      )
  return [...pageLines, '']
}

/** Number of pages in the score, if others are missing from it. */
const describeSeenPages = (report: Report): string => {
  const { walled } = report.totals
  const scoredCount = countScoredPages(report)
  return walled > 0 ? `, for ${scoredCount} of ${scoredCount + walled} pages` : ''
}

function formatText(report: Report): string {
  const { totals, score, pages, unchecked } = report
  const severityCounts = Severity.options
    .map((s) => [s, pages.reduce((n, p) => n + p.issues.filter((i) => i.severity === s).length, 0)] as const)
    .filter(([, n]) => n > 0)
    .map(([s, n]) => `${n} ${s}`)
  return [
    ...pages.flatMap(formatTextPage),
    ...unchecked.map(({ target, reason, detail }) => `NOT CHECKED  ${target}: ${reason}${detail ? ` (${detail})` : ''}`),
    `Score ${score === null ? 'unknown' : `${Math.floor(score * 100)} of 100`}${describeSeenPages(report)}: ${totals.completed} pages checked, ${totals.failed} failed, ${totals.excluded} excluded.`,
    `${totals.issues} issues${severityCounts.length > 0 ? `: ${severityCounts.join(', ')}` : ''}${totals.walled > 0 ? `, without those of ${totals.walled} pages whose content was not seen` : ''}.`,
    '',
  ]
    .map(removeControlCharacters)
    .join('\n')
}

/** Returns the importance of a known rule and its fix; null for unknown rules. */
function buildSarifAdvice(rule: string): { fullDescription: { text: string }; help: { text: string } } | null {
  if (!(rule in axeRules)) return null
  const axeRuleId = rule as AxeRuleId
  return { fullDescription: { text: axeTextsEn.why[axeRules[axeRuleId].why] }, help: { text: axeTextsEn.rules[axeRuleId][1] } }
}

/** Formats SARIF 2.1.0: a page is the artifact, the selector its logical location. */
function formatSarif(report: Report): string {
  const sarifRules = new Map<string, object>()
  const sarifResults = report.pages.flatMap((page) =>
    page.issues.map((issue) => {
      sarifRules.set(issue.rule, {
        id: issue.rule,
        shortDescription: { text: issue.help },
        ...buildSarifAdvice(issue.rule),
        helpUri: issue.helpUrl,
        properties: { tags: issue.tags },
      })
      return {
        ruleId: issue.rule,
        level: sarifLevels[issue.severity],
        kind: issue.severity === 'needs review' ? 'review' : 'fail',
        message: { text: [issue.help, ...buildAdvice(issue)].join('\n') },
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: page.url }, region: { startLine: 1, snippet: { text: issue.html } } },
            logicalLocations: [{ fullyQualifiedName: formatSelector(issue.target), kind: 'element' }],
          },
        ],
      }
    }),
  )
  const toolDriver = {
    name: 'Clearway',
    version: report.clearway,
    informationUri: 'https://www.w3.org/WAI/',
    rules: [...sarifRules.values()],
  }
  const failureNotifications = report.pages
    .filter((p) => p.status === 'failed')
    .map((p) => ({
      level: 'error',
      message: { text: `${p.url}: ${p.failure?.reason}: ${p.failure?.detail}` },
    }))
  const noticeNotifications = report.pages.flatMap((page) =>
    listNotices(page).map((notice) => ({
      level: hasWall(page.notices) ? 'warning' : 'note',
      message: { text: `${page.url}: ${notice}` },
    })),
  )
  const sarifRun = {
    tool: { driver: toolDriver },
    invocations: [
      {
        executionSuccessful: countScoredPages(report) > 0 && report.unchecked.length === 0,
        toolExecutionNotifications: [...failureNotifications, ...noticeNotifications],
      },
    ],
    results: sarifResults,
  }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [sarifRun] }, null, 2)}\n`
}

/** Formats JUnit XML: a page is a suite, a failing rule a failed case, a failed page an error. */
function formatJunit(report: Report): string {
  const suiteElements = report.pages.filter((p) => p.status !== 'excluded').map(formatJunitSuite)
  const failedCaseCount = report.pages.reduce(
    (n, p) => n + new Set(p.issues.filter((i) => i.severity !== 'needs review').map((i) => i.rule)).size,
    0,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Clearway" failures="${failedCaseCount}" errors="${report.totals.failed}" time="${report.durationMs / 1000}">\n${suiteElements.join('')}</testsuites>\n`
}

function formatJunitSuite(page: ReportPage): string {
  const issuesByRule = Map.groupBy(
    page.issues.filter((i) => i.severity !== 'needs review'),
    (i) => i.rule,
  )
  const caseElements = [...issuesByRule].map(([rule, issues]) => {
    const failureText = issues.map((i) => [formatSelector(i.target), i.html, ...buildAdvice(i)].join('\n')).join('\n\n')
    return `    <testcase classname="${toXml(page.url)}" name="${toXml(rule)}"><failure type="${toXml(issues[0]!.severity)}" message="${toXml(issues[0]!.help)}">${toXml(failureText)}</failure></testcase>\n`
  })
  if (page.failure)
    caseElements.push(
      `    <testcase classname="${toXml(page.url)}" name="page"><error type="${toXml(page.failure.reason)}" message="${toXml(page.failure.detail)}"/></testcase>\n`,
    )
  if (hasWall(page.notices))
    caseElements.push(
      `    <testcase classname="${toXml(page.url)}" name="content"><skipped message="${toXml(listNotices(page).join(' '))}"/></testcase>\n`,
    )
  if (caseElements.length === 0) caseElements.push(`    <testcase classname="${toXml(page.url)}" name="page"/>\n`)
  const pageNoticeTexts = listNotices(page)
  const systemOut = pageNoticeTexts.length > 0 ? `    <system-out>${toXml(pageNoticeTexts.join('\n'))}</system-out>\n` : ''
  const countAttributes = `tests="${caseElements.length}" failures="${issuesByRule.size}" errors="${page.failure ? 1 : 0}"`
  return `  <testsuite name="${toXml(page.url)}" ${countAttributes} time="${page.durationMs / 1000}">\n${caseElements.join('')}${systemOut}  </testsuite>\n`
}

export const reportFormatters: Record<ReportFormat, (report: Report) => string> = {
  text: formatText,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  sarif: formatSarif,
  junit: formatJunit,
}
