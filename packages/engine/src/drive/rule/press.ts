import type { DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { openedStatePrefix } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { withTimeout } from '../../browser/deadline.ts'
import {
  clickPoint,
  countNavigations,
  evaluate,
  getRemainingMs,
  pause,
  pressKey,
  readHits,
  reloadStale,
  type DriveHit,
  type Driver,
} from '../driver.ts'
import type { PressPoint, PressTarget } from '../press-in-page.ts'
import type { DrivenState } from '../results.ts'
import { addWindowPicture, photographWindow } from '../state-picture.ts'
import { runAxeInState } from './axe-state.ts'
import { hasVisibleEffect, readSign } from './press-effect.ts'

/** Limits of one page. Targets of one kind do the same: three of them are pressed. */
const maxPressed = 12
const maxOfKind = 2
const effectMs = 150
const maxScrollAttempts = 3
/** Time that tips of scripts take to appear. */
const tipMs = 400
const callMs = 2000

const findPoint = (driver: Driver, number: number) =>
  evaluate<PressPoint | null>(driver, `clearwayDrive.press.findPoint(${number})`)
/** Reads the hit of a target, with a picture of the window as the press or the pointer has left it. */
const readTargetHit = async (
  driver: Driver,
  number: number,
  hit: { rule: DriveRuleId; verdict: 'fail' | 'review'; proof: string },
): Promise<DriveHit[]> =>
  addWindowPicture(
    driver,
    await readHits(driver, `[{ ...${JSON.stringify(hit)}, element: clearwayDrive.press.getTarget(${number}) }]`),
  )

/** Chooses a few targets of each kind, in order. */
function chooseTargets(targets: readonly PressTarget[]): PressTarget[] {
  const counts = new Map<string, number>()
  return targets
    .filter(({ group }) => {
      const count = (counts.get(group) ?? 0) + 1
      counts.set(group, count)
      return count <= maxOfKind
    })
    .slice(0, maxPressed)
}

const parkPointer = (driver: Driver) => driver.tab.page.mouse.move(0, 0)

/** Event types of an element's own listeners, in the page's own world. */
async function listListeners({ tab, world }: Driver, number: number): Promise<string[]> {
  const send = async <T>(pending: Promise<T>): Promise<T | null> => {
    const result = await withTimeout(
      callMs,
      pending.catch(() => null),
    )
    return result.done ? result.value : null
  }
  if (!world) return []
  const { cdp } = tab
  const expression = `clearwayDrive.press.getTarget(${number})`
  const evaluated = await send(cdp.send('Runtime.evaluate', { expression, contextId: world.contextId }))
  const objectId = evaluated?.result.objectId
  if (!objectId) return []
  const described = await send(cdp.send('DOM.describeNode', { objectId }))
  const backendNodeId = described?.node.backendNodeId
  const resolved = backendNodeId === undefined ? null : await send(cdp.send('DOM.resolveNode', { backendNodeId }))
  const pageObjectId = resolved?.object.objectId
  if (!pageObjectId) return []
  const listened = await send(cdp.send('DOMDebugger.getEventListeners', { objectId: pageObjectId, depth: 1 }))
  const props = await send(
    cdp.send('Runtime.callFunctionOn', {
      objectId: pageObjectId,
      returnByValue: true,
      functionDeclaration: `function () {
        for (const key in this) if (key.startsWith('__reactProps$')) return typeof this[key]?.onClick === 'function'
        return false
      }`,
    }),
  )
  await send(cdp.send('Runtime.releaseObject', { objectId: pageObjectId }))
  // Frameworks listen on the root, and keep the handlers of an element as its properties.
  return [...(listened?.listeners ?? []).map(({ type }) => type), ...(props?.result.value === true ? ['click'] : [])]
}

const pressEvents = new Set(['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend'])

/** Clicks a target. Returns true if the click changes something visible, apart from what the pointer changes. */
async function reactsToClick(driver: Driver, number: number): Promise<boolean> {
  const point = await findPoint(driver, number)
  if (!point) return false
  const scroll = await evaluate<PressPoint>(driver, '({ x: scrollX, y: scrollY })')
  const { mouse } = driver.tab.page
  await mouse.move(point.x, point.y)
  await pause(driver, effectMs)
  const [firstSign, countBefore] = [await readSign(driver), countNavigations(driver)]
  await pause(driver, effectMs)
  // A page that changes by itself proves nothing.
  if ((await readSign(driver)) !== firstSign) return false
  await clickPoint(driver, point)
  await pause(driver, effectMs)
  if (countNavigations(driver) > countBefore) return true
  if ((await readSign(driver)) === firstSign) return false
  // Keys scroll, too, and scrolling moves what stays in the window. It takes some frames.
  for (let attempt = 0; attempt < maxScrollAttempts; attempt++) {
    await evaluate(driver, `scrollTo({ left: ${scroll.x}, top: ${scroll.y}, behavior: 'instant' })`)
    await pause(driver, effectMs)
    if ((await readSign(driver)) === firstSign) return false
  }
  return true
}

/** Tries Enter, Space and the arrow that opens menus on a focusable target. Returns true if one of them changes something visible. */
async function reactsToKeys(driver: Driver, number: number): Promise<boolean> {
  if (!(await evaluate<boolean>(driver, `clearwayDrive.press.focusTarget(${number})`))) return true
  await pause(driver, effectMs)
  await evaluate(driver, 'clearwayDrive.change.restoreScrolling()')
  const [firstSign, countBefore] = [await readSign(driver), countNavigations(driver)]
  for (const key of ['Enter', 'Space', 'ArrowDown']) {
    await pressKey(driver, key)
    await pause(driver, effectMs)
    if (countNavigations(driver) > countBefore || (await hasVisibleEffect(driver, firstSign))) return true
  }
  return false
}

async function findMouseHits(driver: Driver, kind: 'listMouseTargets' | 'listKeyTargets'): Promise<DriveHit[]> {
  const listTargets = () => evaluate<PressTarget[]>(driver, `clearwayDrive.press.${kind}()`)
  const hits: DriveHit[] = []
  await reloadStale(driver)
  let targets = await listTargets()
  for (const { number, group, label } of chooseTargets(targets)) {
    if (getRemainingMs(driver) <= 0) break
    // After a reload, the list is made again: only the same element is pressed.
    if (await reloadStale(driver)) targets = await listTargets()
    const target = targets[number]
    if (target?.group !== group || target.label !== label) continue
    const listeners = await listListeners(driver, number)
    if (!listeners.some((type) => pressEvents.has(type))) continue
    const hasKeys = kind === 'listKeyTargets' && (await reactsToKeys(driver, number))
    const isMouseOnly = !hasKeys && (await reactsToClick(driver, number))
    const proof =
      kind === 'listKeyTargets'
        ? 'A click changes the page, Enter, Space and the down arrow key do not'
        : 'A click changes the page, and no key reaches it'
    if (isMouseOnly) hits.push(...(await readTargetHit(driver, number, { rule: 'drive-mouse-only', verdict: 'fail', proof })))
    driver.isStale = hasKeys || isMouseOnly
  }
  await parkPointer(driver)
  return hits
}

/** Tests what the pointer shows. */
async function findHoverHits(driver: Driver): Promise<DriveHit[]> {
  const targets = await evaluate<PressTarget[]>(driver, 'clearwayDrive.press.listHoverTargets()')
  const hits: DriveHit[] = []
  const { mouse } = driver.tab.page
  const countVisible = () => evaluate<number>(driver, 'clearwayDrive.press.countStillVisible()')
  const showTip = async (point: PressPoint) => {
    await mouse.move(point.x, point.y)
    await pause(driver, tipMs)
  }
  for (const { number } of chooseTargets(targets)) {
    if (getRemainingMs(driver) <= 0) break
    const point = await findPoint(driver, number)
    if (!point) continue
    await parkPointer(driver)
    await pause(driver, effectMs)
    await evaluate(driver, 'clearwayDrive.press.remember()')
    await showTip(point)
    if ((await evaluate<number>(driver, 'clearwayDrive.press.countAppeared()')) === 0) continue
    const isCovering = await evaluate<boolean>(driver, `clearwayDrive.press.coversText(${number})`)
    await parkPointer(driver)
    await pause(driver, tipMs)
    // Content that stays came with scrolling, or by itself.
    if (!isCovering || (await countVisible()) > 0) continue
    await showTip(point)
    if ((await countVisible()) === 0) continue
    await pressKey(driver, 'Escape')
    await pause(driver, effectMs)
    if ((await countVisible()) === 0) continue
    const proof = 'What appears under the pointer covers other text, and Escape does not close it'
    hits.push(...(await readTargetHit(driver, number, { rule: 'drive-hover-content', verdict: 'fail', proof })))
  }
  await parkPointer(driver)
  return hits
}

const settleMs = 400

/** Presses what opens something, and tests what appears with axe. */
export async function driveOpened(driver: Driver): Promise<DrivenState[]> {
  const listOpeners = () => evaluate<PressTarget[]>(driver, 'clearwayDrive.press.listOpeners()')
  const states: DrivenState[] = []
  let targets = await listOpeners()
  for (const { number, group, label } of chooseTargets(targets)) {
    if (getRemainingMs(driver) <= 0) break
    if (await reloadStale(driver)) targets = await listOpeners()
    const target = targets[number]
    if (target?.group !== group || target.label !== label) continue
    const point = await findPoint(driver, number)
    if (!point) continue
    await evaluate(driver, 'clearwayDrive.press.remember()')
    await clickPoint(driver, point)
    driver.isStale = true
    await pause(driver, settleMs)
    await evaluate(driver, 'clearwayDrive.kit.finishAnimations()')
    await parkPointer(driver)
    await evaluate(driver, 'clearwayDrive.kit.waitForFrame(100)')
    const appearedCount = await evaluate<number>(driver, 'clearwayDrive.press.countAppeared()')
    if (appearedCount > 0) {
      const results = await runAxeInState(driver, 'clearwayDrive.press.appearedElements')
      if (results.results.violations.length > 0) {
        const isPictured = (driver.listPictured?.(results) ?? []).length > 0
        states.push({ state: openedStatePrefix + label, results, picture: isPictured ? await photographWindow(driver) : null })
      }
    }
  }
  return states
}

/** Hovers and presses. */
export async function drivePress(driver: Driver, rules: ReadonlySet<DriveRuleId>): Promise<DriveHit[]> {
  const hits: DriveHit[] = []
  if (rules.has('drive-hover-content')) hits.push(...(await findHoverHits(driver)))
  if (rules.has('drive-mouse-only')) {
    const pointerHits = await findMouseHits(driver, 'listMouseTargets')
    hits.push(...pointerHits, ...(await findMouseHits(driver, 'listKeyTargets')))
  }
  return hits
}
