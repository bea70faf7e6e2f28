import type { Page } from 'playwright-core'

/**
 * Reports each time the focus falls to the body because what had it went away: whoever works by keyboard, or is read to, is
 * at the top of the page then, and does not learn it. A press beside everything is no such time.
 */
export async function watchFocus(page: Page, report: (what: string) => void): Promise<void> {
  await page.exposeFunction('focusLost', report)
  await page.addInitScript(() => {
    const everyMs = 100
    /** What takes the focus next may come with the next screen. */
    const patience = 20
    let last: HTMLElement | null = null
    let gone = 0
    const forget = () => {
      last = null
      gone = 0
    }
    document.addEventListener('focusin', ({ target }) => {
      last = target as HTMLElement
      gone = 0
    })
    // Another width has other controls; nobody pressed one.
    window.addEventListener('resize', forget)
    const isThere = (element: HTMLElement) =>
      element.isConnected && element.checkVisibility() && !element.matches(':disabled')
    setInterval(() => {
      const active = document.activeElement
      if (last === null || (active !== null && active !== document.body) || isThere(last)) gone = 0
      else if (++gone >= patience) {
        const name = last.getAttribute('aria-label') ?? last.textContent
        const what = `${last.tagName.toLowerCase()} “${name.trim().slice(0, 60)}” on ${location.pathname}`
        void (globalThis as unknown as { focusLost: (what: string) => Promise<void> }).focusLost(what)
        forget()
      }
    }, everyMs)
  })
}
