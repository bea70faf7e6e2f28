import { openHeaderSecrets } from './script/secret.ts'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import * as z from 'zod/mini'
import { openPictureCache } from './axe/screenshots.ts'
import { buildAxeOptions, loadAxeScript } from './axe/version.ts'
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialer } from './guard/dial.ts'
import { openGuard, type Guard } from './guard/guard.ts'
import type { Browsing } from './browser/instance.ts'
import type { BrowserPool } from './browser/pool.ts'
import type { ScanContext } from './crawl/context.ts'
import { openFetch, type FetchFile, type FetchText, type Sender } from './guard/fetch.ts'
import { openPace } from './crawl/pace.ts'
import { openReuse } from './crawl/reuse/reuse.ts'
import { openExtraPages } from './crawl/visit/extra-pages.ts'
import { openPdfVisit } from './crawl/visit/pdf.ts'
import { openWallLog } from './crawl/visit/wall-log.ts'
import { openBannerLog } from './crawl/banner/banner-log.ts'
import { openRobots, robotName } from './crawl/robots/robots.ts'
import { openActingRule, type ActingRule } from './crawl/action/rule.ts'
import { openGlobRules } from './crawl/scope/url-rules.ts'
import { openScope, type RunScope, type Scope } from './crawl/scope/scope.ts'
import { sitemapLimits } from './crawl/sitemap/budget.ts'
import { openContentLog } from './crawl/scope/trap.ts'
import { openTrust } from './crawl/scope/trust.ts'
import { buildTabScripts } from './crawl/visit/tab-scripts.ts'
import { openDriveLog } from './drive/log.ts'
import { openDriveTabs } from './drive/tabs.ts'
import type { Frontier } from './frontier.ts'
import { type AnalyzePdf, buildPdfScope, createPdfAnalysis } from './pdf/analyze.ts'
import { openBrowserFetch } from './session/browser-fetch.ts'
import { openSender } from './session/identity.ts'
import type { BrowserSessions } from './session/browser-sessions.ts'
import { openSessionDoubts } from './session/doubt.ts'
import type { SessionExchange } from './session/share.ts'
import { openSession, type OpenedSession, type OpenProblem } from './session/open.ts'
import { findSettingsFault, getSentHeaders } from './settings-check.ts'
import { getOrder, type ScanPlan } from './settings.ts'

export type ScanDeps = {
  pool: BrowserPool
  frontier: Frontier
  log?: (entry: { level: 'info' | 'warn'; message: string; url?: string }) => void
  /** Other processes that work on the same run, and use the same session. */
  sessionExchange?: SessionExchange
  /** Receives patterns of links that ended the scan's session, which later runs leave out. */
  onSignOutLearned?: (pattern: string) => Promise<void>
  /** Checks PDFs instead of the engine's own check by the plan's rule set. */
  analyzePdf?: AnalyzePdf
  /** False: opens pages for their links only. */
  analyze?: boolean
}

/** The resources of a run, or the reason why it cannot start. */
export type OpenedScan = { kind: 'open'; context: ScanContext; guard: Guard; close: () => Promise<void> } | OpenProblem

/** Fetches through the browser for sign-ins that require it, otherwise directly. */
function chooseFetch(
  plan: ScanPlan,
  isTrusted: (url: URL) => boolean,
  directFetchers: { fetchText: FetchText; fetchFile: FetchFile },
  fetchViaBrowser: FetchFile,
): { fetchText: FetchText; fetchFile: FetchFile } {
  const authType = plan.session?.connection?.authType
  if (authType !== 'ntlm' && authType !== 'ntlm_ss' && authType !== 'kerberos') return directFetchers
  const isTrustedUrl = (url: string): boolean => {
    const parsedUrl = URL.parse(url)
    return parsedUrl !== null && isTrusted(parsedUrl)
  }
  return {
    fetchFile: (url, maxBytes) => (isTrustedUrl(url) ? fetchViaBrowser(url, maxBytes) : directFetchers.fetchFile(url, maxBytes)),
    async fetchText(url, userAgent) {
      if (!isTrustedUrl(url)) return directFetchers.fetchText(url, userAgent)
      const fetchedFile = await fetchViaBrowser(url, 512 * 1024)
      return fetchedFile.ok
        ? { ok: true, url: fetchedFile.url, status: fetchedFile.status, text: fetchedFile.bytes.toString('utf8') }
        : { ok: false, reason: fetchedFile.reason, why: fetchedFile.detail }
    },
  }
}

