import { hash } from 'node:crypto'
import { within } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { call, worldOf } from '../browser/world.ts'
import type { Finding, Picture } from '../outcome.ts'
import { cropImage, type Piece, scrollPage } from './crop-in-page.ts'
import type { Box, Place } from './report-in-page.ts'

/** Pictures of elements that stand on many pages alike, so that each is taken once in a run. */
export type PictureShelf = { known: Map<string, Picture>; bytes: number }

export const openPictureShelf = (): PictureShelf => ({ known: new Map(), bytes: 0 })

const shelfBytes = 24 * 1024 * 1024
const perPage = 20
const maxBytes = 40 * 1024
const widest = 640
const highest = 400
/** Pixels of surroundings on each side. */
const margin = 40
/**
 * Photographs a page, from each of which pictures are cut. They are of the window as it stands: one of more than
 * the window, or of a clip, makes the browser lay the page out twice, which on long pages costs more than axe.
 */
const maxViews = 3
/** Pixels at the top of a window that was scrolled, which a fixed header may cover. */
const headerRoom = 120
/** Below this, in pixels, nothing is photographed. */
const deepest = 60_000

const windowSize = '({ width: innerWidth, height: innerHeight })'

/** An element that wants a picture: the findings that share it, and the part of the document to show. */
type Wanted = { key: string; findings: Finding[]; box: Box; clip: Box }

/** The part of the document to show for an element: the element, or its upper left, with something around it. */
function clipFor(box: Box): Box | null {
  if (box.width <= 0 || box.height <= 0 || box.x + box.width <= 0 || box.y + box.height <= 0) return null
  const x = Math.max(0, Math.floor(box.x - margin))
  const y = Math.max(0, Math.floor(box.y - margin))
  if (x > deepest || y > deepest) return null
  const width = Math.min(widest, Math.ceil(box.x + box.width + margin) - x)
  const height = Math.min(highest, Math.ceil(box.y + box.height + margin) - y)
  return { x, y, width, height }
}

/** The element's place in its picture, cut at the picture's edges. */
function boxIn(clip: Box, box: Box): Picture['box'] {
  const x = Math.min(clip.width - 1, Math.max(0, Math.round(box.x - clip.x)))
  const y = Math.min(clip.height - 1, Math.max(0, Math.round(box.y - clip.y)))
  return {
    x,
    y,
    width: Math.max(1, Math.min(clip.width - x, Math.round(box.width))),
    height: Math.max(1, Math.min(clip.height - y, Math.round(box.height))),
  }
}

/** Same place in the template and same code: the picture of one is the picture of the other. Hashed, since a run has many thousands. */
const shelfKey = ({ elementKey, ordinal, html }: Finding): string =>
  hash('sha256', `${elementKey}\n${ordinal}\n${html.slice(0, 1000)}`, 'base64url')

/** Gives what the shelf has, and lists the distinct elements that are left, those of new patterns first. */
function wantedOf(shelf: PictureShelf, findings: readonly Finding[], places: readonly Place[]): Wanted[] {
  const wanted = new Map<string, Wanted>()
  const patterns = new Set<string>()
  const rest: Wanted[] = []
  for (const [index, finding] of findings.entries()) {
    const key = shelfKey(finding)
    const known = shelf.known.get(key)
    const box = places[index]?.box
    if (known) finding.picture = known
    const clip = !known && box ? clipFor(box) : null
    if (!box || !clip) continue
    const element = `${finding.elementKey}\n${JSON.stringify(box)}`
    const twin = wanted.get(element)
    if (twin) {
      twin.findings.push(finding)
      continue
    }
    const entry: Wanted = { key, findings: [finding], box, clip }
    wanted.set(element, entry)
    const pattern = `${finding.rule}\n${finding.elementPattern}`
    if (patterns.has(pattern)) rest.push(entry)
    patterns.add(pattern)
  }
  const later = new Set(rest)
  return [...[...wanted.values()].filter((entry) => !later.has(entry)), ...rest].slice(0, perPage)
}

/** A window on the document: where to scroll, and what is shown in it. */
type View = { scroll: { x: number; y: number }; wanted: Wanted[] }
type Size = { width: number; height: number }

