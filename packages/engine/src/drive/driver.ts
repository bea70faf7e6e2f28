import type { Cookie } from 'playwright-core'
import { injectAxe } from '../axe/inject.ts'
import type { ElementReference, RawResults } from '../axe/report-in-page.ts'
import type { AxeOptions } from '../axe/version.ts'
import { sleep } from '../browser/deadline.ts'
import { callInWorld, openWorld, type IsolatedWorld } from '../browser/isolated-world.ts'
import type { Tab } from '../browser/tab.ts'
import type { Picture } from '../outcome.ts'
import type { Target } from '@clearway/contract/monitor/issue/schema.ts'
import type { PressGuard } from '../crawl/action/press-guard.ts'
import { driveScript } from './in-page.ts'

/** A hit of a rule, with the identity of its element. */
export type DriveHit = {
  rule: string
  verdict: 'fail' | 'review'
  proof: string
  /** Number of the stop of the Tab key that it is about; omitted for other elements. */
  stop?: number
  reference: ElementReference
  target: Target
  html: string
  /** Picture in the state in which it was found; null if there is none. Omitted for a page as it was visited. */
  picture?: Picture | null
}

/** Violations of axe in a state of a page. */
export type StateResults = { results: RawResults; elements: ElementReference[] }

/** Ends a drive early: its time is over, or the page no longer responds. */
export class DriveEnd extends Error {}

/** Tab that rules drive. Every call throws `DriveEnd` when the drive is over. */
export type Driver = {
  tab: Tab
  script: string
  axe: AxeOptions
  /** Null for the tab of the visit, in which nothing is pressed. */
  guard: PressGuard | null
  deadlineAt: number
  /** Our world of the current document; null before its first call. */
  world: IsolatedWorld | null
  /** Cookies of the opened page before the first key; omitted before. */
  cookies?: Cookie[]
  /** A press has changed the page, or may have: it is opened again before the next one. */
  isStale: boolean
  /** Something was pressed since the page was opened, other than keys that only move the focus. */
  hasPressed: boolean
  /** Opens the page again, if it may be. */
  reload: () => Promise<void>
  /** Lists the elements of a state that its picture shows; null if no pictures are taken. */
  listPictured: ((results: StateResults) => readonly ElementReference[]) | null
}

const maxCallMs = 10_000

export const getRemainingMs = ({ deadlineAt }: Pick<Driver, 'deadlineAt'>, maxMs = maxCallMs): number =>
  Math.min(maxMs, deadlineAt - performance.now())

async function ensureWorld(driver: Driver): Promise<IsolatedWorld> {
  if (driver.world) return driver.world
  const world = await openWorld(driver.tab.cdp, driver.tab.mainFrameId, 'axe', Math.max(1, getRemainingMs(driver, 2000)))
  if (!world) throw new DriveEnd('The page does not respond')
  const defined = await callInWorld<number>(world, `${driveScript}1`, Math.max(1, getRemainingMs(driver)))
  if (defined.kind !== 'value') throw new DriveEnd(defined.kind === 'threw' ? defined.message : 'The page does not respond')
  driver.world = world
  return world
}

/** Evaluates an expression in our world of the page, in which `clearwayDrive` is. */
export async function evaluate<T>(driver: Driver, expression: string, maxMs = maxCallMs): Promise<T> {
  const world = await ensureWorld(driver)
  const remainingMs = getRemainingMs(driver, maxMs)
  if (remainingMs <= 0) throw new DriveEnd('The time for driving is over')
  const callResult = await callInWorld<T>(world, expression, remainingMs)
  if (callResult.kind === 'value') return callResult.value
  throw new DriveEnd(callResult.kind === 'threw' ? callResult.message : `The page does not respond: ${callResult.kind}`)
}

/** Defines `axe` and `clearwayPage` in our world, again for each run: they keep state. */
export async function renewAxe(driver: Driver): Promise<void> {
  const world = await ensureWorld(driver)
  const { script, tab } = driver
  const injected = await injectAxe<boolean>(world, { script, reveal: tab.reveal }, 'true', Math.max(1, getRemainingMs(driver)))
  if (injected.kind !== 'value') throw new DriveEnd('The page does not respond')
}

const locateHits = (hits: string) =>
  `JSON.stringify(${hits}.slice(0, 100).map(({ element, ...hit }) => ({ ...hit, ...clearwayDrive.kit.locate(clearwayPage, element) })))`

/** Evaluates an expression whose value is a list of hits in the page. Most pages have none, and need no page API to locate them. */
export async function readHits(driver: Driver, expression: string, maxMs = maxCallMs): Promise<DriveHit[]> {
  const directJson = await evaluate<string | null>(
    driver,
    `Promise.resolve(${expression}).then((hits) => {
      if (hits.length === 0) return '[]';
      if (Object.hasOwn(globalThis, 'clearwayPage')) return ${locateHits('hits')};
      globalThis.clearwayHits = hits;
      return null;
    })`,
    maxMs,
  )
  if (directJson === null) await renewAxe(driver)
  const json = directJson ?? (await evaluate<string>(driver, locateHits('clearwayHits'), maxMs))
  return (JSON.parse(json) as (DriveHit & { target: Target[number] })[]).map((hit) => ({ ...hit, target: [hit.target] }))
}

/** Opens a stale page again. Resolves to true if it was one. */
export async function reloadStale(driver: Driver): Promise<boolean> {
  if (!driver.isStale) return false
  await driver.reload()
  return true
}

/** Number of navigations that the guard of the tab has refused. */
export const countNavigations = ({ guard }: Driver): number => guard?.countNavigations() ?? 0

const movingKeys: ReadonlySet<string> = new Set(['Tab', 'Shift+Tab'])

/** Presses a key, and throws if the drive is over. */
export async function pressKey(driver: Driver, key: string): Promise<void> {
  if (getRemainingMs(driver) <= 0) throw new DriveEnd('The time for driving is over')
  if (!movingKeys.has(key)) driver.hasPressed = true
  await driver.tab.page.keyboard.press(key)
}

/** Clicks a point of the window. */
export async function clickPoint(driver: Driver, { x, y }: { x: number; y: number }): Promise<void> {
  driver.hasPressed = true
  await driver.tab.page.mouse.click(x, y)
}

export const pause = (driver: Driver, milliseconds: number): Promise<void> =>
  sleep(Math.max(0, Math.min(milliseconds, getRemainingMs(driver))))
