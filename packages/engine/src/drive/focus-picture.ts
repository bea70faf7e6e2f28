import type { Picture } from '../outcome.ts'
import { getViewportPart, photographViewport, type StatePicture } from './state-picture.ts'
import { evaluate, type Driver } from './driver.ts'
import { joinPictures } from './join-in-page.ts'

/** Maximum size of each half in pixels. Screens show a part of 640 × 400 pixels of a picture without scaling it. */
const maxHalfSize = { width: 304, height: 384 }
/** Pixels between the halves. JPEG encodes blocks of 16 pixels, so equal halves stay equal. */
const gap = 16

/**
 * Takes a picture of a stop of the Tab key: without the focus on the left, with it on the right, for people to compare. The
 * verdict does not depend on it.
 * @returns null if the element cannot be focused or shown
 */
export async function photographFocus(driver: Driver, stop: number): Promise<Picture | null> {
  const halves: StatePicture[] = []
  for (const hasFocus of [true, false]) {
    const isReady = await evaluate<boolean>(driver, `clearwayDrive.walk.${hasFocus ? 'focusStop' : 'blurStop'}(${stop})`)
    if (!isReady) return null
    await evaluate(driver, 'clearwayDrive.kit.waitForFrame(100)')
    const part = await getViewportPart(driver, `clearwayDrive.walk.getStopEdges(${stop})`, maxHalfSize)
    const half = part && (await photographViewport(driver, part))
    if (!half) return null
    halves.push(half)
  }
  const [focused, blurred] = halves.map(({ image }) => Buffer.from(image).toString('base64'))
  const joined = await evaluate<{ image: string; width: number; height: number } | null>(
    driver,
    `(${joinPictures.toString()})(${JSON.stringify([blurred, focused])}, ${gap})`,
  )
  if (!joined) return null
  const { width, height } = joined
  return {
    image: new Uint8Array(Buffer.from(joined.image, 'base64')),
    mimeType: 'image/jpeg',
    box: { x: 0, y: 0, width, height },
  }
}
