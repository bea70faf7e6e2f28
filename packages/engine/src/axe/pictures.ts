import { hash } from 'node:crypto'
import { withTimeout } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { callInTab } from '../browser/world.ts'
import type { Finding, Picture } from '../outcome.ts'
import type { Box, ElementReference } from './report-in-page.ts'
import { type Point, pointsCovered, scrollPage } from './window-in-page.ts'

/** Pictures of elements that are on many pages, so that no page is scrolled for what another has shown. */
export type PictureCache = { known: Map<string, Picture>; bytes: number }

export const openPictureCache = (): PictureCache => ({ known: new Map(), bytes: 0 })

const cacheBytes = 24 * 1024 * 1024
/** What an element needs around it to be known again, and the most that must be seen of a large one. */
const margin = 40
const widest = 560
const highest = 320
/**
 * Photographs a page: the window as it opens, and two more positions. They are of the window as it shows: one of more than
 * the window, or of a clip, makes the browser lay the page out twice, which on long pages costs more than axe.
 */
const maxViews = 3
/** Elements for whose sake other positions are looked for. */
const maxWanted = 100
/** Pixels at the top of a window that was scrolled, which a fixed header may cover. */
const headerRoom = 120
/** Below this, in pixels, nothing is photographed. */
const deepest = 60_000
/** Text stays readable; WebP would be a fifth smaller, at three times the work. */
const quality = 50

/** A finding whose element has bounds, and what of that must be seen: all of it, or its upper left. */
type Shown = { finding: Finding; box: Box; core: Box }
type Job = {
  tab: Tab
  pictureCache: PictureCache
  findings: readonly Finding[]
  elements: readonly ElementReference[]
}
type Size = { width: number; height: number }
/** What a photograph shows of the document. */
type Window = Point & Size

function coreOf({ x, y, width, height }: Box): Box | null {
  if (width <= 0 || height <= 0 || x + width <= 0 || y + height <= 0 || x > deepest || y > deepest)
    return null
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))]
  return {
    x: left,
    y: top,
    width: Math.min(widest, Math.ceil(x + width) - left),
    height: Math.min(highest, Math.ceil(y + height) - top),
  }
}

const fits = (core: Box, { x, y, width, height }: Window): boolean =>
  core.x >= x && core.y >= y && core.x + core.width <= x + width && core.y + core.height <= y + height

/** The element's bounds in a photograph, cut at its edges. */
function boxIn({ x: left, y: top, width, height }: Window, box: Box): Picture['box'] {
  const x = Math.min(width - 1, Math.max(0, Math.round(box.x - left)))
  const y = Math.min(height - 1, Math.max(0, Math.round(box.y - top)))
  return {
    x,
    y,
    width: Math.max(1, Math.min(width - x, Math.round(box.width))),
    height: Math.max(1, Math.min(height - y, Math.round(box.height))),
  }
}

/** Same place in the template and same code: the picture of one is the picture of the other. Hashed, since a run has many thousands. */
const cacheKey = ({ elementKey, ordinal, html }: Finding): string =>
  hash('sha256', `${elementKey}\n${ordinal}\n${html.slice(0, 1000)}`, 'base64url')

/** What other positions are looked for: one element of each pattern first. */
function wantedFirst(missing: readonly Shown[]): Shown[] {
  const patterns = new Set<string>()
  const first: Shown[] = []
  const later: Shown[] = []
  for (const shown of missing) {
    const pattern = `${shown.finding.rule}\n${shown.finding.elementPattern}`
    ;(patterns.has(pattern) ? later : first).push(shown)
    patterns.add(pattern)
  }
  return [...first, ...later].slice(0, maxWanted)
}

/** The windows of the document, at most `most`, in which most of what is missing is seen. */
function windowsFor(missing: readonly Shown[], { width, height }: Size, most: number): Window[] {
  const windows: { window: Window; count: number }[] = []
  for (const { core } of wantedFirst(missing).sort((a, b) => a.core.y - b.core.y)) {
    const home = windows.find(({ window }) => fits(core, window))
    if (home) {
      home.count++
      continue
    }
    const x = core.x + core.width <= width ? 0 : Math.max(0, core.x - margin)
    const window = { x, y: Math.max(0, core.y - headerRoom - margin), width, height: height - margin }
    if (fits(core, window)) windows.push({ window, count: 1 })
  }
  return windows
    .toSorted((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ window }) => window)
    .sort((a, b) => a.y - b.y)
}

