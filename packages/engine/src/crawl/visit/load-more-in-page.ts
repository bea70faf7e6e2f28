// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.

/** Presses buttons that load more of a list, while that brings further links. Returns the number of presses. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export async function pressMoreInPage(maxPresses: number, maxMs: number): Promise<number> {
  const labels = [
    /^(?:load|show|view|see)(?: \S+)? more(?: \S+){0,3}$|^more (?:results|articles|posts|news|items|products|stories|events)$/,
    /^(?:mehr|weitere)(?: \S+){0,2} (?:laden|anzeigen|zeigen)$/,
    /^(?:(?:charger|afficher|voir) (?:plus|la suite)(?: \S+){0,3}|plus de \S+)$/,
    /^(?:cargar|mostrar|ver) más(?: \S+){0,3}$/,
    /^(?:carica|mostra|vedi) (?:altri|altre|altro|di più)(?: \S+){0,3}$/,
    /もっと(?:見る|読み込む|表示)|さらに(?:表示|読み込む|見る)/,
  ]
  const deadlineAt = performance.now() + maxMs
  const growthMs = 2000
  const pollMs = 100
  const queryAll = (selector: string): Element[] => [...Document.prototype.querySelectorAll.call(document, selector)]
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const countLinks = () => queryAll('a[href]').length
  const readLabel = (element: Element): string => {
    const ownText =
      element instanceof HTMLInputElement
        ? Reflect.get(HTMLInputElement.prototype, 'value', element)
        : element instanceof HTMLElement
          ? Reflect.get(HTMLElement.prototype, 'innerText', element)
          : ''
    const text = Element.prototype.getAttribute.call(element, 'aria-label') ?? ownText
    return text
      .slice(0, 200)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .toLowerCase()
      .replace(/ ?[.…↓+]{1,5}$/, '')
  }
  const buttonsWithoutEffect = new Set<Element>()
  // A submit button sends its form, and a disclosure button hides again what it shows.
  const selector = 'button, [role="button"], input[type="button"]'
  const isHarmless = (element: Element): boolean => {
    const isOfForm = Element.prototype.closest.call(element, 'form') !== null
    const isSubmit = isOfForm && Element.prototype.matches.call(element, 'button:not([type="button" i])')
    const isLink = Element.prototype.matches.call(element, 'a[href]:not([href^="#"])')
    return !isSubmit && !isLink && !Element.prototype.matches.call(element, '[aria-expanded], [disabled], [aria-disabled="true"]')
  }
  const findButton = () =>
    queryAll(selector).find(
      (element) =>
        element instanceof HTMLElement &&
        !buttonsWithoutEffect.has(element) &&
        isHarmless(element) &&
        Element.prototype.checkVisibility.call(element) &&
        labels.some((label) => label.test(readLabel(element))),
    )
  const { pathname } = location
  const historyLength = history.length
  let pressCount = 0
  while (pressCount < maxPresses && performance.now() < deadlineAt) {
    const button = findButton()
    if (!button) break
    const linkCount = countLinks()
    HTMLElement.prototype.click.call(button as HTMLElement)
    pressCount += 1
    for (let waitedMs = 0; waitedMs < growthMs && countLinks() <= linkCount; waitedMs += pollMs) await wait(pollMs)
    if (location.pathname !== pathname) {
      // A router showed another page in place of this one.
      if (history.length > historyLength) history.back()
      await wait(growthMs)
      break
    }
    if (countLinks() <= linkCount) buttonsWithoutEffect.add(button)
  }
  return pressCount
}
