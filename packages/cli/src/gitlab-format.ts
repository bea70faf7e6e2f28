import type { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import { getElementName } from './baseline.ts'
import type { FormatContext } from './format-context.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { removeControlCharacters } from './notice.ts'
import { describeRule, englishTexts } from './rule-text.ts'
import type { Report, ReportIssue, ReportPage } from './schema.ts'

// Reports that GitLab compares between branches. It compares whole entries of the accessibility report, so they have nothing that
// differs between two runs of an unchanged page: no markup, no selector, one language, and the URL of the site instead of the
// preview's. Known issues that were not checked stay in the reports: GitLab would call them resolved.

const maxTextLength = 500

const toText = (text: string): string =>
  removeControlCharacters(text).replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength).toWellFormed()

/** Identity of an issue that survives harmless changes of its page. */
const getKey = (issue: ReportIssue, { keys }: FormatContext): string => keys?.get(issue) ?? issue.fingerprint

const getSiteUrl = (url: string, { toSiteUrl }: FormatContext): string => toSiteUrl?.(url) ?? url

/** Pages without a result, or whose content was not seen, have no entry: they would count as pages without issues. */
const listSeenPages = (report: Report): ReportPage[] =>
  report.pages.filter(({ status, notices, issues }) => status === 'completed' && (issues.length > 0 || !hasWall(notices)))

type Entry = { url: string; rule: string; key: string; severity: Severity; title: string; element: string }

function listEntries(report: Report, context: FormatContext): Entry[] {
  const seenEntries = listSeenPages(report).flatMap((page) =>
    page.issues.map((issue): Entry => ({
      url: getSiteUrl(page.url, context),
      rule: issue.rule,
      key: getKey(issue, context),
      severity: issue.severity,
      title: toText(describeRule(issue, englishTexts).title),
      element: getElementName(issue.html),
    })),
  )
  const noFix = { any: [], all: [], none: [] }
  const uncheckedEntries = (context.uncheckedIssues ?? []).map(({ url, rule, key, element }): Entry => {
    const { title } = describeRule({ rule, help: rule, fix: noFix }, englishTexts)
    return { url, rule, key, severity: 'minor', title: toText(title), element }
  })
  return [...seenEntries, ...uncheckedEntries]
}

/** Formats `gl-accessibility.json`, in the form of pa11y-ci. */
export function formatGitlabAccessibility(report: Report, context: FormatContext): string {
  const results = Object.fromEntries(listSeenPages(report).map(({ url }) => [getSiteUrl(url, context), [] as object[]]))
  const entries = listEntries(report, context)
  for (const { url, rule, key, severity, title, element } of entries) {
    const pageEntries = (Object.hasOwn(results, url) ? results[url] : null) ?? (results[url] = [])
    const isReview = severity === 'needs review'
    pageEntries.push({
      code: `clearway.${rule}.${key.slice(0, 12)}`,
      type: isReview ? 'warning' : 'error',
      typeCode: isReview ? 2 : 1,
      message: `${title} [${rule}]`,
      context: key,
      selector: element,
      runner: 'clearway',
      runnerExtras: {},
    })
  }
  const passes = Object.values(results).filter((pageEntries) => pageEntries.length === 0).length
  return `${JSON.stringify({ total: Object.keys(results).length, passes, errors: entries.length, results }, null, 2)}\n`
}

const codeQualitySeverities: Record<Severity, 'info' | 'minor' | 'major' | 'critical'> = {
  critical: 'critical',
  serious: 'major',
  moderate: 'minor',
  minor: 'info',
  'needs review': 'info',
}

/** Name of a page where GitLab expects that of a file. */
function toPath(url: string): string {
  const { pathname, search } = URL.parse(url) ?? { pathname: url, search: '' }
  const name = `${pathname}${search}`.replaceAll(/[^\w./=&?-]+/g, '-').replaceAll(/\.{2,}/g, '.')
  return `pages${name.endsWith('/') ? `${name}index` : name}`.slice(0, maxTextLength)
}

/** Formats a code quality report; each page stands for a file. */
export function formatGitlabCodeQuality(report: Report, context: FormatContext): string {
  const entries = listEntries(report, context).map(({ url, rule, key, severity, title }) => ({
    description: `${title} on ${toText(url)}`,
    check_name: rule,
    fingerprint: key,
    severity: codeQualitySeverities[severity],
    location: { path: toPath(url), lines: { begin: 1 } },
  }))
  return `${JSON.stringify(entries, null, 2)}\n`
}
