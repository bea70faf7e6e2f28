import type { WalkStop } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { withTimeout } from '../browser/deadline.ts'
import { evaluate, getRemainingMs, type Driver } from './driver.ts'

/** Height of a picture in pixels: about five windows. Stops below it are in the list only. */
const maxHeight = 5000
const margin = 40
const maxCaptureMs = 10_000
const jpegQuality = 50

/** Takes a picture of a page from its top to its last stop; null if it does not arrive in time. */
export async function photographWalk(driver: Driver, stops: readonly WalkStop[]): Promise<Uint8Array | null> {
  const { width, height } = await evaluate<{ width: number; height: number }>(
    driver,
    `(() => {
      if (document.activeElement) document.activeElement.blur?.();
      scrollTo({ left: 0, top: 0, behavior: 'instant' });
      return { width: innerWidth, height: Math.max(innerHeight, document.documentElement.scrollHeight) };
    })()`,
  )
  const lastBottom = Math.max(0, ...stops.map(({ box }) => (box ? box.y + box.height + margin : 0)))
  const clip = { x: 0, y: 0, width, height: Math.min(height, maxHeight, Math.max(lastBottom, width / 2)), scale: 1 }
  const captureResult = await withTimeout(
    Math.max(1, getRemainingMs(driver, maxCaptureMs)),
    driver.tab.cdp
      .send('Page.captureScreenshot', { format: 'jpeg', quality: jpegQuality, captureBeyondViewport: true, clip })
      .catch(() => null),
  )
  return captureResult.done && captureResult.value ? new Uint8Array(Buffer.from(captureResult.value.data, 'base64')) : null
}
