import { Count } from '@clearway/contract/kit/count.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { AxeVersion, Impact, RuleSet, Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import * as z from 'zod/mini'
import type { ScanArguments } from './arguments.ts'
import { type Baseline, compareWithBaseline, formatBaseline, type GateIssue, toBaselinePage } from './baseline.ts'
import { exitCodes } from './exit-code.ts'
import type { CollectedPage } from './report.ts'
import { type Report, ReportIssue } from './schema.ts'

const GateIssueReport = z.extend(
  z.pick(ReportIssue, { rule: true, severity: true, help: true, helpUrl: true, target: true, html: true, fix: true }),
  { url: z.string() },
)
export type GateIssueReport = z.output<typeof GateIssueReport>

/** Output of `clearway gate --format json`. */
export const GateReport = z.strictObject({
  clearway: z.string(),
  axe: z.string(),
  ruleSet: RuleSet,
  /** Least severe impact of a new issue that fails the gate. */
  failOn: Impact,
  /** `new`: issues that fail the gate; `notChecked`: known issues on pages that were not seen whole. */
  totals: z.strictObject({ new: Count, axeChanged: Count, known: Count, fixed: Count, notChecked: Count, pages: Count }),
  newIssues: z.array(GateIssueReport),
  /** New results that need review or are less severe than `failOn`; they do not fail the gate. */
  otherNewIssues: z.array(GateIssueReport),
  /** Issues that only the version of axe-core of this scan finds, not that of the baseline; they do not fail the gate. */
  axeChangedIssues: z.array(GateIssueReport),
  /** Version of axe-core of the baseline. */
  baselineAxe: AxeVersion,
  /** Pages and files without a result, or with content that was not seen, each with the reason. */
  unchecked: z.array(z.strictObject({ target: z.string(), reason: z.string(), detail: z.string() })),
  /** Rules that are known on pages that were not checked, with the number of their issues. */
  notChecked: z.array(z.strictObject({ page: z.string(), rule: z.string(), issues: Count })),
  fixed: z.array(z.strictObject({ page: z.string(), rule: z.string(), issues: Count })),
})
export type GateReport = z.output<typeof GateReport>

/** JSON Schema of the result for consumers. */
export const buildGateSchema = () => ({ title: 'Report of clearway gate', ...z.toJSONSchema(GateReport) })

type Scanned = { report: Report; visits: readonly CollectedPage[] }

/** Returns the URL of a page on the site that a preview stands for. */
export const toSiteUrl = ({ hostMaps = [] }: Pick<ScanArguments, 'hostMaps'>, url: string): string => {
  const matchingMap = hostMaps.find(({ from }) => URL.parse(url)?.origin === from)
  return matchingMap ? matchingMap.to + url.slice(matchingMap.from.length) : url
}

/** Names pages by their path: the host of the first start URL is that of the site, after the mapping of hosts. */
function createPageNaming(scanArguments: ScanArguments): (url: string) => string {
  const settings = z.parse(AdvancedSettings, scanArguments.advanced)
  const siteHost = URL.parse(toSiteUrl(scanArguments, scanArguments.urls[0] ?? ''))?.host ?? ''
  return (url) => toBaselinePage(toSiteUrl(scanArguments, url), settings, siteHost)
}

function namePages(scanArguments: ScanArguments, visits: readonly CollectedPage[]) {
  const toName = createPageNaming(scanArguments)
  return visits.map((visit) => ({ ...visit, name: toName(visit.page.url) }))
}

/** Returns a test for the URLs of pages that have issues in a baseline. */
export function createKnownPageTest(scanArguments: ScanArguments, baseline: Baseline): (url: string) => boolean {
  const knownNames = new Set(baseline.issues.map(({ page }) => page))
  const toName = createPageNaming(scanArguments)
  return (url) => knownNames.has(toName(url))
}

/** Returns the lines of a baseline of a scan, with its results that need review. */
export const writeBaseline = (scanArguments: ScanArguments, { visits }: Scanned): string =>
  formatBaseline(
    scanArguments.ruleSet,
    scanArguments.advanced.driven ?? 'off',
    namePages(scanArguments, visits).flatMap(({ name, findings }) => findings.map((finding) => ({ page: name, finding }))),
  )

const countByPageAndRule = (issues: readonly { page: string; rule: string }[]) =>
  [...Map.groupBy(issues, ({ page, rule }) => `${page} ${rule}`).values()].map((group) => ({
    page: group[0]!.page,
    rule: group[0]!.rule,
    issues: group.length,
  }))

/** Pages of the crawl without a result, those whose content was not seen, and those that were not proved signed in. */
const listUncheckedPages = ({ pages, unchecked }: Report): GateReport['unchecked'] => {
  const uncheckedTargets = new Set(unchecked.map(({ target }) => target))
  return [
    ...unchecked,
    ...pages.flatMap(({ url, failure, status, notices, isProved }) => {
      if (status === 'failed' && failure && !uncheckedTargets.has(url)) return [{ target: url, ...failure }]
      if (isProved === false)
        return [{ target: url, reason: 'not-proved-signed-in', detail: 'Nothing shows that the page was seen signed in' }]
      return hasWall(notices) ? [{ target: url, reason: 'content-not-seen', detail: notices.join(', ') }] : []
    }),
  ]
}

/** Issues of a scan and of a baseline, each with its state. `urls`: pages of the scan by their name in the baseline. */
export type GateComparison = {
  issues: readonly GateIssue[]
  urls: ReadonlyMap<string, string>
  baselineAxe: AxeVersion
  /** Why issues of another release of axe-core could not be told apart. */
  remark?: string
}

