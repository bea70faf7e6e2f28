import type { DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { darkState, getWidthState, phoneState, phoneWidth } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { evaluate, getRemainingMs, pause, readHits, type Driver, type StateResults } from '../driver.ts'
import type { DriveResults } from '../results.ts'
import { addDocumentPictures, photographDocument } from '../state-picture.ts'
import { runAxeInState } from './axe-state.ts'

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
  // Boxes may take some time to get their new width.
  await evaluate(driver, 'clearwayDrive.kit.finishAnimations()')
}

const measure = (driver: Driver, name: string) => evaluate(driver, `clearwayDrive.text.measure(${JSON.stringify(name)})`)
const measureAngles = (driver: Driver, name: string) =>
  evaluate(driver, `clearwayDrive.text.measureAngles(${JSON.stringify(name)})`)

type NarrowDrive = { driver: Driver; rules: ReadonlySet<DriveRuleId>; results: DriveResults }

/**
 * Adds the hits of a rule in a changed page, with their pictures.
 * @param width of the window in which the page is shown as a state; null for a state that has no name
 */
async function addNarrowHits({ driver, results }: NarrowDrive, width: number | null, expression: string): Promise<number> {
  const hits = await readHits(driver, expression)
  const isPictured = driver.listPictured !== null && hits.length > 0
  const picture = isPictured
    ? await photographDocument(
        driver,
        hits.map(({ reference }) => reference?.box),
      )
    : null
  if (picture && width !== null) results.pictures.push({ state: getWidthState(width), picture })
  results.hits.push(...(await addDocumentPictures(driver, hits, picture)))
  return hits.length
}

/** Adds what axe found in a state, with a picture of what is new. */
async function addState({ driver, results }: NarrowDrive, state: string, stateResults: StateResults): Promise<void> {
  const pictured = driver.listPictured?.(stateResults) ?? []
  const picture =
    pictured.length > 0
      ? await photographDocument(
          driver,
          pictured.map((reference) => reference?.box),
        )
      : null
  results.states.push({ state, results: stateResults, picture })
}

/** Tests a page in narrower windows and in its dark scheme, adds what it finds to the results, and restores its window. */
export async function driveNarrow(
  driver: Driver,
  viewport: Size,
  rules: ReadonlySet<DriveRuleId>,
  { isFull, results }: { isFull: boolean; results: DriveResults },
): Promise<void> {
  const { page } = driver.tab
  const drive: NarrowDrive = { driver, rules, results }
  const isWide = viewport.width >= fullWidth * 0.75
  try {
    // Narrow windows of a scan of its own width are tested as they are.
    if (!isWide) await resize(driver, { width: fullWidth, height: viewport.height })
    await measure(driver, 'wide')
    await measureAngles(driver, 'wide')
    if (isFull && rules.has('drive-text-spacing')) await addSpacingHits(drive)
    if (isFull) {
      const width = fullWidth / 2
      await resize(driver, { width, height: Math.round(viewport.height / 2) })
      await measure(driver, 'double')
      if (rules.has('drive-zoom-text'))
        await addNarrowHits(drive, width, `clearwayDrive.text.findCutHits('drive-zoom-text', 'wide', 'double')`)
    }
    await resize(driver, { width: phoneWidth, height: phoneHeight })
    await addState(drive, phoneState, await runAxeInState(driver, 'document'))
    if (rules.has('drive-orientation')) await addTurnedHits(drive, isFull)
    await resize(driver, { width: reflowWidth, height: 640 })
    await measure(driver, 'fourfold')
    if (rules.has('drive-reflow'))
      await addNarrowHits(drive, reflowWidth, `clearwayDrive.text.findReflowHits('wide', 'fourfold')`)
    if (isFull && rules.has('drive-zoom-scale')) {
      const layouts = JSON.stringify([
        { name: 'double', factor: 2 },
        { name: 'fourfold', factor: 4 },
      ])
      await addNarrowHits(drive, reflowWidth, `clearwayDrive.text.findUnscaledHits('wide', ${layouts})`)
    }
  } finally {
    await page.setViewportSize(viewport).catch(() => {})
  }
  if (getRemainingMs(driver) > 0) await testDarkScheme(drive)
}

/** Tests the page with the spacing of WCAG 1.4.12, and restores its own. */
async function addSpacingHits(drive: NarrowDrive): Promise<void> {
  const { driver } = drive
  await evaluate(driver, 'void (globalThis.clearwayRestore = clearwayDrive.text.widenSpacing())')
  try {
    await evaluate(driver, 'clearwayDrive.kit.waitForFrame(100)')
    await measure(driver, 'spaced')
    await addNarrowHits(drive, null, `clearwayDrive.text.findCutHits('drive-text-spacing', 'wide', 'spaced')`)
  } finally {
    await evaluate(driver, 'clearwayRestore()')
  }
}

/** Compares the portrait orientation with the wide window, and a phone's two orientations. */
async function addTurnedHits(drive: NarrowDrive, isFull: boolean): Promise<void> {
  const { driver } = drive
  await measureAngles(driver, 'portrait')
  const hitCount = await addNarrowHits(drive, phoneWidth, `clearwayDrive.text.findTurnedHits('wide', 'portrait')`)
  if (!isFull || hitCount > 0) return
  await resize(driver, { width: phoneHeight, height: phoneWidth })
  await measureAngles(driver, 'landscape')
  await addNarrowHits(drive, phoneHeight, `clearwayDrive.text.findTurnedHits('portrait', 'landscape')`)
}

const colorRules = ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block']

/** Tests the colors of a dark scheme, if the page has one. */
async function testDarkScheme(drive: NarrowDrive): Promise<void> {
  const { driver } = drive
  if (!(await evaluate<boolean>(driver, 'clearwayDrive.page.hasDarkScheme()'))) return
  const { page } = driver.tab
  try {
    await page.emulateMedia({ colorScheme: 'dark' })
    await evaluate(driver, 'clearwayDrive.kit.waitForFrame(100)')
    await pause(driver, 60)
    await addState(drive, darkState, await runAxeInState(driver, 'document', colorRules))
  } finally {
    // The default of every browser context.
    await page.emulateMedia({ colorScheme: 'light' }).catch(() => {})
  }
}
