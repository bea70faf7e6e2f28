import type { Box, ElementReference } from '../axe/report-in-page.ts'
import { toPictureBox, type Viewport } from '../axe/screenshots.ts'
import { withTimeout } from '../browser/deadline.ts'
import type { Picture } from '../outcome.ts'
import { evaluate, getRemainingMs, type Driver } from './driver.ts'

/** Screenshot of a page in a state, and the part of the document that it shows. */
export type StatePicture = { image: Uint8Array; viewport: Viewport }

/** Maximum height of a picture in pixels: about five windows. */
const maxHeight = 5000
const margin = 40
const maxCaptureMs = 10_000
const jpegQuality = 50

/** JPEG of a part of the document; null if it does not arrive in time. */
async function photographPart(driver: Driver, part: Viewport): Promise<StatePicture | null> {
  const captureResult = await withTimeout(
    Math.max(1, getRemainingMs(driver, maxCaptureMs)),
    driver.tab.cdp
      .send('Page.captureScreenshot', {
        format: 'jpeg',
        quality: jpegQuality,
        captureBeyondViewport: true,
        clip: { ...part, scale: 1 },
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
  return photographPart(driver, viewport)
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
  return photographPart(driver, { x: 0, y: 0, width, height: Math.min(height, maxHeight, Math.max(lastBottom, windowHeight)) })
}

/** The element in the picture of its state; null if the picture does not show it. */
export function findInPicture(picture: StatePicture | null, reference: ElementReference): Picture | null {
  const box = reference?.box
  if (!picture || !box || box.width <= 0 || box.height <= 0) return null
  const { x, y, width, height } = picture.viewport
  const isShown = box.x < x + width && box.y < y + height && box.x + box.width > x && box.y + box.height > y
  return isShown ? { image: picture.image, mimeType: 'image/jpeg', box: toPictureBox(picture.viewport, box) } : null
}
