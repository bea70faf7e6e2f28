import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** More stops than any screen of the product has. */
const mostStops = 150

/** What has the focus: its accessible name, as far as it needs telling one control from another. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    if (!element) return ''
    const own = element.getAttribute('aria-label')
    const label = element.labels?.[0]?.textContent
    return (own ?? label ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
  })

/** Waits until a control has the focus. */
export const expectFocus = (control: Locator): Promise<void> =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)

/** What describes a control to those who hear it. */
export const descriptionOf = (control: Locator): Promise<string> =>
  control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')
      .trim(),
  )

/** Presses Tab until the control of that name has the focus. Throws when it is never reached. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const met: string[] = []
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (typeof name === 'string' ? now === name : name.test(now)) return
    met.push(now)
  }
  throw new Error(`Tab never came to ${name}; it met: ${[...new Set(met)].join(' | ')}`)
}

/** Comes to a control by Tab and types. */
export async function typeInto(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.insertText(text)
}

/** Comes to a button or link by Tab and presses Enter. */
export async function pressOn(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}
