import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { colorRules, expectAccessible } from './accessible.ts'

/** Window of the walks, unless they are on a small screen. */
export const wideViewport = { width: 1280, height: 900 }

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })

/** Opens a window of a new visitor, without any stored data. */
export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({
    viewport: wideViewport,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  })
  page.setDefaultTimeout(45_000)
  return page
}

/**
 * Asserts that the visible page has no violation: light, dark, in forced colors, and on a screen of 320 px. Schemes change
 * colors alone, so only the rules that read colors run again.
 */
export async function checkEveryLook(page: Page): Promise<void> {
  try {
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, colorRules)
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await expectAccessible(page, colorRules)
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
    await page.setViewportSize({ width: 320, height: 640 })
    await expectAccessible(page)
  } finally {
    // Restores the default look, so that a failure does not affect later checks.
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
    await page.setViewportSize(wideViewport)
  }
}

/** Waits for a message and closes it, so that the next one is visible. */
export async function closeMessage(page: Page, messageText: string | RegExp): Promise<void> {
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByText(messageText).waitFor()
  await messages.getByRole('button', { name: 'Close message' }).click()
}

/** Chooses an entry of the menu that a button opens. */
export async function choose(page: Page, button: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/**
 * Confirms a deletion in the open dialog by typing the requested text; a wrong text is refused first. `refused` checks the
 * page in that state.
 */
export async function deleteByTyping(
  page: Page,
  confirmation: string,
  { fieldName = 'name', refused = expectAccessible }: { fieldName?: string; refused?: (page: Page) => Promise<void> } = {},
): Promise<void> {
  const dialog = page.getByRole('dialog')
  const field = dialog.getByLabel(`Type the ${fieldName}: ${confirmation}`)
  await field.fill(`${confirmation} too`)
  await field.press('Enter')
  await dialog.getByText(`This is not the ${fieldName}.`).waitFor()
  await refused(page)
  await field.fill(confirmation)
  await field.press('Enter')
}

/**
 * Checks an option that is drawn by its label, once the label is stable and nothing covers it. A click without that wait
 * misses while a part above is loading.
 */
export const checkOption = (option: Locator) => option.locator('xpath=ancestor::label[1]').click()

export const createTextFile = (name: string, content: string, mimeType = 'application/json') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
})

/** Asserts that the marked source is in view, and not marked by its color alone. */
export async function expectMarkVisible(source: Locator): Promise<void> {
  const mark = source.locator('mark')
  await expect
    .poll(() =>
      mark.evaluate((element) => {
        const [box, around] = [element, element.closest('pre')!].map((htmlElement) => htmlElement.getBoundingClientRect())
        return box!.top >= around!.top && box!.top < around!.bottom
      }),
    )
    .toBe(true)
  expect(await mark.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  expect(await mark.textContent()).toMatch(/^Start of the element<[^]+>End of the element$/)
}
