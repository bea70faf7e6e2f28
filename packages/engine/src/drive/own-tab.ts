import type { DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { TimeoutResult } from '../browser/deadline.ts'
import type { Browsing } from '../browser/instance.ts'
import type { TabLease } from '../browser/pool.ts'
import type { PressGuard } from '../crawl/action/press-guard.ts'
import { closeBanners } from '../crawl/banner/close-banners.ts'
import type { ScanContext } from '../crawl/context.ts'
import { waitUntilIdle } from '../crawl/settle/settle.ts'
import { DriveEnd, evaluate, getRemainingMs, type Driver } from './driver.ts'
import type { PressCounts } from './press-in-page.ts'
import { runPart, type DriveResults } from './results.ts'
import { driveOpened, drivePress } from './rule/press.ts'
import { driveWalk } from './rule/walk.ts'
import { photographDocument } from './state-picture.ts'

/** Time for the keys and presses of a page. An application opens in some seconds, and again after up to twelve presses. */
const maxPressMs = 90_000
const graceMs = 5000
const maxLoadMs = 15_000
const maxIdleMs = 4000
const maxBannerMs = 5000

export type OwnTabJob = {
  browsing: Browsing
  url: string
  rules: ReadonlySet<DriveRuleId>
  results: DriveResults
  listPictured: Driver['listPictured']
  race: <T>(maxMs: number, work: Promise<T>) => Promise<TimeoutResult<T | null>>
}

/** Opens the page of a drive, closes its banners as the visit did, and turns the guard on. */
async function openPage({ visit, plan }: ScanContext, driver: Driver, guard: PressGuard, url: string): Promise<void> {
  const { tab } = driver
  const browserContext = tab.page.context()
  driver.world = null
  if (driver.cookies) {
    // The page ends while the guard is on: a press may have left something to send.
    if (!(await guard.endPage())) throw new DriveEnd('The page did not end')
    await guard.disarm()
    // A press may have changed the session of the page.
    await browserContext.clearCookies()
    await browserContext.addCookies(driver.cookies)
  }
  const timeout = Math.max(1, getRemainingMs(driver, maxLoadMs))
  // A page that never finishes loading is driven in its current state.
  await tab.page.goto(url, { waitUntil: 'load', timeout }).catch(() => null)
  await waitUntilIdle(tab, { capMs: Math.max(1, getRemainingMs(driver, maxIdleMs)), eager: plan.advanced.eagerStrategy })
  const { closeBanners: closesBanners, bannerSelectors } = plan.advanced
  if (closesBanners || bannerSelectors.length > 0)
    await closeBanners(tab, plan.advanced, {
      byWords: true,
      isWholePage: false,
      maxMs: getRemainingMs(driver, maxBannerMs),
      log: visit.banners,
    })
  if (tab.page.url() === 'about:blank' || tab.page.url().startsWith('chrome-error:')) throw new DriveEnd('The page did not open')
  driver.cookies ??= await browserContext.cookies()
  if (!(await guard.arm())) throw new DriveEnd('The page did not respond')
  driver.isStale = false
  driver.hasPressed = false
}

/** Opens a page whose parts are driven one after the other. `reopenIfChanged` opens it again unless it is still as it was opened. */
function openParts(driver: Driver, guard: PressGuard) {
  let refusedCount = 0
  let counts: PressCounts | null = null
  const open = async () => {
    await driver.reload()
    refusedCount = guard.countRefused()
    await evaluate(driver, 'clearwayDrive.change.start()')
  }
  const isUnchanged = async () => {
    if (driver.isStale || driver.hasPressed || !driver.world || guard.countRefused() !== refusedCount) return false
    return evaluate<boolean>(driver, '(clearwayDrive.walk.end(), clearwayDrive.change.restore())')
  }
  return {
    async open() {
      await open()
      counts = await evaluate<PressCounts>(driver, 'clearwayDrive.press.countTargets()')
    },
    /** True if the page has one of these, or did not respond. */
    mayContain: (kinds: readonly (keyof PressCounts)[]) => counts === null || kinds.some((kind) => counts![kind] > 0),
    async reopenIfChanged() {
      if (!(await isUnchanged().catch(() => false))) await open()
    },
  }
}

async function driveTab(scanContext: ScanContext, lease: TabLease, job: OwnTabJob, guard: PressGuard): Promise<void> {
  const { rules, results } = job
  const { visit } = scanContext
  const driver: Driver = {
    tab: lease.tab,
    script: visit.script,
    axe: visit.axe,
    guard,
    deadlineAt: performance.now() + maxPressMs,
    world: null,
    isStale: true,
    hasPressed: false,
    reload: () => openPage(scanContext, driver, guard, job.url),
    listPictured: job.listPictured,
  }
  const parts = openParts(driver, guard)
  await runPart(results, async () => {
    await parts.open()
    const { hits, stops } = await driveWalk(driver, rules)
    results.hits.push(...hits)
    results.walk = { stops, picture: null }
    const boxes = stops.flatMap(({ box }) => box ?? [])
    const picture = driver.listPictured ? await photographDocument(driver, boxes) : null
    results.walk = { stops, picture: picture?.image ?? null }
  })
  if (parts.mayContain(['hover', 'mouse']))
    await runPart(results, async () => {
      await parts.reopenIfChanged()
      results.hits.push(...(await drivePress(driver, rules)))
    })
  if (parts.mayContain(['openers']))
    await runPart(results, async () => {
      await parts.reopenIfChanged()
      results.states.push(...(await driveOpened(driver)))
    })
}

/**
 * Drives a page by keyboard and mouse in a browser context of its own, whose cookies and storage are thrown away. The guard
 * refuses navigations and everything that may change something.
 */
export async function driveInOwnTab(scanContext: ScanContext, job: OwnTabJob): Promise<void> {
  const { browsing, results, race } = job
  const { driveTabs } = scanContext.visit
  const tab = await driveTabs.take(browsing)
  if (!tab) {
    results.isPartial = true
    return
  }
  let hasEnded = false
  try {
    const driveEnd = await race(
      maxPressMs + graceMs,
      driveTab(scanContext, tab.lease, job, tab.guard).then(() => true),
    )
    hasEnded = driveEnd.done && driveEnd.value === true
    if (!driveEnd.done) results.isPartial = true
  } finally {
    await driveTabs.giveBack(browsing, tab, hasEnded && !results.isPartial)
  }
}