function buildDiscoverContext(
  plan: ScanPlan,
  robots: ScanContext['robots'],
  scope: Scope,
  acting: ActingRule,
): ScanContext['discover'] {
  const { findMatch: findOpenTrap } = openGlobRules(plan.advanced.trapUrlsToOpen)
  return {
    scope,
    robots,
    settings: plan.advanced,
    depth: plan.depth,
    sources: plan.sources ?? z.parse(Sources, {}),
    templateUrls: plan.commonComponents?.templateUrls ?? [],
    alwaysTested: plan.advanced.alwaysTested,
    opensTrap: (url) => findOpenTrap(url.href) !== null,
    scripts: (plan.scripts ?? []).map(({ name }) => name),
    acting,
    contents: openContentLog(),
    order: getOrder(plan),
    followForms: plan.advanced.followForms,
    sitemaps: { ...sitemapLimits },
  }
}

function buildVisitContext(
  scanDeps: ScanDeps,
  plan: ScanPlan,
  guard: Guard,
  {
    scope,
    acting,
    signIn,
    fetchFile,
    fetchText,
  }: Pick<ScanContext['visit'], 'scope' | 'acting' | 'signIn'> & {
    fetchFile: FetchFile
    fetchText: FetchText
  },
): ScanContext['visit'] {
  const settingsFault = findSettingsFault(plan)
  // If the rules are missing, every page fails before it needs them.
  const effectiveRuleSet = settingsFault === null || settingsFault.reason === 'invalid-header' ? plan.ruleSet : defaultRuleSet
  return {
    plan,
    guard,
    script: loadAxeScript(effectiveRuleSet.axeVersion),
    axe: buildAxeOptions(effectiveRuleSet),
    pictureCache: plan.advanced.savePictures ? openPictureCache() : null,
    contentBytes: defaultLimits.pageContentBytes,
    headerSecrets: openHeaderSecrets(getSentHeaders(plan.advanced)),
    plainRequest: { fetchText, userAgent: plan.advanced.userAgent ?? robotName },
    notices: scanDeps.pool.facts.limitedFonts ? ['embedded-browser-fonts'] : [],
    scope,
    separatePages: openGlobRules(plan.advanced.separatePages).findMatch,
    acting,
    fault: settingsFault,
    analyze: scanDeps.analyze ?? true,
    mark: plan.session?.mark ?? null,
    signIn,
    reuse: openReuse(plan, scanDeps.pool.facts.version),
    banners: openBannerLog(),
    drive: openDriveLog(plan.advanced.driven),
    driveTabs: openDriveTabs(scanDeps.pool),
    walls: openWallLog(),
    doubts: openSessionDoubts({ pool: scanDeps.pool, guard, plan, acting }),
    scriptMoves: new Map(),
    pdf: openPdfVisit({
      fetchFile,
      analyzePdf: scanDeps.analyzePdf ?? createPdfAnalysis(buildPdfScope(effectiveRuleSet), plan.advanced.savePictures),
      admit: (maxPdfs) => scanDeps.frontier.admitPdf(maxPdfs),
    }),
  }
}

/** Opens the rule of look-only mode: URLs that people allow may get any request. */
function openLookOnlyRule({ advanced }: ScanPlan): NonNullable<Browsing['lookOnly']> {
  const { findMatch } = openGlobRules(advanced.requestsToAllow)
  return { isAllowed: (url) => findMatch(url) !== null }
}

function buildBrowsing(plan: ScanPlan, guard: Guard, isTrusted: (url: URL) => boolean): Browsing {
  const { windowWidth, windowHeight, userAgent } = plan.advanced
  const extraHeaders = getSentHeaders(plan.advanced)
  const hasUsableHeaders = findSettingsFault(plan)?.reason !== 'invalid-header' && extraHeaders.length > 0
  return {
    guardServer: guard.server,
    ...(guard.access ? { guardAccess: guard.access } : {}),
    viewport: { width: windowWidth, height: windowHeight },
    userAgent,
    scripts: buildTabScripts(),
    ...(hasUsableHeaders ? { headers: { headers: extraHeaders, allowed: isTrusted } } : {}),
    ...(plan.advanced.lookOnly ? { lookOnly: openLookOnlyRule(plan) } : {}),
  }
}

