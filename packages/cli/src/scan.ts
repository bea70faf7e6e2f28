import { homedir } from 'node:os'
import { join } from 'node:path'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { findBrowser } from '@clearway/engine/browser/find-browser.ts'
import { openPool } from '@clearway/engine/browser/pool.ts'
import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { NewEntry } from '@clearway/engine/frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { createPdfAnalysis } from '@clearway/engine/pdf/analyze.ts'
import { scan } from '@clearway/engine/scan.ts'
import { getOrder, type ScanPlan } from '@clearway/engine/settings.ts'
import * as z from 'zod/mini'
import type { ScanArguments } from './arguments.ts'
import type { Baseline } from './baseline.ts'
import { checkFiles, getPdfScope } from './files.ts'
import { createKnownPageTest } from './gate.ts'
import { needsPictures } from './output.ts'
import { formatProgress } from './progress.ts'
import { countAliases, joinAliases } from './alias.ts'
import {
  addSharedTitles,
  buildReport,
  type CollectedPage,
  collectOutcome,
  type CollectPage,
  markRepeatedPages,
  weighPages,
} from './report.ts'
import { type NamedTargets, openNamedTargets } from './named-target.ts'
import type { Report } from './schema.ts'
import { describeMissingSandbox, readSandboxMode } from './sandbox.ts'
import { toLine } from './text-format.ts'

export type ScanResult =
  | {
      kind: 'report'
      report: Report
      /** Visits of its pages, in the order in which they ended. */
      visits: readonly CollectedPage[]
      /** Sentences about the scan as a whole. */
      remarks: string[]
    }
  | { kind: 'nothing'; message: string }

