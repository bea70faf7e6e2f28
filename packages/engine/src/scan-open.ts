import { headerSecrets } from './script/secret.ts'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import * as z from 'zod/mini'
import { fingerprintVersion } from './axe/fingerprint.ts'
import { openPictureCache } from './axe/pictures.ts'
import { axeOptions, axeScript } from './axe/version.ts'
import { addressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialler } from '@clearway/contract/kit/dial.ts'
import { openGuard, type Guard } from './guard/guard.ts'
import type { Browsing } from './browser/instance.ts'
import type { BrowserPool } from './browser/pool.ts'
import type { ScanContext } from './crawl/context.ts'
import { openFetch, type FetchFile, type FetchText, type Sender } from './guard/fetch.ts'
import { openPace } from './crawl/pace.ts'
import type { Reuse } from './crawl/visit/context.ts'
import { openPdfVisit, type CheckPdf } from './crawl/visit/pdf.ts'
import { openRobots, robotName } from './crawl/robots/robots.ts'
import { inPageLimit } from './crawl/settle/time.ts'
import { openScope, type Scope } from './crawl/scope/scope.ts'
import { sitemapLimits } from './crawl/sitemap/budget.ts'
import { openTrust } from './crawl/scope/trust.ts'
import { tabScripts } from './crawl/visit/tab-scripts.ts'
import type { Frontier } from './frontier.ts'
import { pdfChecker, scopeOfRules } from './pdf/checker.ts'
import { openBrowserFetch } from './session/browser-fetch.ts'
import { openSender } from './session/identity.ts'
import type { BrowserSessions } from './session/browser-sessions.ts'
import { openSession, type OpenedSession } from './session/open.ts'
import { faultOf, headersOf } from './settings-check.ts'
import type { ScanPlan } from './settings.ts'

export type ScanDeps = {
  pool: BrowserPool
  frontier: Frontier
  log?: (entry: { level: 'info' | 'warn'; message: string; url?: string }) => void
  /** Checks PDFs instead of the engine's own checker by the plan's rule set. */
  checkPdf?: CheckPdf
  /** False: pages are opened for their links only. */
  analyse?: boolean
}

/** What a run works with, or why it cannot begin. */
export type OpenedScan =
  | { kind: 'open'; context: ScanContext; guard: Guard; close: () => Promise<void> }
  | { kind: 'problem'; problem: 'session-failed' | 'no-browser'; detail: string }

/** Files through the browser for sign-ins that only it can do, past it for all others. */
function chooseFetch(
  plan: ScanPlan,
  isTrusted: (url: URL) => boolean,
  past: { fetchText: FetchText; fetchFile: FetchFile },
  through: FetchFile,
): { fetchText: FetchText; fetchFile: FetchFile } {
  const type = plan.session?.connection?.authType
  if (type !== 'ntlm' && type !== 'ntlm_ss' && type !== 'kerberos') return past
  const inside = (url: string): boolean => {
    const parsed = URL.parse(url)
    return parsed !== null && isTrusted(parsed)
  }
  return {
    fetchFile: (url, most) => (inside(url) ? through(url, most) : past.fetchFile(url, most)),
    async fetchText(url, userAgent) {
      if (!inside(url)) return past.fetchText(url, userAgent)
      const file = await through(url, 512 * 1024)
      return file.ok
        ? { ok: true, status: file.status, text: file.bytes.toString('utf8') }
        : { ok: false, why: file.detail }
    },
  }
}

function discoverOf(plan: ScanPlan, robots: ScanContext['robots'], scope: Scope): ScanContext['discover'] {
  const { session } = plan
  return {
    scope,
    robots,
    settings: plan.advanced,
    depth: plan.depth,
    sources: plan.sources ?? z.parse(Sources, {}),
    templateUrls: plan.commonComponents?.templateUrls ?? [],
    scripts: (plan.scripts ?? []).map(({ name }) => name),
    signsIn: session != null && (session.connection !== null || session.script !== null),
    sitemaps: { ...sitemapLimits },
  }
}

/** What decides about results besides the page: they are those of another run under all the same conditions only. */
function reuseOf({ advanced, ruleSet, commonComponents }: ScanPlan, browser: string): Reuse | null {
  const { reuseUnchanged, reuseAuditPercent, reuseDays: _days, ...settings } = advanced
  if (!reuseUnchanged) return null
  const conditions = JSON.stringify([
    fingerprintVersion,
    inPageLimit,
    browser,
    ruleSet,
    settings,
    commonComponents ?? null,
  ])
  return { conditions, auditShare: reuseAuditPercent / 100, audited: false, holds: false }
}

