import { createHash } from 'node:crypto'
import { matchIssues } from '@clearway/contract/monitor/issue/match/model.ts'
import { type KnownIssue, normalizeSnippet } from '@clearway/contract/monitor/issue/match-candidate/model.ts'
import { readPageUrl, type PageUrlSettings } from '@clearway/contract/monitor/page/url/model.ts'
import { provesAbsence } from '@clearway/contract/monitor/page/proof/model.ts'
import { type DriveMode, driveModes } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { axeVersions, RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { consentDialogFragment } from '@clearway/engine/crawl/banner/analyze-banner.ts'
import type { Finding } from '@clearway/engine/outcome.ts'
import * as z from 'zod/mini'
import type { CollectedPage } from './report.ts'
import type { ReportPage } from './schema.ts'

/** First line of a baseline: version of the form, and the rules by which its issues were found. */
const BaselineHeader = z.strictObject({
  clearwayBaseline: z.literal(1),
  ruleSet: RuleSet,
  /** Exact version of axe-core. Older files do not name it. */
  axeRelease: z.optional(z.string().check(z.regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/))),
  /** Pages that were driven by keyboard and mouse; absent for none, and in older files. */
  driven: z.optional(z.enum(driveModes)),
})
const BaselineIssue = z.strictObject({
  /** Path and query of the page; with the host for another host than that of the first start URL. */
  page: z.string().check(z.minLength(1), z.maxLength(5000)),
  rule: z.string().check(z.minLength(1), z.maxLength(200)),
  /** Identity of the element: its location and hashes of its traits. */
  element: z.string().check(z.maxLength(10_000)),
  /** Position among elements with the same location. */
  position: z.int().check(z.minimum(0)),
  /** Markup without values that change: ids, classes, numbers, hosts. */
  html: z.string().check(z.maxLength(10_000)),
})
export type BaselineIssue = z.output<typeof BaselineIssue>

/** Known issues of a site, without dates, counts and the site's host. */
export type Baseline = {
  ruleSet: RuleSet
  axeRelease?: string | undefined
  driven?: DriveMode | undefined
  issues: readonly BaselineIssue[]
}

/** The baseline cannot be used; the message says why. */
export class BaselineError extends Error {}

const maxHtmlLength = 600
const maxLines = 1_000_000

/** Returns the name of a page in a baseline: its key without the host of the site. */
export function toBaselinePage(url: string, settings: PageUrlSettings, siteHost: string): string {
  const pageUrl = readPageUrl(url, settings)
  if (!pageUrl.ok) return url
  const keyUrl = new URL(pageUrl.key)
  // A consent dialog is no part of the page that showed it, although fragments may not tell pages apart.
  const fragment = url.endsWith(consentDialogFragment) ? consentDialogFragment : keyUrl.hash
  const path = `${keyUrl.pathname}${keyUrl.search}${fragment}`
  return keyUrl.host === siteHost ? path : `//${keyUrl.host}${path}`
}

