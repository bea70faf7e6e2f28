import type { DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { maxWalkStops, type WalkStop } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import type { Box } from '../../axe/report-in-page.ts'
import type { Picture } from '../../outcome.ts'
import {
  countNavigations,
  DriveEnd,
  evaluate,
  getRemainingMs,
  pause,
  pressKey,
  readHits,
  type DriveHit,
  type Driver,
} from '../driver.ts'
import { photographFocus } from '../focus-picture.ts'
import { findInPicture, photographWindow } from '../state-picture.ts'
import type { WalkStep, WalkStopFacts } from '../walk-in-page.ts'
import { pressStop, type PressEffect } from './press-effect.ts'

/** Keys within one element that has stops of its own: a player, a date. */
const maxInnerStops = 25
const maxTraps = 3
const keyPauseMs = 60

type Walk = {
  driver: Driver
  hits: DriveHit[]
  /** Stops at which a navigation was refused. */
  navigatingStops: Set<number>
  /** Stops that are part of a trap. */
  trappedStops: Set<number>
  trapCount: number
  stopCount: number
  /** Navigations that were refused until the last note. */
  navigationCount: number
  /** Window at the time of the focus, by number of the stop, for stops that are hidden then. */
  hiddenPictures: Map<number, Picture>
  /** Pictures of hidden stops in the current direction. */
  hiddenCount: number
}

/** Maximum number of pictures of hidden stops in each direction, and of stops with and without the focus, of one page. */
const maxHiddenPictures = 8
const maxFocusPictures = 24

const readStep = (driver: Driver) => evaluate<WalkStep>(driver, 'clearwayDrive.walk.step()')

async function pressAndRead(driver: Driver, key: string): Promise<WalkStep> {
  await pressKey(driver, key)
  return readStep(driver)
}

/** Moves on to the next element that was no stop yet, without a key. Returns false if there is none. */
const skipStop = (driver: Driver) => evaluate<boolean>(driver, 'clearwayDrive.walk.skip()')

/** Takes a picture of the window if the current stop is hidden. */
async function photographHidden(walk: Walk, { stop, isHidden }: WalkStep): Promise<void> {
  const { driver, hiddenPictures } = walk
  if (!isHidden || stop === null || !driver.listPictured || walk.hiddenCount >= maxHiddenPictures) return
  walk.hiddenCount += 1
  const statePicture = await photographWindow(driver)
  // Boxes that scroll by themselves move their content until the end of the walk.
  const box = await evaluate<Box | null>(
    driver,
    `(() => {
      const edges = clearwayDrive.walk.getStopEdges(${stop});
      if (!edges) return null;
      const { minX, minY, maxX, maxY } = edges;
      return { x: minX + scrollX, y: minY + scrollY, width: maxX - minX, height: maxY - minY };
    })()`,
  )
  const picture = findInPicture(statePicture, box)
  if (picture) hiddenPictures.set(stop, picture)
}

/** Presses a key until the focus is outside of a cycle. Returns false if it stays. */
async function leavesCycle(driver: Driver, key: string, cycle: ReadonlySet<number>): Promise<boolean> {
  for (let count = 0; count <= cycle.size; count++) {
    await pressKey(driver, key)
    await pause(driver, keyPauseMs)
    const { stop } = await readStep(driver)
    if (stop === null || !cycle.has(stop)) return true
  }
  return false
}

/** Tries all keys that leave an element. Returns true if none does. */
async function isTrap(driver: Driver, cycle: ReadonlySet<number>): Promise<boolean> {
  if (await leavesCycle(driver, 'Shift+Tab', cycle)) return false
  await pressKey(driver, 'Escape')
  await pause(driver, keyPauseMs)
  const [firstStop] = cycle
  const { stop } = await readStep(driver)
  if (stop === null || !cycle.has(stop)) return false
  if (await evaluate<boolean>(driver, `clearwayDrive.walk.isStopGone(${firstStop})`)) return false
  return !(await leavesCycle(driver, 'Tab', cycle))
}

const maxTrapElements = 5

async function addTrap({ driver, hits, trappedStops }: Walk, cycle: ReadonlySet<number>): Promise<void> {
  const [firstStop] = cycle
  const isReview = await evaluate<boolean>(
    driver,
    `clearwayDrive.walk.namesKeys() || clearwayDrive.walk.isInDialog(${firstStop})`,
  )
  const elements = [...cycle]
    .slice(0, maxTrapElements)
    .map((stop) => `{ stop: ${stop}, element: clearwayDrive.walk.getStop(${stop}) }`)
  const hit = {
    rule: 'drive-keyboard-trap',
    verdict: isReview ? 'review' : 'fail',
    proof: `Tab, Shift+Tab and Escape do not leave ${cycle.size === 1 ? 'the element' : `these ${cycle.size} elements`}`,
  }
  for (const stop of cycle) trappedStops.add(stop)
  hits.push(
    ...(await readHits(
      driver,
      `[${elements.join(', ')}].filter(({ element }) => element).map((place) => ({ ...${JSON.stringify(hit)}, ...place }))`,
    )),
  )
}

/** Handles a stop that was visited before. Returns false at the end of the walk. */
async function handleKnownStop(walk: Walk, path: readonly number[], step: WalkStep): Promise<boolean> {
  const { driver } = walk
  const cycle = new Set(path.slice(path.lastIndexOf(step.stop!)))
  cycle.add(step.stop!)
  const remainingCount = await evaluate<number>(driver, 'clearwayDrive.walk.countRemaining()')
  if (cycle.size > 1 && remainingCount === 0) return false
  const isLast = cycle.size === 1 && remainingCount === 0 && walk.stopCount === 1
  if (isLast || walk.trapCount >= maxTraps) return skipStop(driver)
  walk.trapCount += 1
  if (await isTrap(driver, cycle)) await addTrap(walk, cycle)
  return skipStop(driver)
}

/** Notes the current stop, or else the last one, if a navigation was refused since the previous note. */
function noteNavigations(walk: Walk, stop = walk.stopCount - 1): void {
  const count = countNavigations(walk.driver)
  if (count > walk.navigationCount && stop >= 0) walk.navigatingStops.add(stop)
  walk.navigationCount = count
}

async function walkForward(walk: Walk): Promise<void> {
  const { driver } = walk
  const path: number[] = []
  let innerCount = 0
  let documentCount = 0
  await evaluate(driver, 'clearwayDrive.walk.start()')
  while (walk.stopCount < maxWalkStops) {
    const step = await pressAndRead(driver, 'Tab')
    noteNavigations(walk, step.stop ?? undefined)
    if (step.stop === null) {
      documentCount += 1
      // The end of the document; the first key may also lead there.
      if (path.length > 0 && (await evaluate<number>(driver, 'clearwayDrive.walk.countRemaining()')) === 0) return
      if (documentCount > 2) return
      continue
    }
    const isStill = step.stop === path.at(-1)
    innerCount = isStill && step.hasInnerStops ? innerCount + 1 : 0
    if (step.isNew) {
      walk.stopCount += 1
      path.push(step.stop)
      await photographHidden(walk, step)
      // The keys of a frame are its own.
      if (step.isFrame && !(await skipStop(driver))) return
      if (step.isFrame) path.push(...(await readSkipped(walk)))
      continue
    }
    if (innerCount > 0 && innerCount < maxInnerStops) continue
    if (innerCount >= maxInnerStops ? !(await skipStop(driver)) : !(await handleKnownStop(walk, path, step))) return
    path.push(...(await readSkipped(walk)))
  }
}

/** Reads the stop after a skip. */
async function readSkipped(walk: Walk): Promise<number[]> {
  const { stop, isNew } = await readStep(walk.driver)
  if (isNew) walk.stopCount += 1
  return stop === null ? [] : [stop]
}

const maxNavigatingStops = 6
/** Time in which a page navigates by the focus. A busy machine needs most of it. */
const maxNavigationMs = 1000

/** Waits until a navigation is refused. Returns false if there is none. */
async function navigatesSoon(driver: Driver, countBefore: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < maxNavigationMs && countNavigations(driver) === countBefore; waitedMs += 50)
    await pause(driver, 50)
  return countNavigations(driver) > countBefore
}