/** Compares a scan with a baseline. */
export function compareScan(scanArguments: ScanArguments, { visits }: Scanned, baseline: Baseline): GateComparison {
  const namedVisits = namePages(scanArguments, visits)
  return {
    issues: compareWithBaseline(namedVisits, baseline),
    // Several addresses may share a name. The last one wins: the address of a page that was not joined with another.
    urls: new Map(
      namedVisits
        .toSorted((first, second) => Number(!first.ownVisit) - Number(!second.ownVisit))
        .map(({ name, page }) => [name, page.url]),
    ),
    baselineAxe: baseline.ruleSet.axeVersion,
  }
}

/** A value for each issue of a report, by its finding. */
const mapIssues = <T>({ visits }: Scanned, getValue: (finding: Finding) => T): Map<ReportIssue, T> =>
  new Map(visits.flatMap(({ page, findings }) => page.issues.map((issue, index) => [issue, getValue(findings[index]!)] as const)))

/** States of the issues of a report. */
export function getIssueStates(scanned: Scanned, { issues }: GateComparison): Map<ReportIssue, 'new' | 'known'> {
  const newFindings = new Set(issues.filter(({ state }) => state === 'new').map(({ finding }) => finding))
  return mapIssues(scanned, (finding) => (newFindings.has(finding) ? 'new' : 'known'))
}

/** Identities of the issues of a report in the baseline. */
export function getIssueKeys(scanned: Scanned, { issues }: GateComparison): Map<ReportIssue, string | undefined> {
  const keysByFinding = new Map(issues.map(({ finding, key }) => [finding, key]))
  return mapIssues(scanned, (finding) => keysByFinding.get(finding))
}

/** Known issues that were not checked, with the URLs of their pages on the site. */
export function listUncheckedIssues(scanArguments: ScanArguments, { issues }: GateComparison) {
  const siteOrigin = URL.parse(toSiteUrl(scanArguments, scanArguments.urls[0] ?? ''))?.origin ?? ''
  const { protocol = 'https:' } = URL.parse(siteOrigin) ?? {}
  return issues
    .filter(({ state }) => state === 'not-checked')
    .map(({ page, rule, key, element }) => ({
      url: page.startsWith('//') ? protocol + page : siteOrigin + page,
      rule,
      key,
      element,
    }))
}

const listFailingSeverities = ({ failOn }: Pick<ScanArguments, 'failOn'>): ReadonlySet<Severity> =>
  new Set(Impact.options.slice(0, Impact.options.indexOf(failOn ?? 'minor') + 1))

/** The report with only the issues that fail the gate. */
export const filterFailingIssues = (
  scanArguments: ScanArguments,
  report: Report,
  states: ReadonlyMap<ReportIssue, 'new' | 'known'>,
): Report => {
  const failingSeverities = listFailingSeverities(scanArguments)
  const isFailing = (issue: ReportIssue) => states.get(issue) === 'new' && failingSeverities.has(issue.severity)
  return { ...report, pages: report.pages.map((page) => ({ ...page, issues: page.issues.filter(isFailing) })) }
}

/** Builds the report of a gate. */
export function buildGateReport(scanArguments: ScanArguments, { report }: Scanned, comparison: GateComparison): GateReport {
  const failingSeverities = listFailingSeverities(scanArguments)
  const { issues, urls, baselineAxe } = comparison
  const listIssues = (listedState: GateIssue['state']) =>
    issues.flatMap(({ state, page, finding }): GateIssueReport[] => {
      if (state !== listedState || !finding) return []
      const { rule, severity, help, helpUrl, target, html, fix } = finding
      return [{ url: urls.get(page) ?? page, rule, severity, help, helpUrl, target, html, fix }]
    })
  const newIssues = listIssues('new')
  const axeChangedIssues = listIssues('axe-changed')
  const bySeverity = (left: GateIssueReport, right: GateIssueReport) =>
    Severity.options.indexOf(left.severity) - Severity.options.indexOf(right.severity)
  const failingIssues = newIssues.filter(({ severity }) => failingSeverities.has(severity)).sort(bySeverity)
  const fixedIssues = issues.filter(({ state }) => state === 'fixed')
  const uncheckedIssues = issues.filter(({ state }) => state === 'not-checked')
  return {
    clearway: report.clearway,
    axe: report.axe,
    ruleSet: report.ruleSet,
    failOn: scanArguments.failOn ?? 'minor',
    totals: {
      new: failingIssues.length,
      axeChanged: axeChangedIssues.length,
      known: issues.filter(({ state }) => state === 'known').length,
      fixed: fixedIssues.length,
      notChecked: uncheckedIssues.length,
      pages: report.totals.completed,
    },
    newIssues: failingIssues,
    otherNewIssues: newIssues.filter(({ severity }) => !failingSeverities.has(severity)).sort(bySeverity),
    axeChangedIssues: axeChangedIssues.sort(bySeverity),
    baselineAxe,
    unchecked: listUncheckedPages(report),
    notChecked: countByPageAndRule(uncheckedIssues),
    fixed: countByPageAndRule(fixedIssues),
  }
}

/** Exit code of a gate; new issues come before what is incomplete. */
export function getGateExitCode(gateReport: GateReport, report: Report, failsIfIncomplete: boolean): number {
  if (gateReport.totals.new > 0) return exitCodes.failed
  const { walled: walledCount, unproved: unprovedCount } = report.totals
  if (report.unchecked.length > 0 || walledCount + unprovedCount > 0) return exitCodes.incomplete
  const isIncomplete = gateReport.unchecked.length > 0 || gateReport.totals.notChecked > 0
  return failsIfIncomplete && isIncomplete ? exitCodes.incomplete : exitCodes.success
}
