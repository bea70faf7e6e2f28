import { clickPoint, countNavigations, evaluate, pause, pressKey, type Driver } from '../driver.ts'

/** Visible effect of presses. `unknown`: the element could not be pressed, or the page changes by itself. */
export type PressEffect = 'change' | 'none' | 'unknown'

const effectMs = 100
const focusMs = 60

export const readSign = (driver: Driver) => evaluate<string>(driver, 'clearwayDrive.press.sign()')

/**
 * Tells whether a key has changed something visible. Scrolling is undone first: it moves what stays in the window.
 * @param signBefore sign of the page before the key, scrolled as it was opened
 */
export async function hasVisibleEffect(driver: Driver, signBefore: string): Promise<boolean> {
  if ((await readSign(driver)) === signBefore) return false
  await evaluate(driver, 'clearwayDrive.change.restoreScrolling()')
  return (await readSign(driver)) !== signBefore
}

/** Presses Enter and Space on a stop of the Tab key, then clicks it. */
export async function pressStop(driver: Driver, stop: number): Promise<PressEffect> {
  if (!(await evaluate<boolean>(driver, `clearwayDrive.walk.focusStop(${stop})`))) return 'unknown'
  await pause(driver, focusMs)
  await evaluate(driver, 'clearwayDrive.change.restoreScrolling()')
  const [signBefore, countBefore] = [await readSign(driver), countNavigations(driver)]
  const hasChanged = async () => {
    await pause(driver, effectMs)
    return countNavigations(driver) > countBefore || (await hasVisibleEffect(driver, signBefore))
  }
  if (await hasChanged()) return 'unknown'
  for (const key of ['Enter', 'Space']) {
    await pressKey(driver, key)
    if (await hasChanged()) return 'change'
  }
  const point = await evaluate<{ x: number; y: number } | null>(driver, `clearwayDrive.walk.findPressPoint(${stop})`)
  if (!point) return 'unknown'
  await driver.tab.page.mouse.move(point.x, point.y)
  await pause(driver, effectMs)
  const hoveredSign = await readSign(driver)
  await clickPoint(driver, point)
  await pause(driver, effectMs)
  const isChanged = countNavigations(driver) > countBefore || (await readSign(driver)) !== hoveredSign
  await driver.tab.page.mouse.move(0, 0)
  return isChanged ? 'change' : 'none'
}