/** The photograph, in bytes of its own; null when it does not come in time. */
async function photograph(tab: Tab, ms: number): Promise<Uint8Array | null> {
  const taken = await withTimeout(
    ms,
    tab.cdp
      .send('Page.captureScreenshot', { format: 'jpeg', quality, optimizeForSpeed: true })
      .catch(() => null),
  )
  // A copy: a small buffer may be a piece of a larger one, which it would keep alive for the whole run.
  return taken.done && taken.value ? new Uint8Array(Buffer.from(taken.value.data, 'base64')) : null
}

/** Runs one of our functions in our world of the page; null when the page does not answer in time. */
async function ask<T>(tab: Tab, program: string, ms: number): Promise<T | null> {
  const answer = await callInTab<T>(tab, program, ms)
  return answer.kind === 'value' ? answer.value : null
}

const scrollTo = (tab: Tab, { x, y }: Point, ms: number): Promise<Window | null> =>
  ask<Window>(tab, `(${scrollPage.toString()})(${x}, ${y})`, ms)

/** Those whose middle nothing hides that stays put while the page scrolls. */
async function uncovered(tab: Tab, shown: readonly Shown[], at: Window, ms: number): Promise<Shown[]> {
  const points = shown.map(({ box }) => ({
    x: box.x + box.width / 2 - at.x,
    y: box.y + box.height / 2 - at.y,
  }))
  const program = `(${pointsCovered.toString()})(${JSON.stringify(points)})`
  const covered = await ask<boolean[]>(tab, program, ms)
  return Array.isArray(covered) ? shown.filter((_, index) => covered[index] === false) : []
}

/** Gives what a photograph shows its picture. */
function give(pictureCache: PictureCache, image: Uint8Array, window: Window, shown: readonly Shown[]): void {
  let shelved = false
  for (const { finding, box } of shown) {
    const picture: Picture = { image, mimeType: 'image/jpeg', box: boxIn(window, box) }
    finding.picture = picture
    const key = cacheKey(finding)
    if (pictureCache.bytes > cacheBytes || pictureCache.known.has(key)) continue
    pictureCache.known.set(key, picture)
    shelved = true
  }
  if (shelved) pictureCache.bytes += image.length
}

/** Scrolls to another position and shows what of `missing` is seen there. */
async function showAt(
  { tab, pictureCache }: Job,
  target: Window,
  missing: readonly Shown[],
  ms: number,
): Promise<Uint8Array | null> {
  const window = await scrollTo(tab, target, ms)
  if (!window) return null
  const inside = missing.filter(({ finding, core }) => !finding.picture && fits(core, window))
  const image = inside.length === 0 ? null : await photograph(tab, ms)
  // Asked after the photograph: by then what comes up as the page is scrolled has come.
  const shown = image ? await uncovered(tab, inside, window, ms) : []
  if (!image || shown.length === 0) return null
  give(pictureCache, image, window, shown)
  return image
}

/** What no photograph of the page shows yet; what other pages show in the same way has its picture from there. */
function missingOf(pictureCache: PictureCache, all: readonly Shown[]): Shown[] {
  return all.filter(({ finding }) => {
    if (finding.picture) return false
    finding.picture = pictureCache.known.get(cacheKey(finding)) ?? null
    return !finding.picture
  })
}

/**
 * Photographs a page and gives its findings their bounds in the photographs, within `ms`. What cannot be shown stays
 * without; the page is none the worse.
 * @returns the photographs, JPEG, from the top of the page down; none when the page does not answer
 */
export async function addPictures(job: Job, ms: number): Promise<Uint8Array[]> {
  const { tab, pictureCache, findings, elements } = job
  const end = performance.now() + ms
  const left = () => Math.min(2000, end - performance.now())
  const all = findings.flatMap((finding, index): Shown[] => {
    const box = elements[index]?.box
    const core = box && coreOf(box)
    return core ? [{ finding, box, core }] : []
  })
  const first = await scrollTo(tab, { x: 0, y: 0 }, left())
  const top = first && (await photograph(tab, left()))
  if (!first || !top) return []
  give(
    pictureCache,
    top,
    first,
    all.filter(({ core }) => fits(core, first)),
  )
  const views = [top]
  const missing = missingOf(pictureCache, all)
  for (const target of windowsFor(missing, first, maxViews - 1)) {
    const view = left() < 100 ? null : await showAt(job, target, missing, left())
    if (view) views.push(view)
  }
  return views
}