const openPlanSender = (
  { advanced, session }: ScanPlan,
  isTrusted: (url: URL) => boolean,
  openedSession: Pick<Extract<OpenedSession, { kind: 'session' }>, 'certificate' | 'getStorageState'>,
): Sender =>
  openSender({
    userAgent: advanced.userAgent ?? robotName,
    referrer: advanced.referrer,
    headers: getSentHeaders(advanced),
    isTrusted,
    session: session ?? null,
    certificate: openedSession.certificate,
    state: openedSession.getStorageState,
  })

const openPlanScope = (plan: ScanPlan): RunScope =>
  openScope({
    domains: plan.domains,
    startUrls: [...plan.urls, ...(plan.sources?.urls ?? [])],
    restrictToFolder: plan.advanced.restrictToFolder,
    includeRules: plan.includeRules ?? [],
    excludeRules: plan.excludeRules ?? [],
    urlsToSkip: plan.advanced.urlsToSkip,
  })

/** Opens everything a run needs: network access, sign-in, browser contexts, rules. */
export async function openScanContext(scanDeps: ScanDeps, plan: ScanPlan): Promise<OpenedScan> {
  const writeLog = scanDeps.log ?? (() => {})
  const { advanced: advancedSettings } = plan
  const isTrusted = openTrust(plan)
  const actingRule = openActingRule(plan)
  const guardedDialer = openDialer({ rule: createAddressRule(plan.allowPrivate) })
  const guard = await openGuard(
    guardedDialer,
    {},
    {
      verify: plan.session?.connection?.authType === 'client_cer' ? isTrusted : null,
      host: scanDeps.pool.facts.guardHost ?? null,
    },
  )
  const openedSession = await openSession(
    { ...scanDeps, guard, plan, isTrusted, acting: actingRule },
    buildBrowsing(plan, guard, isTrusted),
  )
  if (openedSession.kind === 'problem') {
    await guard.close()
    return openedSession
  }
  const { sessions: browserSessions, signOutLog } = openedSession
  const directFetcher = openFetch(guardedDialer, openPlanSender(plan, isTrusted, openedSession))
  const fetchViaBrowser = openBrowserFetch({ pool: scanDeps.pool, guard, sessions: (): BrowserSessions => browserSessions })
  const { fetchText, fetchFile } = chooseFetch(plan, isTrusted, directFetcher, fetchViaBrowser)
  const robotsRules = openRobots(
    { fetchText, log: (message, url) => writeLog({ level: 'warn', message, url }) },
    { respect: advancedSettings.respectRobots, userAgent: advancedSettings.userAgent ?? robotName },
  )
  const { scope: planScope, addStartUrl } = openPlanScope(plan)
  const visitParts = { scope: planScope, acting: actingRule, signIn: browserSessions, fetchFile, fetchText }
  const visit = buildVisitContext(scanDeps, plan, guard, visitParts)
  const scanContext: ScanContext = {
    pool: scanDeps.pool,
    frontier: scanDeps.frontier,
    log: writeLog,
    plan,
    sessions: browserSessions,
    signOutLog,
    robots: robotsRules,
    pace: openPace({ atOnce: advancedSettings.pagesAtOnce, perMinute: advancedSettings.pagesPerMinute }),
    discover: buildDiscoverContext(plan, robotsRules, planScope, actingRule),
    addStartUrl,
    visit,
    extraPages: openExtraPages(scanDeps.pool, visit.reuse),
    task: { scripts: plan.scripts ?? [], allowEval: plan.allowEval ?? false },
    fetchFile,
  }
  return {
    kind: 'open',
    context: scanContext,
    guard,
    async close() {
      await scanContext.visit.driveTabs.close()
      for (const browsing of browserSessions.listBrowsings()) await scanDeps.pool.closeRun(browsing)
      await Promise.all([guard.close(), directFetcher.close(), openedSession.close()])
    },
  }
}
