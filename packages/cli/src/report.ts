import { createHash } from 'node:crypto'
import { toComparableUrl } from '@clearway/contract/kit/url-form.ts'
import { getCurrentRule } from '@clearway/contract/monitor/issue/match/model.ts'
import { splitElementKey } from '@clearway/contract/monitor/issue/model.ts'
import { computeHealth, computeScore, countByHealth, isLostSession } from '@clearway/contract/monitor/page/model.ts'
import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import { findRepeatedPages, hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import { mergeSentRequests } from '@clearway/contract/monitor/page/request/model.ts'
import { estimateScoreError, type SiteWeights, sumWeights } from '@clearway/contract/monitor/run/sample/model.ts'
import { computeWeights, countByBucket } from '@clearway/contract/monitor/run/weight/model.ts'
import { groupLeftOut } from '@clearway/contract/monitor/run/left-out/model.ts'
import { DrivenPage } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { listDriveRules } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { buildTitleFinding, findSharedTitles } from '@clearway/contract/monitor/ruleset/title/model.ts'
import type { RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Finding, PageOutcome, PageSignature } from '@clearway/engine/outcome.ts'
import * as z from 'zod/mini'
import type { Report, ReportIssue, ReportPage } from './schema.ts'

/** Identifies an issue by the path of its page, its rule and the location of its element. */
function computeFingerprint({ rule, elementKey, ordinal }: Finding, url: string): string {
  const { pathname = url, search = '' } = URL.parse(url) ?? {}
  const parts = [toComparableUrl(pathname + search), getCurrentRule(rule), splitElementKey(elementKey).location, ordinal]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

function toReportIssue(finding: Finding, url: string): ReportIssue {
  const { rule, impact, severity, help, helpUrl, tags, target, html, fix } = finding
  const engine = finding.engine ?? (rule.startsWith('pdf-') ? 'pdf' : 'axe')
  const fingerprint = computeFingerprint(finding, url)
  return { rule, impact, severity, help, helpUrl, tags, target, html, fix, engine, states: finding.states ?? [], fingerprint }
}

/** Converts an outcome of the engine to a page of the report. */
function buildReportPage(url: string, outcome: PageOutcome): ReportPage {
  const commonFields = {
    url: ('finalUrl' in outcome && outcome.finalUrl) || url,
    durationMs: outcome.durationMs,
    requests: outcome.requests ?? null,
    aliases: [],
  }
  switch (outcome.kind) {
    case 'completed':
      return {
        ...commonFields,
        title: outcome.title,
        status: 'completed',
        failure: null,
        health: outcome.health,
        notices: [...new Set(outcome.notices)],
        detail: outcome.detail ?? null,
        likelyWall: hasWall(outcome.notices) ? (outcome.evidence?.likelyWall ?? null) : null,
        isProved: outcome.isProved ?? null,
        driven: outcome.driven ? z.parse(DrivenPage, outcome.driven) : null,
        issues: outcome.findings.map((finding) => toReportIssue(finding, commonFields.url)),
      }
    case 'failed':
    case 'excluded':
      return {
        ...commonFields,
        url,
        title: null,
        status: outcome.kind,
        failure: { reason: outcome.reason, detail: outcome.detail },
        health: null,
        notices: [],
        detail: null,
        likelyWall: null,
        isProved: isLostSession(outcome) ? false : null,
        driven: null,
        issues: [],
      }
    default:
      return outcome satisfies never
  }
}

/** A page of the report, with the evidence and the findings of its visit, which the report does not contain. */
export type CollectedPage = {
  page: ReportPage
  evidence: PageEvidence | null
  findings: readonly Finding[]
  signature: PageSignature | null
  /** Named on the command line. */
  isNamed: boolean
  /** Part of the random share of the scan. */
  isRandom: boolean
  /** `Bucket` as text, in the representative order. */
  bucket: string | null
  /** For a page that counts as another one: its own result. */
  ownVisit?: CollectedPage
}

/** @param waitingCount pages that are known and not done */
export type CollectPage = (visit: CollectedPage, waitingCount?: number) => void

/** Converts an outcome of the engine. */
export function collectOutcome(
  url: string,
  outcome: PageOutcome,
  { isNamed, isRandom = false, bucket = null }: { isNamed: boolean; isRandom?: boolean; bucket?: string | null },
): CollectedPage {
  const { evidence = null, findings = [], signature = null } = outcome.kind === 'completed' ? outcome : {}
  return { page: buildReportPage(url, outcome), evidence, findings, signature, isNamed, isRandom, bucket }
}

/** Adds the findings of titles that driven pages share: like on the server, at the end. */
export function addSharedTitles(collectedPages: readonly CollectedPage[], ruleSet: RuleSet): readonly CollectedPage[] {
  if (!listDriveRules(ruleSet.standard).includes('drive-site-titles')) return collectedPages
  const titledPages = collectedPages.flatMap((collected) => {
    const { page, evidence, signature } = collected
    const content = signature?.isSeparate ? null : (signature?.content ?? null)
    return page.driven && page.health !== null && evidence ? [{ url: page.url, content, evidence, collected }] : []
  })
  const findingsByPage = new Map(
    findSharedTitles(titledPages).map((sharedTitle): [CollectedPage, Finding] => [
      sharedTitle.page.collected,
      buildTitleFinding(sharedTitle),
    ]),
  )
  return collectedPages.map((collected) => {
    const finding = findingsByPage.get(collected)
    if (!finding) return collected
    const { page, findings } = collected
    const issues = [...page.issues, toReportIssue(finding, page.url)]
    const health = computeHealth(issues.map(({ severity }) => severity))
    return { ...collected, page: { ...page, issues, health }, findings: [...findings, finding] }
  })
}

/** Marks the pages that show the same text on several URLs: like on the server, they have no health. */
export function markRepeatedPages(collectedPages: readonly CollectedPage[]): CollectedPage[] {
  const repeatablePages = collectedPages.flatMap(({ page, evidence, signature }) =>
    evidence ? [{ page, evidence, url: page.url, ...evidence, canonical: signature?.canonical ?? null }] : [],
  )
  const completedCount = collectedPages.filter(({ page }) => page.status === 'completed').length
  const repeatedPages = new Map(findRepeatedPages(repeatablePages, completedCount).map(({ page, evidence }) => [page, evidence]))
  return collectedPages.map((visit) => {
    const { page } = visit
    const evidence = repeatedPages.get(page)
    if (!evidence) return visit
    const notices = [...new Set([...page.notices, 'same-as-other-pages' as const])]
    return { ...visit, page: { ...page, health: null, notices, likelyWall: evidence.likelyWall } }
  })
}

/** Number of pages that are part of the score. */
export const countScoredPages = ({ pages }: Pick<Report, 'pages'>): number => pages.filter(({ health }) => health !== null).length

/** Random pages of a limited scan, and the weights of all for the error of its score; null if nothing was left out. */
type SiteSample = { randomPages: readonly ReportPage[]; weights: SiteWeights | null }

/** Computes how many known URLs each page of a limited scan stands for. */
export function weighPages(visits: readonly CollectedPage[], leftOut: readonly { bucket?: string | null }[]): SiteSample {
  const leftOutCounts = countByBucket(leftOut.flatMap(({ bucket }) => bucket ?? []))
  const weights = computeWeights(
    visits.map(({ bucket }) => bucket ?? ''),
    leftOutCounts,
  )
  const scored = visits.flatMap(({ page: { health } }, index) => (health === null ? [] : [{ health, weight: weights[index]! }]))
  return {
    randomPages: visits.filter(({ isRandom }) => isRandom).map(({ page }) => page),
    weights: leftOutCounts.size === 0 ? null : sumWeights(scored),
  }
}

/** Builds the report with its totals. Pages are sorted by URL, so that two reports can be compared line by line. */
export function buildReport(
  reportFacts: { clearway: string; axe: string; ruleSet: RuleSet; startedAt: Date; durationMs: number },
  pages: readonly ReportPage[],
  unchecked: Report['unchecked'] = [],
  leftOutUrls: readonly string[] = [],
  { randomPages, weights }: SiteSample = { randomPages: [], weights: null },
): Report {
  const pagesByHealth = countByHealth(pages.map(({ health }) => health))
  const countPages = (status: ReportPage['status']) => pages.filter((reportPageEntry) => reportPageEntry.status === status).length
  return {
    clearway: reportFacts.clearway,
    axe: reportFacts.axe,
    ruleSet: reportFacts.ruleSet,
    startedAt: reportFacts.startedAt.toISOString(),
    durationMs: reportFacts.durationMs,
    score: computeScore(pagesByHealth),
    sample: estimateScoreError(pagesByHealth, countByHealth(randomPages.map(({ health }) => health)), weights),
    totals: {
      pages: pages.length,
      completed: countPages('completed'),
      walled: pages.filter(({ notices }) => hasWall(notices)).length,
      proved: pages.filter(({ isProved }) => isProved === true).length,
      unproved: pages.filter(({ isProved }) => isProved === false).length,
      failed: countPages('failed'),
      excluded: countPages('excluded'),
      overLimit: leftOutUrls.length,
      driven: pages.filter(({ driven }) => driven?.level === 'full').length,
      drivenInPart: pages.filter(({ driven }) => driven?.isPartial).length,
      issues: pages.reduce((issueCount, reportPageEntry) => issueCount + reportPageEntry.issues.length, 0),
    },
    leftOut: groupLeftOut(leftOutUrls).patterns,
    requests: mergeSentRequests(pages.flatMap(({ requests }) => requests ?? [])),
    pages: [...pages].sort((firstPage, secondPage) =>
      firstPage.url < secondPage.url ? -1 : firstPage.url > secondPage.url ? 1 : 0,
    ),
    unchecked,
  }
}