/** Pictures of the issues of a report. */
export const collectPictures = ({ visits }: Pick<Extract<ScanResult, { kind: 'report' }>, 'visits'>) =>
  new Map(
    visits.flatMap(({ page, findings }) =>
      page.issues.flatMap((issue, index) => {
        const picture = findings[index]?.picture
        return picture ? [[issue, picture] as const] : []
      }),
    ),
  )

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** Returns the names under which a site is known: with and without `www.`, and those of this machine. */
function listSiteHosts(startUrl: string): string[] {
  const { hostname, port } = new URL(startUrl)
  const suffix = port === '' ? '' : `:${port}`
  if (loopbackNames.includes(hostname)) return loopbackNames.map((name) => name + suffix)
  if (/^\[|^[\d.]+$/.test(hostname) || !hostname.includes('.')) return [hostname + suffix]
  const bareName = hostname.replace(/^www\./, '')
  return [bareName + suffix, `www.${bareName}${suffix}`]
}

function buildPlan(scanArguments: ScanArguments): ScanPlan {
  const { settings } = scanArguments
  const siteHosts = settings?.domains.length ? settings.domains : scanArguments.urls.flatMap(listSiteHosts)
  const sources = settings?.sources ?? z.parse(Sources, {})
  return {
    urls: scanArguments.urls,
    domains: [...new Set([...siteHosts, ...scanArguments.domains])],
    sources: { ...sources, sitemaps: [...sources.sitemaps, ...scanArguments.sitemaps] },
    ...(settings && {
      includeRules: settings.includeRules,
      excludeRules: settings.excludeRules,
      commonComponents: settings.commonComponents,
      scripts: settings.scripts,
      session: settings.session,
    }),
    ...(scanArguments.signIn && { session: { connection: null, script: null, mark: null, form: scanArguments.signIn } }),
    depth: scanArguments.depth,
    pageLimit: scanArguments.pageLimit,
    ruleSet: scanArguments.ruleSet,
    advanced: z.parse(AdvancedSettings, {
      savePageContent: false,
      mimeTypes: scanArguments.pdf ? ['text/html', 'application/pdf'] : ['text/html'],
      savePictures: needsPictures(scanArguments.outputs),
      pagesAtOnce: Math.min(16, scanArguments.concurrency),
      ...scanArguments.advanced,
    }),
    // The server of a folder listens on this machine only.
    allowPrivate: scanArguments.allowPrivate ? ['all'] : scanArguments.servedFolder === undefined ? [] : ['127.0.0.1/32'],
    concurrency: scanArguments.concurrency,
  }
}

/**
 * Runs a scan without server or database. `progress` receives a status line after each page; null for silence. Excluded
 * URLs that were never opened (other domains, beyond depth or limit) are not part of the report. `baseline`: its pages stand for
 * their other addresses.
 */
export async function runScan(
  scanArguments: ScanArguments,
  version: string,
  signal: AbortSignal,
  writeProgress: ((line: string) => void) | null,
  baseline: Baseline | null = null,
): Promise<ScanResult> {
  const startedAt = new Date()
  const startTime = performance.now()
  const collectedPages: CollectedPage[] = []
  const collectPage: CollectPage = (collectedPage, waitingCount = 0) => {
    collectedPages.push(collectedPage)
    const issueCount = collectedPages.reduce((total, collected) => total + collected.page.issues.length, 0)
    const progress = {
      doneCount: collectedPages.length,
      waitingCount,
      issueCount,
      elapsedMs: performance.now() - startTime,
      url: toLine(collectedPage.page.url),
    }
    writeProgress?.(formatProgress(progress, process.stderr.columns ?? 80))
  }
  const namedTargets = openNamedTargets(scanArguments.urls, z.parse(AdvancedSettings, scanArguments.advanced))
  for (const filePage of await checkFiles(scanArguments, collectPage)) namedTargets.noteFile(filePage)
  const wasTested = baseline ? createKnownPageTest(scanArguments, baseline) : undefined
  const countJoined = () => countAliases(markRepeatedPages(collectedPages), wasTested)
  const crawlDeps = { collectPage, namedTargets, countJoined }
  const crawlResult = scanArguments.urls.length > 0 ? await crawlUrls(scanArguments, signal, crawlDeps) : null
  if (crawlResult?.kind === 'nothing') return crawlResult
  const reportFacts = {
    clearway: version,
    axe: axeVersions[scanArguments.ruleSet.axeVersion],
    ruleSet: scanArguments.ruleSet,
    startedAt,
  }
  const visits = addSharedTitles(joinAliases(markRepeatedPages(collectedPages), wasTested), scanArguments.ruleSet)
  const scanReport = buildReport(
    { ...reportFacts, durationMs: Math.round(performance.now() - startTime) },
    visits.map(({ page }) => page),
    signal.aborted ? [] : namedTargets.listUnchecked(),
    crawlResult?.leftOut.map(({ url }) => url),
    weighPages(visits, crawlResult?.leftOut ?? []),
  )
  const crawlProblem = crawlResult?.problem ?? null
  if (scanReport.totals.completed === 0)
    return {
      kind: 'nothing',
      message: [crawlProblem ?? describeFirstFailure(scanReport), findRemedy(listReasons(scanReport, namedTargets))]
        .filter(Boolean)
        .join('\n'),
    }
  const movedRemarks = namedTargets.listMoved().map(({ from, to }) => `${from} leads to ${to}, which was scanned instead.`)
  return {
    kind: 'report',
    report: scanReport,
    visits,
    remarks: [...movedRemarks, ...(crawlProblem ? [crawlProblem] : [])],
  }
}

/**
 * Scans the URLs with a browser. `problem`: the reason if the scan ended early. `leftOut`: known URLs that the page
 * limit left out.
 */
async function crawlUrls(
  scanArguments: ScanArguments,
  signal: AbortSignal,
  { collectPage, namedTargets, countJoined }: { collectPage: CollectPage; namedTargets: NamedTargets; countJoined: () => number },
): Promise<{ kind: 'nothing'; message: string } | { kind: 'crawled'; problem: string | null; leftOut: NewEntry[] }> {
  const sandboxMode = readSandboxMode(scanArguments.sandbox, process.env.CLEARWAY_SANDBOX)
  if (typeof sandboxMode === 'object') return { kind: 'nothing', message: sandboxMode.wrong }
  const browserLookup = await findBrowser({
    setting: process.env.CLEARWAY_BROWSER ?? null,
    cacheFolder: join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'clearway'),
    sandbox: sandboxMode,
  })
  if (!browserLookup.found) {
    const triedLines = browserLookup.tried.map(
      ({ what: candidateName, why: rejectionReason }) => `  ${candidateName}: ${rejectionReason}`,
    )
    return { kind: 'nothing', message: ['No browser could be started.', ...triedLines, browserLookup.remedy].join('\n') }
  }
  const sandboxWarning = describeMissingSandbox(sandboxMode, browserLookup.facts)
  if (sandboxWarning !== null) process.stderr.write(`${sandboxWarning}\n`)
  const browserPool = await openPool(browserLookup.facts, { pages: scanArguments.concurrency })
  try {
    const scanPlan = buildPlan(scanArguments)
    let recordedCount = 0
    const memoryFrontier = openMemoryFrontier({
      pageLimit: scanArguments.pageLimit,
      order: getOrder(scanPlan),
      onRecorded(claim, outcome: PageOutcome) {
        namedTargets.noteOutcome(claim, outcome)
        const placeCount = Math.max(0, scanArguments.pageLimit - ++recordedCount)
        const waitingCount = Math.min(memoryFrontier.listWaiting().length, placeCount)
        collectPage(collectOutcome(claim.url, outcome, { ...claim, isNamed: claim.foundOn === null }), waitingCount)
      },
      onExcluded: namedTargets.noteExcluded,
      countJoined,
    })
    const analyzePdf = createPdfAnalysis(getPdfScope(scanArguments), needsPictures(scanArguments.outputs))
    const scanEnd = await scan({ pool: browserPool, frontier: memoryFrontier, analyzePdf }, scanPlan, signal)
    const leftOut = scanEnd.kind === 'drained' ? memoryFrontier.listWaiting() : []
    return { kind: 'crawled', problem: scanEnd.kind === 'problem' ? scanEnd.detail : null, leftOut }
  } finally {
    await browserPool.close()
  }
}

/** Remedies for failure reasons that can be fixed by an option. */
const remediesByReason: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'address-refused': 'Private and loopback addresses are scanned with --allow-private only.',
    'timeout-download': 'A slow site may need a longer --page-timeout.',
    robots: 'On a site of your own, --ignore-robots scans what robots.txt forbids.',
    'other-domain': 'Another host of the site is scanned with --domain HOST.',
    'page-limit': 'A higher --page-limit scans more pages.',
  }),
)

/** Returns an option that may help, by the reasons of what was not checked. */
export const findRemedy = (reasons: readonly string[]): string | null =>
  reasons.map((reason) => remediesByReason.get(reason)).find((remedy) => remedy !== undefined) ?? null

const listReasons = (scanReport: Report, namedTargets: NamedTargets): string[] => [
  ...scanReport.pages.flatMap(({ failure }) => failure?.reason ?? []),
  ...namedTargets.listUnchecked().map(({ reason }) => reason),
]

function describeFirstFailure(scanReport: Report): string {
  const failedPage = scanReport.pages.find((reportedPage) => reportedPage.failure)
  return failedPage?.failure
    ? `Nothing could be scanned. ${failedPage.url}: ${failedPage.failure.reason}: ${failedPage.failure.detail}`
    : 'Nothing could be scanned.'
}
