import { homedir } from 'node:os'
import { join } from 'node:path'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { findBrowser } from '@clearway/engine/browser/find.ts'
import { openPool } from '@clearway/engine/browser/pool.ts'
import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { pdfChecker } from '@clearway/engine/pdf/checker.ts'
import { scan } from '@clearway/engine/scan.ts'
import type { ScanPlan } from '@clearway/engine/settings.ts'
import * as z from 'zod/mini'
import type { ScanArguments } from './arguments.ts'
import { checkFiles, scopeOf } from './files.ts'
import { buildReport, reportPage } from './report.ts'
import type { Report, ReportPage } from './schema.ts'

export type ScanResult =
  { kind: 'report'; report: Report; warning: string | null } | { kind: 'nothing'; message: string }

function planOf(args: ScanArguments): ScanPlan {
  return {
    urls: args.urls,
    domains: [...new Set(args.urls.map((u) => new URL(u).host))],
    depth: args.depth,
    pageLimit: args.pageLimit,
    ruleSet: args.ruleSet,
    advanced: z.parse(AdvancedSettings, {
      savePageContent: false,
      mimeTypes: args.pdf ? ['text/html', 'application/pdf'] : ['text/html'],
      savePictures: false,
      pagesAtOnce: Math.min(16, args.concurrency),
      ...args.advanced,
    }),
    allowPrivate: args.allowPrivate ? ['all'] : [],
    concurrency: args.concurrency,
  }
}

/**
 * Scans, without server or database. `progress` gets a line to show after each page, null for silence.
 * Excluded URLs that were never opened (other domains, beyond depth or limit) are not pages of the report.
 */
export async function runScan(
  args: ScanArguments,
  version: string,
  signal: AbortSignal,
  progress: ((line: string) => void) | null,
): Promise<ScanResult> {
  const startedAt = new Date()
  const began = performance.now()
  const pages: ReportPage[] = []
  const take = (page: ReportPage) => {
    pages.push(page)
    const issues = pages.reduce((n, p) => n + p.issues.length, 0)
    progress?.(
      `${pages.length} pages, ${issues} issues, ${page.url}`.slice(0, (process.stderr.columns ?? 80) - 1),
    )
  }
  await checkFiles(args, take)
  const crawled = args.urls.length > 0 ? await crawl(args, signal, take) : null
  if (crawled?.kind === 'nothing') return crawled
  const facts = {
    clearway: version,
    axe: axeVersions[args.ruleSet.axeVersion],
    ruleSet: args.ruleSet,
    startedAt,
  }
  const report = buildReport({ ...facts, durationMs: Math.round(performance.now() - began) }, pages)
  const problem = crawled?.problem ?? null
  if (report.totals.completed === 0)
    return {
      kind: 'nothing',
      message: [problem ?? firstFailure(report), remedyFor(report)].filter(Boolean).join('\n'),
    }
  return { kind: 'report', report, warning: problem }
}

/** Scans the URLs with a browser; `problem` is what kept the scan from its end. */
async function crawl(
  args: ScanArguments,
  signal: AbortSignal,
  take: (page: ReportPage) => void,
): Promise<{ kind: 'nothing'; message: string } | { kind: 'crawled'; problem: string | null }> {
  const browser = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'clearway'),
    sandbox: args.sandbox,
  })
  if (!browser.found) {
    const tried = browser.tried.map(({ what, why }) => `  ${what}: ${why}`)
    return { kind: 'nothing', message: ['No browser could be started.', ...tried, browser.remedy].join('\n') }
  }
  const pool = await openPool(browser.facts, { pages: args.concurrency })
  try {
    const frontier = openMemoryFrontier({
      pageLimit: args.pageLimit,
      onRecorded: (claim, outcome: PageOutcome) => take(reportPage(claim.url, outcome)),
    })
    const checkPdf = pdfChecker(scopeOf(args), false)
    const end = await scan({ pool, frontier, checkPdf }, planOf(args), signal)
    return { kind: 'crawled', problem: end.kind === 'problem' ? end.detail : null }
  } finally {
    await pool.close()
  }
}

/** What to do about the reasons that have an option of ours. */
const remedies: Partial<Record<string, string>> = {
  'address-refused': 'Private and loopback addresses are scanned with --allow-private only.',
  'timeout-download': 'A slow site may need a longer --page-timeout.',
}

function remedyFor(report: Report): string | null {
  return (
    report.pages.map((p) => remedies[p.failure?.reason ?? '']).find((remedy) => remedy !== undefined) ?? null
  )
}

function firstFailure(report: Report): string {
  const failed = report.pages.find((p) => p.failure)
  return failed?.failure
    ? `Nothing could be scanned. ${failed.url}: ${failed.failure.reason}: ${failed.failure.detail}`
    : 'Nothing could be scanned.'
}
