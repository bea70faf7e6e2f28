import type { DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { evaluate, getRemainingMs, pause, readHits, type DriveHit, type Driver } from '../driver.ts'
import { runAxeInState, type StateResults } from './axe-state.ts'

const phoneWidth = 390
const phoneHeight = 844
const reflowWidth = 320
/** The width that WCAG 1.4.10 and 1.4.4 begin with: 320 pixels are 400 % of it. */
const fullWidth = 1280

type Size = { width: number; height: number }

/** Resizes the window, and waits until scripts that listen to it have run. */
async function resize(driver: Driver, size: Size): Promise<void> {
  await driver.tab.page.setViewportSize(size)
  await evaluate(driver, 'clearwayDrive.kit.waitForFrame(100)')
  await pause(driver, 60)
}

const measure = (driver: Driver, name: string) => evaluate(driver, `clearwayDrive.text.measure(${JSON.stringify(name)})`)

export type NarrowResults = { hits: DriveHit[]; phone: StateResults | null; dark: StateResults | null }

/** Tests a page in narrower windows and in its dark scheme, and restores its window. */
export async function driveNarrow(
  driver: Driver,
  viewport: Size,
  rules: ReadonlySet<DriveRuleId>,
  isFull: boolean,
): Promise<NarrowResults> {
  const { page } = driver.tab
  const results: NarrowResults = { hits: [], phone: null, dark: null }
  const isWide = viewport.width >= fullWidth * 0.75
  try {
    // Narrow windows of a scan of its own width are tested as they are.
    if (!isWide) await resize(driver, { width: fullWidth, height: viewport.height })
    await measure(driver, 'wide')
    if (isFull) results.hits.push(...(await findSpacingHits(driver, rules)))
    if (isFull) {
      await resize(driver, { width: fullWidth / 2, height: Math.round(viewport.height / 2) })
      await measure(driver, 'double')
      if (rules.has('drive-zoom-text'))
        results.hits.push(...(await readHits(driver, `clearwayDrive.text.findCutHits('drive-zoom-text', 'wide', 'double')`)))
    }
    await resize(driver, { width: phoneWidth, height: phoneHeight })
    results.phone = await runAxeInState(driver, 'document')
    if (rules.has('drive-orientation')) results.hits.push(...(await findTurnedHits(driver, isFull)))
    await resize(driver, { width: reflowWidth, height: 640 })
    if (rules.has('drive-reflow')) results.hits.push(...(await readHits(driver, `clearwayDrive.text.findReflowHits('wide')`)))
    if (isFull && rules.has('drive-zoom-scale')) {
      await measure(driver, 'fourfold')
      const layouts = JSON.stringify([
        { name: 'double', factor: 2 },
        { name: 'fourfold', factor: 4 },
      ])
      results.hits.push(...(await readHits(driver, `clearwayDrive.text.findUnscaledHits('wide', ${layouts})`)))
    }
  } finally {
    await page.setViewportSize(viewport).catch(() => {})
  }
  if (getRemainingMs(driver) > 0) results.dark = await testDarkScheme(driver)
  return results
}

async function findSpacingHits(driver: Driver, rules: ReadonlySet<DriveRuleId>): Promise<DriveHit[]> {
  if (!rules.has('drive-text-spacing')) return []
  return readHits(
    driver,
    `(async () => {
      const { text, kit } = clearwayDrive;
      const restore = text.widenSpacing();
      try {
        await kit.waitForFrame(100);
        text.measure('spaced');
        return text.findCutHits('drive-text-spacing', 'wide', 'spaced');
      } finally {
        restore();
      }
    })()`,
  )
}

/** Compares the portrait orientation with the wide window, and a phone's two orientations. */
async function findTurnedHits(driver: Driver, isFull: boolean): Promise<DriveHit[]> {
  await measure(driver, 'portrait')
  const hits = await readHits(driver, `clearwayDrive.text.findTurnedHits('wide', 'portrait')`)
  if (!isFull || hits.length > 0) return hits
  await resize(driver, { width: phoneHeight, height: phoneWidth })
  await measure(driver, 'landscape')
  return readHits(driver, `clearwayDrive.text.findTurnedHits('portrait', 'landscape')`)
}

const colorRules = ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block']

/** Tests the colors of a dark scheme; null if the page has none. */
async function testDarkScheme(driver: Driver): Promise<StateResults | null> {
  if (!(await evaluate<boolean>(driver, 'clearwayDrive.page.hasDarkScheme()'))) return null
  const { page } = driver.tab
  try {
    await page.emulateMedia({ colorScheme: 'dark' })
    await evaluate(driver, 'clearwayDrive.kit.waitForFrame(100)')
    await pause(driver, 60)
    return await runAxeInState(driver, 'document', colorRules)
  } finally {
    // The default of every browser context.
    await page.emulateMedia({ colorScheme: 'light' }).catch(() => {})
  }
}
