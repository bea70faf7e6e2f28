import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Exceeds the number of tab stops on any screen. */
const maxTabStops = 150

/** Returns the accessible name of the focused control, as far as needed to tell controls apart. */
export const getFocusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null
    if (!element) return ''
    const ariaLabel = element.getAttribute('aria-label')
    const label = element.labels?.[0]?.textContent
    return (ariaLabel ?? label ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
  })

export const expectFocus = (control: Locator): Promise<void> =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)

/** Returns a control's description for screen readers. */
export const getDescription = (control: Locator): Promise<string> =>
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
  for (let stop = 0; stop < maxTabStops; stop++) {
    await page.keyboard.press('Tab')
    const focusedName = await getFocusedName(page)
    if (typeof name === 'string' ? focusedName === name : name.test(focusedName)) return
    met.push(focusedName)
  }
  throw new Error(`Tab never came to ${name}; it met: ${[...new Set(met)].join(' | ')}`)
}

/** Returns the number of tab stops between the top of the screen and the first row of its table, skip links included. */
export async function countStopsToFirstRow(page: Page): Promise<number> {
  await page.reload()
  await page.locator('tbody tr').first().waitFor()
  for (let stop = 0; stop < maxTabStops; stop++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement?.closest('tbody'))) return stop
  }
  return Infinity
}

/** Reaches a control by Tab and types. */
export async function typeInto(page: Page, name: string | RegExp, input: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.insertText(input)
}

/** Reaches a button or link by Tab and presses Enter. */
export async function pressOn(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}
