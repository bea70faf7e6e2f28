import { homedir } from 'node:os'
import { join } from 'node:path'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { findBrowser } from '@clearway/engine/browser/find-browser.ts'
import { openPool } from '@clearway/engine/browser/pool.ts'
import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { createPdfAnalysis } from '@clearway/engine/pdf/analyze.ts'
import { scan } from '@clearway/engine/scan.ts'
import type { ScanPlan } from '@clearway/engine/settings.ts'
import * as z from 'zod/mini'
import type { ScanArguments } from './arguments.ts'
import { checkFiles, getPdfScope } from './files.ts'
import { buildReport, buildReportPage, type CollectedPage, markRepeatedPages } from './report.ts'
import type { Report, ReportPage } from './schema.ts'

export type ScanResult = { kind: 'report'; report: Report; warning: string | null } | { kind: 'nothing'; message: string }

function buildPlan(scanArguments: ScanArguments): ScanPlan {
  return {
    urls: scanArguments.urls,
    domains: [...new Set(scanArguments.urls.map((startUrl) => new URL(startUrl).host))],
    depth: scanArguments.depth,
    pageLimit: scanArguments.pageLimit,
    ruleSet: scanArguments.ruleSet,
    advanced: z.parse(AdvancedSettings, {
      savePageContent: false,
      mimeTypes: scanArguments.pdf ? ['text/html', 'application/pdf'] : ['text/html'],
      savePictures: false,
      pagesAtOnce: Math.min(16, scanArguments.concurrency),
      ...scanArguments.advanced,
    }),
    allowPrivate: scanArguments.allowPrivate ? ['all'] : [],
    concurrency: scanArguments.concurrency,
  }
}

/**
 * Runs a scan without server or database. `progress` receives a status line after each page; null for silence. Excluded
 * URLs that were never opened (other domains, beyond depth or limit) are not part of the report.
 */
export async function runScan(
  scanArguments: ScanArguments,
  version: string,
  signal: AbortSignal,
  writeProgress: ((line: string) => void) | null,
): Promise<ScanResult> {
  const startedAt = new Date()
  const startTime = performance.now()
  const collectedPages: CollectedPage[] = []
  const collectPage = (page: ReportPage, evidence: PageEvidence | null = null) => {
    collectedPages.push({ page, evidence })
    const issueCount = collectedPages.reduce((total, collected) => total + collected.page.issues.length, 0)
    writeProgress?.(
      `${collectedPages.length} pages, ${issueCount} issues, ${page.url}`.slice(0, (process.stderr.columns ?? 80) - 1),
    )
  }
  await checkFiles(scanArguments, collectPage)
  const crawlResult = scanArguments.urls.length > 0 ? await crawlUrls(scanArguments, signal, collectPage) : null
  if (crawlResult?.kind === 'nothing') return crawlResult
  const reportFacts = {
    clearway: version,
    axe: axeVersions[scanArguments.ruleSet.axeVersion],
    ruleSet: scanArguments.ruleSet,
    startedAt,
  }
  const scanReport = buildReport(
    { ...reportFacts, durationMs: Math.round(performance.now() - startTime) },
    markRepeatedPages(collectedPages),
  )
  const crawlProblem = crawlResult?.problem ?? null
  if (scanReport.totals.completed === 0)
    return {
      kind: 'nothing',
      message: [crawlProblem ?? describeFirstFailure(scanReport), findRemedy(scanReport)].filter(Boolean).join('\n'),
    }
  return { kind: 'report', report: scanReport, warning: crawlProblem }
}

/** Scans the URLs with a browser; `problem` is the reason if the scan ended early. */
async function crawlUrls(
  scanArguments: ScanArguments,
  signal: AbortSignal,
  collectPage: (page: ReportPage, evidence: PageEvidence | null) => void,
): Promise<{ kind: 'nothing'; message: string } | { kind: 'crawled'; problem: string | null }> {
  const browserLookup = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'clearway'),
    sandbox: scanArguments.sandbox,
  })
  if (!browserLookup.found) {
    const triedLines = browserLookup.tried.map(
      ({ what: candidateName, why: rejectionReason }) => `  ${candidateName}: ${rejectionReason}`,
    )
    return { kind: 'nothing', message: ['No browser could be started.', ...triedLines, browserLookup.remedy].join('\n') }
  }
  const browserPool = await openPool(browserLookup.facts, { pages: scanArguments.concurrency })
  try {
    const memoryFrontier = openMemoryFrontier({
      pageLimit: scanArguments.pageLimit,
      onRecorded: (claim, outcome: PageOutcome) =>
        collectPage(buildReportPage(claim.url, outcome), (outcome.kind === 'completed' && outcome.evidence) || null),
    })
    const analyzePdf = createPdfAnalysis(getPdfScope(scanArguments), false)
    const scanEnd = await scan({ pool: browserPool, frontier: memoryFrontier, analyzePdf }, buildPlan(scanArguments), signal)
    return { kind: 'crawled', problem: scanEnd.kind === 'problem' ? scanEnd.detail : null }
  } finally {
    await browserPool.close()
  }
}

/** Remedies for failure reasons that can be fixed by an option. */
const remediesByReason: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'address-refused': 'Private and loopback addresses are scanned with --allow-private only.',
    'timeout-download': 'A slow site may need a longer --page-timeout.',
  }),
)

function findRemedy(scanReport: Report): string | null {
  return (
    scanReport.pages
      .map((reportedPage) => remediesByReason.get(reportedPage.failure?.reason ?? ''))
      .find((pageRemedy) => pageRemedy !== undefined) ?? null
  )
}

function describeFirstFailure(scanReport: Report): string {
  const failedPage = scanReport.pages.find((reportedPage) => reportedPage.failure)
  return failedPage?.failure
    ? `Nothing could be scanned. ${failedPage.url}: ${failedPage.failure.reason}: ${failedPage.failure.detail}`
    : 'Nothing could be scanned.'
}
