import type { Box } from '../axe/report-in-page.ts'
import { toPictureBox, type Viewport } from '../axe/screenshots.ts'
import { withTimeout } from '../browser/deadline.ts'
import type { Picture } from '../outcome.ts'
import { evaluate, getRemainingMs, type DriveHit, type Driver } from './driver.ts'

/** Screenshot of a page in a state, and the part of the document that it shows. */
export type StatePicture = { image: Uint8Array; viewport: Viewport }

/** Maximum height of a picture in pixels: about five windows. */
const maxHeight = 5000
const margin = 40
const maxCaptureMs = 10_000
const jpegQuality = 50

/**
 * JPEG of a part of the document; null if it does not arrive in time.
 * @param kind `window` for all that the window shows; `beyond` lays out the page again, as high as the part needs
 */
async function photographPart(
  driver: Driver,
  part: Viewport,
  { kind = 'beyond', quality = jpegQuality }: { kind?: 'window' | 'part' | 'beyond'; quality?: number } = {},
): Promise<StatePicture | null> {
  const captureResult = await withTimeout(
    Math.max(1, getRemainingMs(driver, maxCaptureMs)),
    driver.tab.cdp
      .send('Page.captureScreenshot', {
        format: 'jpeg',
        quality,
        captureBeyondViewport: kind === 'beyond',
        // A window without a clip is not laid out and scrolled again.
        ...(kind !== 'window' && { clip: { ...part, scale: 1 } }),
      })
      .catch(() => null),
  )
  if (!captureResult.done || !captureResult.value) return null
  return { image: new Uint8Array(Buffer.from(captureResult.value.data, 'base64')), viewport: part }
}

/** Takes a picture of the window of a page as it is. */
export async function photographWindow(driver: Driver): Promise<StatePicture | null> {
  const viewport = await evaluate<Viewport>(
    driver,
    '({ x: Math.round(scrollX), y: Math.round(scrollY), width: innerWidth, height: innerHeight })',
  )
  return photographPart(driver, viewport, { kind: 'window' })
}

/** Quality of pictures of small parts, in which thin lines count. */
const partQuality = 85

/** Takes a picture of a part of the window as it is. */
export const photographViewport = (driver: Driver, part: Viewport): Promise<StatePicture | null> =>
  photographPart(driver, part, { kind: 'part', quality: partQuality })

/**
 * Computes the part of the window around a place in it, or around its beginning.
 * @param edges expression of the edges
 * @returns null if the window does not show it
 */
export const getViewportPart = (
  driver: Driver,
  edges: string,
  maxSize: Pick<Viewport, 'width' | 'height'>,
): Promise<Viewport | null> =>
  evaluate<Viewport | null>(
    driver,
    `(() => {
      const edges = ${edges};
      if (!edges) return null;
      const { minX, minY, maxX, maxY } = edges;
      if (maxX <= 0 || maxY <= 0 || minX >= innerWidth || minY >= innerHeight) return null;
      const toRange = (start, end, length, maxLength) => {
        const visibleStart = Math.max(0, start), visibleEnd = Math.min(length, end);
        const wanted = Math.max(160, visibleEnd - visibleStart + ${2 * margin});
        const size = Math.floor(Math.min(wanted, maxLength, length) / 16) * 16;
        const room = size - Math.min(visibleEnd - visibleStart, size - ${margin});
        return [Math.round(Math.max(0, Math.min(length - size, visibleStart - room / 2))), size];
      };
      const [x, width] = toRange(minX, maxX, document.documentElement.clientWidth, ${maxSize.width});
      const [y, height] = toRange(minY, maxY, innerHeight, ${maxSize.height});
      return { x: Math.round(x + scrollX), y: Math.round(y + scrollY), width, height };
    })()`,
  )

/** Takes a picture of the window for hits, as long as pictures are taken. Hits that it does not show keep the page's own picture. */
export async function addWindowPicture(driver: Driver, hits: readonly DriveHit[]): Promise<DriveHit[]> {
  const picture = driver.listPictured && hits.length > 0 ? await photographWindow(driver) : null
  return hits.map((hit) => {
    const elementPicture = findInPicture(picture, hit.reference?.box)
    return elementPicture ? { ...hit, picture: elementPicture } : hit
  })
}

/** Takes a picture of a page from its top to the last of the elements, as wide as its window. */
export async function photographDocument(driver: Driver, boxes: readonly (Box | undefined)[]): Promise<StatePicture | null> {
  const { width, windowHeight, height } = await evaluate<{ width: number; windowHeight: number; height: number }>(
    driver,
    `(() => {
      if (document.activeElement) document.activeElement.blur?.();
      scrollTo({ left: 0, top: 0, behavior: 'instant' });
      return {
        width: innerWidth,
        windowHeight: innerHeight,
        height: Math.max(innerHeight, document.documentElement.scrollHeight),
      };
    })()`,
  )
  const lastBottom = Math.max(0, ...boxes.map((box) => (box ? Math.ceil(box.y + box.height + margin) : 0)))
  const partHeight = Math.min(height, maxHeight, Math.max(lastBottom, windowHeight))
  const kind = partHeight === windowHeight ? 'window' : 'beyond'
  return photographPart(driver, { x: 0, y: 0, width, height: partHeight }, { kind })
}

/** Maximum number of further pictures of a page, of elements below its picture, and their maximum height. */
const maxDeepPictures = 6
const maxDeepHeight = 400

/** Adds pictures to hits: that of the document, or one of its own for elements that are further down. */
export async function addDocumentPictures(
  driver: Driver,
  hits: readonly DriveHit[],
  documentPicture: StatePicture | null,
): Promise<DriveHit[]> {
  const pictured: DriveHit[] = []
  let deepCount = 0
  for (const hit of hits) {
    const box = hit.reference?.box
    let picture = findInPicture(documentPicture, box)
    if (!picture && documentPicture && box && box.y >= maxHeight && ++deepCount <= maxDeepPictures) {
      const { width } = documentPicture.viewport
      const height = Math.round(Math.min(maxDeepHeight, box.height + 2 * margin))
      const part = { x: 0, y: Math.round(box.y - margin), width, height }
      picture = findInPicture(await photographPart(driver, part), box)
    }
    pictured.push({ ...hit, picture })
  }
  return pictured
}

/** The element in the picture of its state; null if the picture does not show it. */
export function findInPicture(picture: StatePicture | null, box: Box | null | undefined): Picture | null {
  if (!picture || !box || box.width <= 0 || box.height <= 0) return null
  const { x, y, width, height } = picture.viewport
  const isShown = box.x < x + width && box.y < y + height && box.x + box.width > x && box.y + box.height > y
  return isShown ? { image: picture.image, mimeType: 'image/jpeg', box: toPictureBox(picture.viewport, box) } : null
}
