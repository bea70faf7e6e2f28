import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { openPictureShelf } from './axe/pictures.ts'
import { axeOptions, axeScript } from './axe/version.ts'
import { addressRule } from './browser/address-rule.ts'
import { openDialler } from './browser/dial.ts'
import { openGuard } from './browser/guard.ts'
import type { Browsing } from './browser/instance.ts'
import type { BrowserPool } from './browser/pool.ts'
import { startEntries } from './crawl/discover.ts'
import { openFetch } from './crawl/guarded-fetch.ts'
import { openPace } from './crawl/pace.ts'
import { openRobots, robotName } from './crawl/robots.ts'
import { openScope } from './crawl/scope.ts'
import { tabScripts } from './crawl/tab-scripts.ts'
import { work, type Desk } from './crawl/work.ts'
import type { Frontier } from './frontier.ts'
import type { ScanEnd } from './outcome.ts'
import type { ScanPlan } from './settings.ts'

export type ScanDeps = {
  pool: BrowserPool
  frontier: Frontier
  log?: (entry: { level: 'info' | 'warn'; message: string; url?: string }) => void
}

/** Opens what one run needs: its way to the network, its browser contexts, its rules. */
async function openDesk(deps: ScanDeps, plan: ScanPlan): Promise<{ desk: Desk; close: () => Promise<void> }> {
  const log = deps.log ?? (() => {})
  const dial = openDialler({ rule: addressRule(plan.allowPrivate) })
  const guard = await openGuard(dial)
  const fetcher = openFetch(dial)
  const browsing: Browsing = {
    guardServer: guard.server,
    viewport: { width: plan.advanced.windowWidth, height: plan.advanced.windowHeight },
    userAgent: plan.advanced.userAgent,
    scripts: tabScripts(),
  }
  const robots = openRobots(
    { fetchText: fetcher.fetchText, log: (message, url) => log({ level: 'warn', message, url }) },
    { respect: plan.advanced.respectRobots, userAgent: plan.advanced.userAgent ?? robotName },
  )
  const desk: Desk = {
    pool: deps.pool,
    frontier: deps.frontier,
    log,
    plan,
    browsing,
    robots,
    pace: openPace({ atOnce: plan.advanced.pagesAtOnce, perMinute: plan.advanced.pagesPerMinute }),
    discover: {
      scope: openScope({
        domains: plan.domains,
        startUrls: plan.urls,
        restrictToFolder: plan.advanced.restrictToFolder,
      }),
      robots,
      settings: plan.advanced,
      depth: plan.depth,
    },
    visit: {
      plan,
      guard,
      script: axeScript(plan.ruleSet.axeVersion),
      axe: axeOptions(plan.ruleSet),
      shelf: plan.advanced.savePictures ? openPictureShelf() : null,
      contentBytes: defaultLimits.pageContentBytes,
      notices: deps.pool.facts.limitedFonts ? ['embedded-browser-fonts'] : [],
    },
  }
  return {
    desk,
    async close() {
      await deps.pool.leave(browsing)
      await Promise.all([guard.close(), fetcher.close()])
    },
  }
}

/**
 * Works on one run until its frontier is drained or stopped, or `signal` aborts (claims in work are then released
 * without blame). Several processes may call it on the same run at once; each judges `problem` by what it saw itself.
 */
export async function scan(deps: ScanDeps, plan: ScanPlan, signal: AbortSignal): Promise<ScanEnd> {
  const { desk, close } = await openDesk(deps, plan)
  try {
    const starts = await startEntries(desk.discover, plan.urls)
    await deps.frontier.seed(starts)
    return await work(desk, starts, signal)
  } finally {
    await close()
  }
}