function visitOf(
  deps: ScanDeps,
  plan: ScanPlan,
  guard: Guard,
  scope: Scope,
  fetchFile: FetchFile,
): ScanContext['visit'] {
  const fault = faultOf(plan)
  // Where the rules are not there, no page comes as far as needing them.
  const ruleSet = fault === null || fault.reason === 'invalid-header' ? plan.ruleSet : defaultRuleSet
  return {
    plan,
    guard,
    script: axeScript(ruleSet.axeVersion),
    axe: axeOptions(ruleSet),
    pictureCache: plan.advanced.savePictures ? openPictureCache() : null,
    contentBytes: defaultLimits.pageContentBytes,
    headerSecrets: headerSecrets(headersOf(plan.advanced)),
    notices: deps.pool.facts.limitedFonts ? ['embedded-browser-fonts'] : [],
    scope,
    fault,
    analyse: deps.analyse ?? true,
    mark: plan.session?.mark ?? null,
    reuse: reuseOf(plan, deps.pool.facts.version),
    pdf: openPdfVisit({
      fetchFile,
      check: deps.checkPdf ?? pdfChecker(scopeOfRules(ruleSet), plan.advanced.savePictures),
      admit: (limit) => deps.frontier.admitPdf(limit),
    }),
  }
}

function browsingOf(plan: ScanPlan, guard: Guard, isTrusted: (url: URL) => boolean): Browsing {
  const { windowWidth, windowHeight, userAgent } = plan.advanced
  const extraHeaders = headersOf(plan.advanced)
  const usable = faultOf(plan)?.reason !== 'invalid-header' && extraHeaders.length > 0
  return {
    guardServer: guard.server,
    ...(guard.access ? { guardAccess: guard.access } : {}),
    viewport: { width: windowWidth, height: windowHeight },
    userAgent,
    scripts: tabScripts(),
    ...(usable ? { headers: { headers: extraHeaders, allowed: isTrusted } } : {}),
  }
}

const senderOf = (
  { advanced, session }: ScanPlan,
  isTrusted: (url: URL) => boolean,
  opened: Pick<Extract<OpenedSession, { kind: 'session' }>, 'certificate' | 'state'>,
): Sender =>
  openSender({
    userAgent: advanced.userAgent ?? robotName,
    referrer: advanced.referrer,
    headers: headersOf(advanced),
    isTrusted,
    session: session ?? null,
    certificate: opened.certificate,
    state: opened.state,
  })

const scopeOf = (plan: ScanPlan): Scope =>
  openScope({
    domains: plan.domains,
    startUrls: [...plan.urls, ...(plan.sources?.urls ?? [])],
    restrictToFolder: plan.advanced.restrictToFolder,
    includeRules: plan.includeRules ?? [],
    excludeRules: plan.excludeRules ?? [],
    urlsToSkip: plan.advanced.urlsToSkip,
  })

/** Opens what one run needs: its way to the network, its sign-in, its browser contexts, its rules. */
export async function openScanContext(deps: ScanDeps, plan: ScanPlan): Promise<OpenedScan> {
  const log = deps.log ?? (() => {})
  const { advanced } = plan
  const isTrusted = openTrust(plan)
  const dial = openDialler({ rule: addressRule(plan.allowPrivate) })
  const guard = await openGuard(
    dial,
    {},
    {
      verify: plan.session?.connection?.authType === 'client_cer' ? isTrusted : null,
      host: deps.pool.facts.guardHost ?? null,
    },
  )
  const opened = await openSession(
    { pool: deps.pool, guard, plan, isTrusted },
    browsingOf(plan, guard, isTrusted),
  )
  if (opened.kind === 'problem') {
    await guard.close()
    return opened
  }
  const { sessions } = opened
  const fetcher = openFetch(dial, senderOf(plan, isTrusted, opened))
  const through = openBrowserFetch({ pool: deps.pool, guard, sessions: (): BrowserSessions => sessions })
  const { fetchText, fetchFile } = chooseFetch(plan, isTrusted, fetcher, through)
  const robots = openRobots(
    { fetchText, log: (message, url) => log({ level: 'warn', message, url }) },
    { respect: advanced.respectRobots, userAgent: advanced.userAgent ?? robotName },
  )
  const scope = scopeOf(plan)
  const context: ScanContext = {
    pool: deps.pool,
    frontier: deps.frontier,
    log,
    plan,
    sessions,
    robots,
    pace: openPace({ atOnce: advanced.pagesAtOnce, perMinute: advanced.pagesPerMinute }),
    discover: discoverOf(plan, robots, scope),
    visit: visitOf(deps, plan, guard, scope, fetchFile),
    task: { scripts: plan.scripts ?? [], allowEval: plan.allowEval ?? false },
    fetchFile,
  }
  return {
    kind: 'open',
    context,
    guard,
    async close() {
      for (const browsing of sessions.all()) await deps.pool.leave(browsing)
      await Promise.all([guard.close(), fetcher.close(), opened.close()])
    },
  }
}