/** Markup in the form of a baseline. */
export const toBaselineHtml = (html: string): string =>
  normalizeSnippet(html.replaceAll(/https?:\/\/[^/"'\s<>]+/gi, '')).slice(0, maxHtmlLength)

/** A finding with the page that it is on. */
type PageFinding = { page: string; finding: Finding }

const toBaselineIssue = ({ page, finding }: PageFinding): BaselineIssue => ({
  page,
  rule: finding.rule,
  element: finding.elementKey,
  position: finding.ordinal,
  html: toBaselineHtml(finding.html),
})

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Writes a baseline: one issue per line, sorted, so that two of an unchanged site are equal and changes merge line by line. */
export function formatBaseline(ruleSet: RuleSet, driven: DriveMode, findings: readonly PageFinding[]): string {
  const header: z.output<typeof BaselineHeader> = {
    clearwayBaseline: 1,
    ruleSet,
    axeRelease: axeVersions[ruleSet.axeVersion],
    ...(driven !== 'off' && { driven }),
  }
  const lines = findings.map((finding) => JSON.stringify(toBaselineIssue(finding)))
  return [JSON.stringify(header), ...new Set(lines.sort(compareTexts)), ''].join('\n')
}

const parseLine = <T>(schema: z.ZodMiniType<T>, line: string): T | null => {
  try {
    const parsed = z.safeParse(schema, JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Reads a baseline. @throws BaselineError with the first line that is none */
export function parseBaseline(text: string, file: string): Baseline {
  const [headerLine = '', ...lines] = text.replaceAll('\r\n', '\n').split('\n')
  const header = parseLine(BaselineHeader, headerLine)
  if (!header) throw new BaselineError(`${file} is not a baseline of this version: write it with clearway baseline.`)
  if (lines.length > maxLines) throw new BaselineError(`${file} has more than ${maxLines} lines.`)
  const seenLines = new Set<string>()
  const issues = lines.flatMap((line, index) => {
    // A merge may leave a line twice.
    if (line.trim() === '' || seenLines.has(line)) return []
    seenLines.add(line)
    const issue = parseLine(BaselineIssue, line)
    if (!issue) throw new BaselineError(`${file}, line ${index + 2}: not an issue of a baseline. Was a merge left unfinished?`)
    return [issue]
  })
  return { ruleSet: header.ruleSet, axeRelease: header.axeRelease, driven: header.driven, issues }
}

/** An issue of a baseline or of the scan, compared with the other. `axe-changed`: new only by another version of axe-core. */
export type GateIssue = {
  page: string
  rule: string
  state: 'new' | 'axe-changed' | 'known' | 'fixed' | 'not-checked'
  /** Identity in the baseline, or in the scan for a new issue. */
  key: string
  /** Name of the element. */
  element: string
  finding: Finding | null
}

const getPath = (page: string): string =>
  page.split(/[?#]/, 1)[0]! + (page.endsWith(consentDialogFragment) ? consentDialogFragment : '')

/**
 * Names each page of the scan as in the baseline. A page that the baseline lacks stands for one that the scan did not meet, if
 * only parameters and fragment tell them apart and no other page has the path.
 */
function findBaselineNames(pages: ReadonlySet<string>, baselinePages: ReadonlySet<string>): Map<string, string> {
  const metOnly = Map.groupBy(
    [...pages].filter((page) => !baselinePages.has(page)),
    getPath,
  )
  const missingOnly = Map.groupBy(
    [...baselinePages].filter((page) => !pages.has(page)),
    getPath,
  )
  const names = new Map([...pages].map((page) => [page, page]))
  for (const [path, [metPage, ...otherMet]] of metOnly) {
    const [missingPage, ...otherMissing] = missingOnly.get(path) ?? []
    if (missingPage !== undefined && otherMet.length === 0 && otherMissing.length === 0) names.set(metPage!, missingPage)
  }
  return names
}

const toKnownIssue = (issue: BaselineIssue, index: number): KnownIssue => ({
  id: String(index),
  identity: `${issue.rule} ${issue.element} ${issue.position}`,
  rule: issue.rule,
  elementKey: issue.element,
  html: issue.html,
  // Any element may take the place of a known one: no decision lands on another one.
  ignored: false,
  present: true,
})

/** Identity of an issue, without its host. */
const computeKey = ({ page, rule, element, position }: BaselineIssue): string =>
  createHash('sha256')
    .update(JSON.stringify([page, rule, element, position]))
    .digest('hex')
    .slice(0, 32)

/** Name of the element at the beginning of markup. */
export const getElementName = (html: string): string => /^<([a-z][\w-]{0,60})/i.exec(html)?.[1]?.toLowerCase() ?? 'document'

const getIdentity = (issue: BaselineIssue) => ({
  page: issue.page,
  rule: issue.rule,
  key: computeKey(issue),
  element: getElementName(issue.html),
})

/** Compares the findings of a page with its known issues. */
function comparePage(
  page: string,
  findings: readonly Finding[],
  knownIssues: readonly BaselineIssue[],
  isFixed: (elementKey: string) => boolean,
): GateIssue[] {
  const matches = matchIssues(
    knownIssues.map(toKnownIssue),
    findings.map((finding) => {
      const { element, position, html } = toBaselineIssue({ page, finding })
      return {
        identity: `${finding.rule} ${element} ${position}`,
        rule: finding.rule,
        elementKey: element,
        ordinal: position,
        html,
      }
    }),
  )
  const matchedIndexes = new Set(matches.map((match) => match && Number(match.id)))
  return [
    ...findings.map((finding, index): GateIssue => {
      const match = matches[index]
      const identity = getIdentity(match ? knownIssues[Number(match.id)]! : toBaselineIssue({ page, finding }))
      return { ...identity, page, rule: finding.rule, state: match ? 'known' : 'new', finding }
    }),
    ...knownIssues
      .filter((_, index) => !matchedIndexes.has(index))
      .map((issue): GateIssue => ({
        ...getIdentity(issue),
        page,
        state: isFixed(issue.element) ? 'fixed' : 'not-checked',
        finding: null,
      })),
  ]
}

/**
 * Returns true if a page shows that an issue is not there: its place was seen whole, and as the signed-in user if the scan signs in.
 */
export const isSeenWithout = (
  { status, isProved, notices }: Pick<ReportPage, 'status' | 'isProved' | 'notices'>,
  elementKey: string,
): boolean => status === 'completed' && isProved !== false && provesAbsence(notices, elementKey)

/**
 * Compares a scan with a baseline by the method that recognizes issues between two runs. An issue is fixed only if its page was
 * seen whole; the issues of a page that failed, was not met or shows something else were not checked. A page that counts as another
 * one is compared if the baseline has issues of it.
 */
export function compareWithBaseline(visits: readonly (CollectedPage & { name: string })[], baseline: Baseline): GateIssue[] {
  const knownByPage = Map.groupBy(baseline.issues, ({ page }) => page)
  // Two addresses of a page may have one name, for example with http and https: then the page that stands for them is compared.
  const completedNames = new Set(visits.flatMap(({ name, page }) => (page.status === 'completed' ? name : [])))
  const joinedVisits = visits.filter(({ name, ownVisit }) => ownVisit && !completedNames.has(name))
  const completedVisits = [
    ...visits.filter(({ page }) => page.status === 'completed'),
    ...joinedVisits.flatMap((visit) => (knownByPage.has(visit.name) ? { ...visit, ...visit.ownVisit } : [])),
  ]
  const visitsByName = Map.groupBy(completedVisits, ({ name }) => name)
  const joinedNames = new Set(joinedVisits.map(({ name }) => name))
  const baselineNames = findBaselineNames(new Set(visitsByName.keys()), new Set(knownByPage.keys()))
  const comparedPages = new Set(baselineNames.values())
  const comparedIssues = [...visitsByName].flatMap(([name, pageVisits]) =>
    comparePage(
      name,
      pageVisits.flatMap(({ findings }) => findings),
      knownByPage.get(baselineNames.get(name)!) ?? [],
      (elementKey) => pageVisits.every(({ page }) => isSeenWithout(page, elementKey)),
    ),
  )
  // The page that stands for a joined one reports the new issues of both.
  const reportedIssues = comparedIssues.filter(({ page, state }) => state !== 'new' || !joinedNames.has(page))
  const uncheckedIssues = baseline.issues
    .filter(({ page }) => !comparedPages.has(page))
    .map((issue): GateIssue => ({ ...getIdentity(issue), state: 'not-checked', finding: null }))
  return [...reportedIssues, ...uncheckedIssues]
}