/** Focuses stops again, one by one: a page may also have navigated by itself. */
async function confirmNavigations(walk: Walk): Promise<void> {
  const { driver } = walk
  noteNavigations(walk)
  const seenStops = await evaluate<number[]>(driver, 'clearwayDrive.walk.listNavigating()')
  // A refusal may be noticed a few stops late.
  const lateStops = [...walk.navigatingStops].flatMap((stop) => [stop, stop - 1, stop - 2]).filter((stop) => stop >= 0)
  const stops = new Set([...seenStops, ...lateStops])
  for (const stop of [...stops].slice(0, maxNavigatingStops)) {
    await evaluate(driver, 'document.activeElement && document.activeElement.blur && document.activeElement.blur()')
    await pause(driver, 100)
    const countBefore = countNavigations(driver)
    if (!(await evaluate<boolean>(driver, `clearwayDrive.walk.focusStop(${stop})`)) && countNavigations(driver) === countBefore)
      continue
    if (!(await navigatesSoon(driver, countBefore))) continue
    const hit = { rule: 'drive-on-focus', verdict: 'fail', proof: 'The page navigates as soon as the element has the focus' }
    walk.hits.push(
      ...(await readHits(driver, `[{ ...${JSON.stringify({ ...hit, stop })}, element: clearwayDrive.walk.getStop(${stop}) }]`)),
    )
  }
}

