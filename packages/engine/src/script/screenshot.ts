import { withTimeout } from '../browser/deadline.ts'
import { callInTab } from '../browser/isolated-world.ts'
import type { Tab } from '../browser/tab.ts'
import { hideSecrets, restoreHidden } from './hide-in-page.ts'

const screenshotMs = 5000

/** JPEG of the tab; null if the page provides none in time. */
export async function takeScreenshot(tab: Tab): Promise<Uint8Array | null> {
  const captureResult = await withTimeout(
    screenshotMs,
    tab.cdp.send('Page.captureScreenshot', { format: 'jpeg', quality: 60 }).catch(() => null),
  )
  return captureResult.done && captureResult.value ? Buffer.from(captureResult.value.data, 'base64') : null
}

/** Screenshot without typed values; null also if these cannot be hidden. */
export async function takeRedactedScreenshot(tab: Tab, secretValues: readonly string[]): Promise<Uint8Array | null> {
  const hideExpression = `(${hideSecrets.toString()})(${JSON.stringify(secretValues)})`
  const hideResult = await callInTab(tab, hideExpression, screenshotMs)
  const screenshotBytes = hideResult.kind === 'value' ? await takeScreenshot(tab) : null
  await callInTab(tab, `(${restoreHidden.toString()})()`, screenshotMs)
  return screenshotBytes
}
