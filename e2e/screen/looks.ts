import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from './accessible.ts'

const wide = { width: 1280, height: 900 }

/** The browser of the tests, to look at the product with. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })

/** A window of somebody who has nothing yet. */
export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({
    viewport: wide,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  })
  page.setDefaultTimeout(20_000)
  return page
}

/** No fault on what the page shows now: light, dark, in forced colors, and on a screen of 320 px. */
export async function everyLook(page: Page): Promise<void> {
  try {
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
    await page.setViewportSize({ width: 320, height: 640 })
    await expectAccessible(page)
  } finally {
    // What comes next is not judged on a look that this one failed at.
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
    await page.setViewportSize(wide)
  }
}

/** Waits for a message and closes it, so that the next one is seen. */
export async function confirmed(page: Page, text: string | RegExp): Promise<void> {
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByText(text).waitFor()
  await messages.getByRole('button', { name: 'Close message' }).click()
}

/** Chooses an entry of the menu that a button opens. */
export async function choose(page: Page, button: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/**
 * Deletes what the open dialog is about, by typing what it asks for; something else is refused first.
 * `refused` judges the page while it says so.
 */
export async function deleteByTyping(
  page: Page,
  answer: string,
  {
    asked = 'name',
    refused = expectAccessible,
  }: { asked?: string; refused?: (page: Page) => Promise<void> } = {},
): Promise<void> {
  const dialog = page.getByRole('dialog')
  const field = dialog.getByLabel(`Type the ${asked}: ${answer}`)
  await field.fill(`${answer} too`)
  await field.press('Enter')
  await dialog.getByText(`This is not the ${asked}.`).waitFor()
  await refused(page)
  await field.fill(answer)
  await field.press('Enter')
}

/**
 * Ticks or chooses an option that is drawn by its label: once the label lies still and nothing lies over it. A click that does not
 * wait for that goes beside it while a part above is loading.
 */
export const pick = (option: Locator) => option.locator('xpath=ancestor::label[1]').click()

/** A file as an input takes it. */
export const textFile = (name: string, text: string, mimeType = 'application/json') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})

/** What is marked in the source is in view, and not by its color alone. */
export async function markSeen(source: Locator): Promise<void> {
  const mark = source.locator('mark')
  await expect
    .poll(() =>
      mark.evaluate((element) => {
        const [box, around] = [element, element.closest('pre')!].map((one) => one.getBoundingClientRect())
        return box!.top >= around!.top && box!.top < around!.bottom
      }),
    )
    .toBe(true)
  expect(await mark.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  expect(await mark.textContent()).toMatch(/^Start of the element<[^]+>End of the element$/)
}
