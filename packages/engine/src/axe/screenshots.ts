import { hash } from 'node:crypto'
import { withTimeout } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { callInTab } from '../browser/isolated-world.ts'
import type { Finding, Picture } from '../outcome.ts'
import type { Box, ElementReference } from './report-in-page.ts'
import { type Point, findCoveredPoints, scrollPage } from './viewport-in-page.ts'

/** Pictures of elements that repeat across pages, so that pages are not scrolled for elements pictured before. */
export type PictureCache = { picturesByKey: Map<string, Picture>; bytes: number }

export const openPictureCache = (): PictureCache => ({ picturesByKey: new Map(), bytes: 0 })

const maxCacheBytes = 24 * 1024 * 1024
/** Margin that makes an element recognizable, and the maximum visible part required of a large element. */
const elementMargin = 40
const maxCoreWidth = 560
const maxCoreHeight = 320
/**
 * Maximum number of screenshots per page: the initial viewport and two more positions. They show the viewport:
 * capturing a larger area or a clip makes the browser lay out the page twice, which on long pages costs more than axe.
 */
const maxScreenshots = 3
/** Maximum number of elements for which further positions are computed. */
const maxWantedElements = 100
/** Pixels at the top of a scrolled viewport that a fixed header may cover. */
const headerHeight = 120
/** Maximum depth of screenshots on a page, in pixels. */
const maxDepth = 60_000
/** Text stays readable. WebP would be a fifth smaller but take three times as long. */
const jpegQuality = 50

/** A finding whose element has a box, and the core of that box that must be visible: all of it, or its upper left. */
type VisibleFinding = { finding: Finding; box: Box; core: Box }
type PictureJob = { tab: Tab; pictureCache: PictureCache; findings: readonly Finding[]; elements: readonly ElementReference[] }
type ViewportSize = { width: number; height: number }
/** The part of the document that a screenshot shows. */
export type Viewport = Point & ViewportSize

function computeCore({ x, y, width, height }: Box): Box | null {
  if (width <= 0 || height <= 0 || x + width <= 0 || y + height <= 0 || x > maxDepth || y > maxDepth) return null
  const [coreLeft, coreTop] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))]
  return {
    x: coreLeft,
    y: coreTop,
    width: Math.min(maxCoreWidth, Math.ceil(x + width) - coreLeft),
    height: Math.min(maxCoreHeight, Math.ceil(y + height) - coreTop),
  }
}

const isInViewport = (elementCore: Box, { x, y, width, height }: Viewport): boolean =>
  elementCore.x >= x &&
  elementCore.y >= y &&
  elementCore.x + elementCore.width <= x + width &&
  elementCore.y + elementCore.height <= y + height

/** Box of an element in a screenshot, clipped at its edges. */
export function toPictureBox({ x: viewportLeft, y: viewportTop, width, height }: Viewport, box: Box): Picture['box'] {
  const [startX, startY] = [Math.round(box.x - viewportLeft), Math.round(box.y - viewportTop)]
  const boxLeft = Math.min(width - 1, Math.max(0, startX))
  const boxTop = Math.min(height - 1, Math.max(0, startY))
  const boxRight = Math.min(width, startX + Math.round(box.width))
  const boxBottom = Math.min(height, startY + Math.round(box.height))
  return { x: boxLeft, y: boxTop, width: Math.max(1, boxRight - boxLeft), height: Math.max(1, boxBottom - boxTop) }
}

/** Elements with the same template position and code share a picture. Hashed because a run has many thousands. */
const computeCacheKey = ({ elementKey, ordinal, html }: Finding): string =>
  hash('sha256', `${elementKey}\n${ordinal}\n${html.slice(0, 1000)}`, 'base64url')

/** Findings for which further positions are computed: one element of each pattern comes first. */
function prioritizeFindings(missingFindings: readonly VisibleFinding[]): VisibleFinding[] {
  const seenPatterns = new Set<string>()
  const firstOfPattern: VisibleFinding[] = []
  const laterFindings: VisibleFinding[] = []
  for (const visibleFinding of missingFindings) {
    const findingPattern = `${visibleFinding.finding.rule}\n${visibleFinding.finding.elementPattern}`
    ;(seenPatterns.has(findingPattern) ? laterFindings : firstOfPattern).push(visibleFinding)
    seenPatterns.add(findingPattern)
  }
  return [...firstOfPattern, ...laterFindings].slice(0, maxWantedElements)
}

/** Returns at most `maxViewports` viewports that show the most missing elements. */
function chooseViewports(
  missingFindings: readonly VisibleFinding[],
  { width, height }: ViewportSize,
  maxViewports: number,
): Viewport[] {
  const viewportCounts: { window: Viewport; count: number }[] = []
  for (const { core: elementCore } of prioritizeFindings(missingFindings).sort((first, second) => first.core.y - second.core.y)) {
    const fittingViewport = viewportCounts.find(({ window }) => isInViewport(elementCore, window))
    if (fittingViewport) {
      fittingViewport.count++
      continue
    }
    const viewportX = elementCore.x + elementCore.width <= width ? 0 : Math.max(0, elementCore.x - elementMargin)
    const newViewport = {
      x: viewportX,
      y: Math.max(0, elementCore.y - headerHeight - elementMargin),
      width,
      height: height - elementMargin,
    }
    if (isInViewport(elementCore, newViewport)) viewportCounts.push({ window: newViewport, count: 1 })
  }
  return viewportCounts
    .toSorted((first, second) => second.count - first.count)
    .slice(0, maxViewports)
    .map(({ window }) => window)
    .sort((first, second) => first.y - second.y)
}

