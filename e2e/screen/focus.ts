import type { Page } from 'playwright-core'

/**
 * Reports each time the focus falls to the body because its element disappeared: users of keyboards and screen readers are
 * then at the top of the page without notice. A click outside all controls does not count.
 */
export async function watchFocus(page: Page, report: (control: string) => void): Promise<void> {
  await page.exposeFunction('focusLost', report)
  await page.addInitScript(() => {
    const everyMs = 100
    /** The next focus target may appear with the next screen. */
    const maxAbsentTicks = 20
    let lastFocused: HTMLElement | null = null
    let absentTicks = 0
    const clearLost = () => {
      lastFocused = null
      absentTicks = 0
    }
    document.addEventListener('focusin', ({ target }) => {
      lastFocused = target as HTMLElement
      absentTicks = 0
    })
    // Another width has other controls; that is no user action.
    window.addEventListener('resize', clearLost)
    const isVisible = (element: HTMLElement) => element.isConnected && element.checkVisibility() && !element.matches(':disabled')
    setInterval(() => {
      const active = document.activeElement
      if (lastFocused === null || (active !== null && active !== document.body) || isVisible(lastFocused)) absentTicks = 0
      else if (++absentTicks >= maxAbsentTicks) {
        const name = lastFocused.getAttribute('aria-label') ?? lastFocused.textContent
        const description = `${lastFocused.tagName.toLowerCase()} “${name.trim().slice(0, 60)}” on ${location.pathname}`
        void (globalThis as unknown as { focusLost: (what: string) => Promise<void> }).focusLost(description)
        clearLost()
      }
    }, everyMs)
  })
}