/** Walks backwards, only to find stops under bars: the browser scrolls the other way. */
async function walkBackward(walk: Walk): Promise<void> {
  const { driver, stopCount } = walk
  if (!(await evaluate<boolean>(driver, 'clearwayDrive.walk.hasFixedBars()'))) return
  walk.hiddenCount = 0
  for (let count = 0; count < Math.min(stopCount, 60); count++) {
    await pressKey(driver, 'Shift+Tab')
    const step = await evaluate<WalkStep>(driver, 'clearwayDrive.walk.stepBack()')
    await photographHidden(walk, step)
    if (step.isFrame) return
  }
}

const maxUnnamedRoles = 6

/** Judges stops without a role: what reacts to keys or to the mouse has to say what it is. */
async function judgeUnnamedRoles({ driver, hits }: Walk): Promise<void> {
  const stops = await evaluate<number[]>(driver, 'clearwayDrive.walk.listUnnamedRoles()')
  for (const stop of stops.slice(0, maxUnnamedRoles)) {
    const effect = await pressStop(driver, stop)
    const hit = {
      rule: 'drive-stop-without-role',
      verdict: effect === 'change' ? 'fail' : 'review',
      proof: proofsByEffect[effect],
      stop,
    }
    hits.push(...(await readHits(driver, `[{ ...${JSON.stringify(hit)}, element: clearwayDrive.walk.getStop(${stop}) }]`)))
  }
}

const proofsByEffect: Record<PressEffect, string> = {
  change: 'The element can be focused and pressed, and has no role',
  none: 'The element can be focused, and does nothing',
  unknown: 'The element can be focused; its presses could not be checked',
}

const hiddenRules: ReadonlySet<string> = new Set(['drive-focus-obscured', 'drive-invisible-stop'] satisfies DriveRuleId[])
const focusRule: DriveRuleId = 'drive-focus-visible'

/** Time that pictures leave for the presses of a page. */
const minPressMs = 20_000

/**
 * Adds the pictures that show what was found. Hits without one keep the page's own picture, as all that remain do once the page no
 * longer responds to its focus.
 */
async function addWalkPictures({ driver, hiddenPictures }: Walk, hits: readonly DriveHit[]): Promise<DriveHit[]> {
  if (!driver.listPictured) return [...hits]
  const pictured: DriveHit[] = []
  let remainingCount = maxFocusPictures
  const pictureFocus = async (stop: number) => {
    if (stop < 0 || remainingCount <= 0 || getRemainingMs(driver, Infinity) < minPressMs) return null
    remainingCount -= 1
    try {
      return await photographFocus(driver, stop)
    } catch (error) {
      if (!(error instanceof DriveEnd)) throw error
      remainingCount = 0
      return null
    }
  }
  for (const hit of hits) {
    const stop = hit.stop ?? -1
    const hiddenPicture = hiddenRules.has(hit.rule) ? hiddenPictures.get(stop) : undefined
    const picture = hit.rule === focusRule ? await pictureFocus(stop) : hiddenPicture
    pictured.push(picture ? { ...hit, picture } : hit)
  }
  return pictured
}

/**
 * Walks through a page with Tab, and judges what the focus shows. Verdicts come from styles, geometry and events; what can be
 * reached is not compared with what a mouse reaches.
 */
export async function driveWalk(
  driver: Driver,
  rules: ReadonlySet<DriveRuleId>,
): Promise<{ hits: DriveHit[]; stops: WalkStop[] }> {
  const walk: Walk = {
    driver,
    hits: [],
    navigatingStops: new Set(),
    trappedStops: new Set(),
    trapCount: 0,
    stopCount: 0,
    navigationCount: countNavigations(driver),
    hiddenPictures: new Map(),
    hiddenCount: 0,
  }
  await driver.tab.page.mouse.move(0, 0)
  await walkForward(walk)
  if (rules.has('drive-focus-obscured')) await walkBackward(walk)
  walk.hits.push(...(await readHits(driver, 'clearwayDrive.walk.finish()')))
  await confirmNavigations(walk)
  if (rules.has('drive-stop-without-role') && getRemainingMs(driver) > 0) await judgeUnnamedRoles(walk)
  const ruleHits = walk.hits.filter(({ rule }) => rules.has(rule as DriveRuleId))
  const facts = await evaluate<WalkStopFacts[]>(driver, 'clearwayDrive.walk.listStops()')
  const hits = await addWalkPictures(walk, ruleHits)
  return { hits, stops: facts.slice(0, maxWalkStops).map((stop, number) => ({ ...stop, faults: listFaults(hits, number) })) }
}

/** Rules that a stop fails. A failure counts more than a review of the same rule. */
const listFaults = (hits: readonly DriveHit[], number: number): WalkStop['faults'] =>
  [
    ...Map.groupBy(
      hits.filter(({ stop }) => stop === number),
      ({ rule }) => rule,
    ),
  ].map(([rule, ruleHits]) => ({
    rule,
    isReview: isReviewOnly(ruleHits),
  }))
const isReviewOnly = (hits: readonly DriveHit[]) => hits.every(({ verdict }) => verdict === 'review')