/** JPEG screenshot in a separate buffer; null if it does not arrive in time. */
async function takeScreenshot(tab: Tab, timeoutMs: number): Promise<Uint8Array | null> {
  const captureResult = await withTimeout(
    timeoutMs,
    tab.cdp.send('Page.captureScreenshot', { format: 'jpeg', quality: jpegQuality, optimizeForSpeed: true }).catch(() => null),
  )
  // Copied: a small buffer may be a slice of a larger one, which would be retained for the whole run.
  return captureResult.done && captureResult.value ? new Uint8Array(Buffer.from(captureResult.value.data, 'base64')) : null
}

/** Evaluates an expression in our world of the page; null if the page does not respond in time. */
async function evaluateInTab<T>(tab: Tab, expression: string, timeoutMs: number): Promise<T | null> {
  const callResult = await callInTab<T>(tab, expression, timeoutMs)
  return callResult.kind === 'value' ? callResult.value : null
}

const scrollViewport = (tab: Tab, { x, y }: Point, timeoutMs: number): Promise<Viewport | null> =>
  evaluateInTab<Viewport>(tab, `(${scrollPage.toString()})(${x}, ${y})`, timeoutMs)

/** Returns findings whose element center is not covered by a fixed or sticky element. */
async function filterUncovered(
  tab: Tab,
  visibleFindings: readonly VisibleFinding[],
  viewport: Viewport,
  timeoutMs: number,
): Promise<VisibleFinding[]> {
  const centerPoints = visibleFindings.map(({ box }) => ({
    x: box.x + box.width / 2 - viewport.x,
    y: box.y + box.height / 2 - viewport.y,
  }))
  const coverExpression = `(${findCoveredPoints.toString()})(${JSON.stringify(centerPoints)})`
  const coveredFlags = await evaluateInTab<boolean[]>(tab, coverExpression, timeoutMs)
  return Array.isArray(coveredFlags) ? visibleFindings.filter((_, index) => coveredFlags[index] === false) : []
}

/** Assigns a screenshot to the findings that it shows. */
function assignPictures(
  pictureCache: PictureCache,
  image: Uint8Array,
  viewport: Viewport,
  visibleFindings: readonly VisibleFinding[],
): void {
  let wasCached = false
  for (const { finding, box } of visibleFindings) {
    const elementPicture: Picture = { image, mimeType: 'image/jpeg', box: toPictureBox(viewport, box) }
    finding.picture = elementPicture
    const pictureKey = computeCacheKey(finding)
    if (pictureCache.bytes > maxCacheBytes || pictureCache.picturesByKey.has(pictureKey)) continue
    pictureCache.picturesByKey.set(pictureKey, elementPicture)
    wasCached = true
  }
  if (wasCached) pictureCache.bytes += image.length
}

/** Scrolls to another position, and assigns its screenshot to the missing findings visible there. */
async function captureAt(
  { tab, pictureCache }: PictureJob,
  targetViewport: Viewport,
  missingFindings: readonly VisibleFinding[],
  timeoutMs: number,
): Promise<Uint8Array | null> {
  const viewport = await scrollViewport(tab, targetViewport, timeoutMs)
  if (!viewport) return null
  const containedFindings = missingFindings.filter(
    ({ finding, core: elementCore }) => !finding.picture && isInViewport(elementCore, viewport),
  )
  const screenshot = containedFindings.length === 0 ? null : await takeScreenshot(tab, timeoutMs)
  // Checked after the screenshot, when elements that appear on scroll are visible.
  const uncoveredFindings = screenshot ? await filterUncovered(tab, containedFindings, viewport, timeoutMs) : []
  if (!screenshot || uncoveredFindings.length === 0) return null
  assignPictures(pictureCache, screenshot, viewport, uncoveredFindings)
  return screenshot
}

/** Returns findings without a picture. Elements that look the same on other pages reuse their picture. */
function findMissing(pictureCache: PictureCache, visibleFindings: readonly VisibleFinding[]): VisibleFinding[] {
  return visibleFindings.filter(({ finding }) => {
    if (finding.picture) return false
    finding.picture = pictureCache.picturesByKey.get(computeCacheKey(finding)) ?? null
    return !finding.picture
  })
}

/**
 * Takes screenshots of a page and assigns them to its findings with boxes, within `timeoutMs`. Findings that cannot be
 * shown stay without a picture; the page does not fail.
 * @returns JPEG screenshots from top to bottom; none if the page does not respond
 */
export async function addPictures(job: PictureJob, timeoutMs: number): Promise<Uint8Array[]> {
  const { tab, pictureCache, findings, elements } = job
  const deadlineAt = performance.now() + timeoutMs
  const getRemainingMs = () => Math.min(2000, deadlineAt - performance.now())
  const visibleFindings = findings.flatMap((finding, index): VisibleFinding[] => {
    const elementBox = elements[index]?.box
    const elementCore = elementBox && computeCore(elementBox)
    return elementCore ? [{ finding, box: elementBox, core: elementCore }] : []
  })
  const topViewport = await scrollViewport(tab, { x: 0, y: 0 }, getRemainingMs())
  const topScreenshot = topViewport && (await takeScreenshot(tab, getRemainingMs()))
  if (!topViewport || !topScreenshot) return []
  assignPictures(
    pictureCache,
    topScreenshot,
    topViewport,
    visibleFindings.filter(({ core: elementCore }) => isInViewport(elementCore, topViewport)),
  )
  const pageScreenshots = [topScreenshot]
  const missingFindings = findMissing(pictureCache, visibleFindings)
  for (const targetViewport of chooseViewports(missingFindings, topViewport, maxScreenshots - 1)) {
    const nextScreenshot = getRemainingMs() < 100 ? null : await captureAt(job, targetViewport, missingFindings, getRemainingMs())
    if (nextScreenshot) pageScreenshots.push(nextScreenshot)
  }
  return pageScreenshots
}
