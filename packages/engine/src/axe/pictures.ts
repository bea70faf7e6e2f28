import { within } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import { call, worldOf } from '../browser/world.ts'
import type { Finding, Picture } from '../outcome.ts'
import { cropImage } from './crop-in-page.ts'
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
/** The page is photographed in bands of this height, from which the pictures are cut: one photograph costs as much as three of their clips. */
const bandHeight = 2400
const maxBands = 4
/** Below this, in pixels, nothing is photographed. */
const deepest = 60_000

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

/** Same place in the template and same code: the picture of one is the picture of the other. */
const shelfKey = (finding: Finding): string =>
  `${finding.elementKey}\n${finding.ordinal}\n${finding.html.slice(0, 1000)}`

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

type Band = { area: Box; wanted: Wanted[] }

/** Groups what is wanted into bands of the document, from the top. */
function bandsOf(wanted: readonly Wanted[]): Band[] {
  const bands: Band[] = []
  for (const entry of [...wanted].sort((a, b) => a.clip.y - b.clip.y)) {
    const { x, y, width, height } = entry.clip
    const last = bands.at(-1)
    if (!last || y + height > last.area.y + bandHeight) {
      bands.push({ area: { x, y, width, height }, wanted: [entry] })
      continue
    }
    const { area } = last
    const right = Math.max(area.x + area.width, x + width)
    area.height = Math.max(area.y + area.height, y + height) - area.y
    area.x = Math.min(area.x, x)
    area.width = right - area.x
    last.wanted.push(entry)
  }
  return bands.slice(0, maxBands)
}

async function photograph(tab: Tab, area: Box, ms: number): Promise<string | null> {
  const taken = await within(
    ms,
    tab.cdp
      .send('Page.captureScreenshot', {
        format: 'jpeg',
        quality: 90,
        clip: { ...area, scale: 1 },
        captureBeyondViewport: true,
        optimizeForSpeed: true,
      })
      .catch(() => null),
  )
  return taken.done && taken.value ? taken.value.data : null
}

async function cut(tab: Tab, { area, wanted }: Band, shelf: PictureShelf, ms: number): Promise<void> {
  const image = await photograph(tab, area, ms)
  const world = image === null ? null : await worldOf(tab.cdp, tab.mainFrameId, 'axe', ms)
  if (image === null || !world) return
  const pieces = wanted.map(({ clip }) => ({ ...clip, x: clip.x - area.x, y: clip.y - area.y }))
  const program = `(${cropImage.toString()})(${JSON.stringify(image)}, ${JSON.stringify(pieces)}, ${maxBytes})`
  const answer = await call<(string | null)[]>(world, program, ms)
  if (answer.kind !== 'value' || !Array.isArray(answer.value)) return
  wanted.forEach((entry, index) => {
    const text = answer.value[index]
    if (typeof text !== 'string') return
    const picture: Picture = {
      image: Buffer.from(text, 'base64'),
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
  for (const band of bandsOf(wantedOf(shelf, findings, places))) {
    const left = end - performance.now()
    if (left < 100) return
    await cut(tab, band, shelf, Math.min(2000, left))
  }
}
