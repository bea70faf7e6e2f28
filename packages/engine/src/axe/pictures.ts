import { within } from '../browser/deadline.ts'
import type { Tab } from '../browser/tab.ts'
import type { Finding, Picture } from '../outcome.ts'
import type { Box, Place } from './report-in-page.ts'

/** Pictures of elements that stand on many pages alike, so that each is taken once in a run. */
export type PictureShelf = { known: Map<string, Picture>; bytes: number }

export const openPictureShelf = (): PictureShelf => ({ known: new Map(), bytes: 0 })

const shelfBytes = 24 * 1024 * 1024
const perPage = 30
const maxBytes = 40 * 1024
const widest = 640
const highest = 400
/** Pixels of surroundings on each side. */
const margin = 40

/** The part of the document to show for an element: the element, or its upper left, with something around it. */
function clipFor(box: Box): { x: number; y: number; width: number; height: number } | null {
  if (box.width <= 0 || box.height <= 0 || box.x + box.width <= 0 || box.y + box.height <= 0) return null
  const x = Math.max(0, Math.floor(box.x - margin))
  const y = Math.max(0, Math.floor(box.y - margin))
  const width = Math.min(widest, Math.ceil(box.x + box.width + margin) - x)
  const height = Math.min(highest, Math.ceil(box.y + box.height + margin) - y)
  return { x, y, width, height }
}

/** The element's place in the picture, cut at the picture's edges. */
function boxIn(clip: Box, box: Box): Picture['box'] {
  const x = Math.max(0, Math.round(box.x - clip.x))
  const y = Math.max(0, Math.round(box.y - clip.y))
  return {
    x,
    y,
    width: Math.max(1, Math.min(clip.width - x, Math.round(box.width))),
    height: Math.max(1, Math.min(clip.height - y, Math.round(box.height))),
  }
}

async function take(tab: Tab, box: Box, ms: number): Promise<Picture | null> {
  const clip = clipFor(box)
  if (!clip) return null
  const taken = await within(
    ms,
    tab.cdp
      .send('Page.captureScreenshot', {
        format: 'webp',
        quality: 60,
        clip: { ...clip, scale: 1 },
        captureBeyondViewport: true,
        optimizeForSpeed: true,
      })
      .catch(() => null),
  )
  if (!taken.done || !taken.value) return null
  const image = Buffer.from(taken.value.data, 'base64')
  return image.length > maxBytes ? null : { image, mimeType: 'image/webp', box: boxIn(clip, box) }
}

/** Same place in the template and same code: the picture of one is the picture of the other. */
const shelfKey = (finding: Finding): string => `${finding.elementKey}\n${finding.html}`

/**
 * Gives findings their pictures: each distinct element once, at most 30 new ones a page and 40 KB each, within `ms`. What
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
  const onPage = new Map<string, Picture | null>()
  let taken = 0
  for (const [index, finding] of findings.entries()) {
    const place = places[index]
    if (!place) continue
    const element = `${shelfKey(finding)}\n${JSON.stringify(place.box)}`
    const known =
      onPage.get(element) ?? (finding.ordinal === 0 ? shelf.known.get(shelfKey(finding)) : undefined)
    if (known) finding.picture = known
    if (known || onPage.has(element) || taken >= perPage || performance.now() > end) continue
    taken += 1
    const picture = await take(tab, place.box, Math.min(1000, end - performance.now()))
    onPage.set(element, picture)
    finding.picture = picture
    if (!picture || finding.ordinal > 0 || shelf.bytes > shelfBytes) continue
    shelf.known.set(shelfKey(finding), picture)
    shelf.bytes += picture.image.length
  }
}
