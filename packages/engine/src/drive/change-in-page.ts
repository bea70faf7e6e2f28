// Runs inside scanned pages, in an isolated world. Sent as its own source text, so it must not reference anything outside of it.
import type { DriveKit } from './kit-in-page.ts'
import type { Presser } from './press-in-page.ts'

/** Tells whether a page is still as it was opened. */
export type ChangeWatcher = {
  /** Remembers the page as it is. */
  start(): void
  /** Scrolls everything as it was at the start, and waits for scripts that listen to it. */
  restoreScrolling(): Promise<void>
  /** Undoes the focus and the scrolling of a drive. Resolves to true if nothing else has changed since the start. */
  restore(): Promise<boolean>
}

/** Creates the watcher of a document. */
export function makeChangeWatcher(kit: DriveKit, presser: Pick<Presser, 'sign'>): ChangeWatcher {
  const maxElements = 20_000
  /** Time that scripts which listen to scrolling take to react. */
  const scrollEffectMs = 200
  const maxScrollAttempts = 3
  let hasMutated = false
  const observer = new MutationObserver(() => void (hasMutated = true))
  let firstSign = ''
  let scrolledAtStart = new Map<Element, [left: number, top: number]>()

  const readScroll = (element: Element): [left: number, top: number] => [
    kit.read(element, 'scrollLeft'),
    kit.read(element, 'scrollTop'),
  ]
  const listScrolled = () =>
    kit.listElements('*', maxElements).flatMap((element) => {
      const scroll = readScroll(element)
      return scroll[0] === 0 && scroll[1] === 0 ? [] : [[element, scroll] as const]
    })
  const readState = () => `${presser.sign()} ${location.href}`
  const scrollBack = (): boolean => {
    const moved = new Map<Element, [left: number, top: number]>()
    for (const [element, scroll] of scrolledAtStart)
      if (String(readScroll(element)) !== String(scroll)) moved.set(element, scroll)
    for (const [element] of listScrolled()) if (!scrolledAtStart.has(element)) moved.set(element, [0, 0])
    for (const [element, [left, top]] of moved)
      Reflect.apply(kit.read(element, 'scrollTo'), element, [{ left, top, behavior: 'instant' }])
    return moved.size > 0
  }
  const restoreScrolling = async (): Promise<void> => {
    // Scrolling by a key takes some frames.
    for (let attempt = 0; attempt < maxScrollAttempts && scrollBack(); attempt++)
      await new Promise((resolve) => setTimeout(resolve, scrollEffectMs))
  }
  return {
    restoreScrolling,
    start() {
      const roots = kit.listElements('*', maxElements).flatMap((element) => kit.getShadowRoot(element) ?? [])
      for (const root of [document, ...roots])
        observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
      scrolledAtStart = new Map(listScrolled())
      firstSign = readState()
    },
    async restore() {
      kit.blurFocused()
      await restoreScrolling()
      await kit.waitForFrame(100)
      hasMutated ||= observer.takeRecords().length > 0
      return !hasMutated && kit.findFocused() === null && readState() === firstSign
    },
  }
}