/**
 * Groups what is wanted into views and answers those that show most. What fits in the first window is seen unscrolled,
 * where fixed elements stand.
 */
function viewsOf(wanted: readonly Wanted[], size: Size): View[] {
  const views: View[] = []
  const fits = ({ clip }: Wanted, { x, y }: View['scroll']) =>
    clip.x >= x &&
    clip.y >= y &&
    clip.x + clip.width <= x + size.width &&
    clip.y + clip.height <= y + size.height
  for (const entry of [...wanted].sort((a, b) => a.clip.y - b.clip.y)) {
    const home = views.find(({ scroll }) => fits(entry, scroll))
    if (home) {
      home.wanted.push(entry)
      continue
    }
    const first = { x: 0, y: 0 }
    const x = entry.clip.x + entry.clip.width <= size.width ? 0 : entry.clip.x
    const scroll = fits(entry, first) ? first : { x, y: Math.max(0, entry.clip.y - headerRoom) }
    if (fits(entry, scroll)) views.push({ scroll, wanted: [entry] })
  }
  return views.toSorted((a, b) => b.wanted.length - a.wanted.length).slice(0, maxViews)
}

async function photograph(tab: Tab, ms: number): Promise<string | null> {
  const taken = await within(
    ms,
    tab.cdp
      .send('Page.captureScreenshot', { format: 'jpeg', quality: 90, optimizeForSpeed: true })
      .catch(() => null),
  )
  return taken.done && taken.value ? taken.value.data : null
}

/** Runs one of our functions in our world of the page; null when the page does not answer in time. */
async function ask<T>(tab: Tab, program: string, ms: number): Promise<T | null> {
  const world = await worldOf(tab.cdp, tab.mainFrameId, 'axe', ms)
  const answer = world ? await call<T>(world, program, ms) : null
  return answer?.kind === 'value' ? answer.value : null
}

async function cut(tab: Tab, { scroll, wanted }: View, shelf: PictureShelf, ms: number): Promise<void> {
  const scrolled = scroll.x > 0 || scroll.y > 0
  const go = `(${scrollPage.toString()})(${scroll.x}, ${scroll.y})`
  const place = await ask<{ x: number; y: number }>(tab, go, ms)
  const image = place && (await photograph(tab, ms))
  if (!place || !image) return
  const pieces = wanted.map(({ box, clip }): Piece => {
    const seen = { x: box.x + box.width / 2 - place.x, y: box.y + box.height / 2 - place.y }
    return { ...clip, x: clip.x - place.x, y: clip.y - place.y, seen: scrolled ? seen : null }
  })
  const crop = `(${cropImage.toString()})(${JSON.stringify(image)}, ${JSON.stringify(pieces)}, ${maxBytes})`
  const images = await ask<(string | null)[]>(tab, crop, ms)
  if (!Array.isArray(images)) return
  wanted.forEach((entry, index) => {
    const text = images[index]
    if (typeof text !== 'string') return
    const picture: Picture = {
      // A copy: a small buffer is a piece of a larger one, which it would keep alive for the whole run.
      image: new Uint8Array(Buffer.from(text, 'base64')),
      mimeType: 'image/webp',
      box: boxIn(entry.clip, entry.box),
    }
    for (const finding of entry.findings) finding.picture = picture
    if (shelf.bytes > shelfBytes || shelf.known.has(entry.key)) return
    shelf.known.set(entry.key, picture)
    shelf.bytes += picture.image.length
  })
}

/**
 * Gives findings their pictures: each distinct element once, at most 20 new ones a page and 40 KB each, within `ms`. What
 * cannot be taken stays without; the page is none the worse.
 */
export async function addPictures(
  tab: Tab,
  shelf: PictureShelf,
  findings: Finding[],
  places: readonly Place[],
  ms: number,
): Promise<void> {
  const end = performance.now() + ms
  const wanted = wantedOf(shelf, findings, places)
  const size = wanted.length === 0 ? null : await ask<Size>(tab, windowSize, ms)
  if (!size) return
  for (const view of viewsOf(wanted, size)) {
    const left = end - performance.now()
    if (left < 100) return
    await cut(tab, view, shelf, Math.min(2000, left))
  }
}
