// Functions that run inside scanned pages. Each is sent as its own source text: nothing outside of it exists there.
import type { InPageLimit } from './time.ts'

/** What the observer knows of a document at one moment. Times in milliseconds. */
export type DocumentState = {
  /** Complete, or interactive for five seconds. */
  ready: boolean
  complete: boolean
  /** The document is there, whatever it still loads. */
  interactive: boolean
  sinceLoad: number
  /** Since the last change that counts. */
  quiet: number
  /** Changes that count, since the document began. */
  changes: number
  changedAfterLoad: boolean
  timers: number
  fonts: boolean
  animating: boolean
  refreshing: boolean
  /** A frame that was let load shows nothing yet. */
  framing: boolean
  frames: number
  elements: number
  url: string
}

/**
 * Runs in the page's own world, before its scripts: counts short timers that are pending. Answers a request event
 * by an event of its own, whose numbers both worlds can read; the name of the events is not guessable by the page.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function trackTimers(token: string, limit: InPageLimit): void {
  const pending = new Map<unknown, number>()
  const calls = new WeakMap<object, number>()
  const now = performance.now.bind(performance)
  const apply = Reflect.apply
  let depth = 0
  let loadedAt = 0
  addEventListener('load', () => (loadedAt = now()), { once: true })

  /** Counts a call; answers the callback that also ends the counting. */
  const follow = (callback: (...given: unknown[]) => unknown, repeats: boolean) => {
    const count = (calls.get(callback) ?? 0) + 1
    calls.set(callback, count)
    const key = {}
    const level = depth + 1
    if (
      count <= limit.timerRepeats &&
      level <= limit.timerDepth &&
      (loadedAt === 0 || now() < loadedAt + limit.timerAfterLoad)
    )
      pending.set(key, now())
    let left = repeats ? limit.timerRepeats : 1
    const run = function (this: unknown, ...given: unknown[]) {
      left -= 1
      if (left <= 0) pending.delete(key)
      const before = depth
      depth = level
      try {
        return apply(callback, this, given)
      } finally {
        depth = before
      }
    }
    return { key, run }
  }

  const ids = new Map<unknown, object>()
  const wrap = (name: 'setTimeout' | 'setInterval' | 'requestIdleCallback', repeats: boolean) => {
    const original = window[name]
    if (typeof original !== 'function') return
    window[name] = new Proxy(original, {
      apply(target, self, given: unknown[]) {
        const [callback, delay] = given
        const short =
          name === 'requestIdleCallback' || Number(delay ?? 0) <= limit.timerDelay || delay === undefined
        if (typeof callback !== 'function' || !short) return apply(target, self, given)
        const { key, run } = follow(callback as () => unknown, repeats)
        const id: unknown = apply(target, self, [run, ...given.slice(1)])
        if (ids.size < 10_000) ids.set(id, key)
        return id
      },
    }) as never
  }
  wrap('setTimeout', false)
  wrap('setInterval', true)
  wrap('requestIdleCallback', false)

  for (const name of ['clearTimeout', 'clearInterval', 'cancelIdleCallback'] as const) {
    const original = window[name]
    if (typeof original !== 'function') continue
    window[name] = new Proxy(original, {
      apply(target, self, given: unknown[]) {
        // Timeouts and intervals share their ids: either function ends either.
        const key = ids.get(given[0])
        if (key) pending.delete(key)
        ids.delete(given[0])
        return apply(target, self, given)
      },
    }) as never
  }

  const scheduler = (window as { scheduler?: { postTask?: unknown } }).scheduler
  if (typeof scheduler?.postTask === 'function') {
    scheduler.postTask = new Proxy(scheduler.postTask, {
      apply(target, self, given: unknown[]) {
        const delay = Number((given[1] as { delay?: unknown } | undefined)?.delay ?? 0)
        if (typeof given[0] !== 'function' || delay > limit.timerDelay) return apply(target, self, given)
        const { run } = follow(given[0] as () => unknown, false)
        return apply(target, self, [run, ...given.slice(1)])
      },
    })
  }

  const post = document.dispatchEvent.bind(document)
  const Answer = MouseEvent
  document.addEventListener(`${token}?`, () => {
    let count = 0
    for (const at of pending.values()) if (now() - at < limit.timerAge) count++
    post(new Answer(`${token}!`, { screenX: count }))
  })
}

/**
 * Runs in our own world, before the page's scripts: watches the document's changes and defines `clearwayState` there, which
 * from the first call with `true` on lets lazy frames load.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function observeDocument(token: string, limit: InPageLimit): void {
  const shown = globalThis as unknown as { clearwayState: (whole: boolean) => string }
  // A page can name an element `readyState` or `fonts`: read what the browser knows, not what hides it.
  const read = (name: string, from = document): unknown =>
    Object.getOwnPropertyDescriptor(Document.prototype, name)?.get?.call(from)
  const query = (selector: string) => Document.prototype.querySelectorAll.call(document, selector)
  const counts = new WeakMap<Node, number>()
  let changes = 0
  let changedAt = performance.now()
  let interactiveAt = 0
  let loadedAt = 0
  let changedAfterLoad = false
  const seen = new WeakSet<Node>()

  const handle = (records: readonly MutationRecord[]) => {
    const growth = new Map<Node, number>()
    const entered = new Set<Node>()
    for (const { target, type, addedNodes, removedNodes } of records) {
      growth.set(target, (growth.get(target) ?? 0) + addedNodes.length - removedNodes.length)
      if (type === 'childList' && loadedAt > 0) for (const node of addedNodes) enter(node, entered)
    }
    for (const [target, grown] of growth) {
      if (grown === 0) {
        // What changes and changes back, again and again, is a ticker and never ends.
        const count = (counts.get(target) ?? 0) + 1
        counts.set(target, count)
        if (count > limit.tickerChanges) continue
      }
      changes += 1
      changedAt = performance.now()
      if (loadedAt > 0) changedAfterLoad = true
    }
  }
  const observer = new MutationObserver(handle)
  const watch = (root: Node) => {
    if (seen.has(root)) return
    seen.add(root)
    observer.observe(root, { childList: true, attributes: true, characterData: true, subtree: true })
  }
  /** When each lazy frame was let load. */
  const loaded = new Map<HTMLIFrameElement, number>()
  const searched = new WeakSet<Document>()
  /** Whether the page is to be analysed: its links are there without its lazy frames. */
  let wanted = false
  /** Lets a frame load that waits for a reader to come near: it is part of the page. Its attribute is as before. */
  const loadLazy = (frame: HTMLIFrameElement) => {
    if (!wanted || frame.loading !== 'lazy' || loaded.has(frame) || loaded.size >= limit.lazyFrames) return
    loaded.set(frame, performance.now())
    const before = frame.getAttribute('loading') ?? 'lazy'
    frame.setAttribute('loading', 'eager')
    frame.setAttribute('loading', before)
    // What we do is no change of the page.
    const isOurs = ({ target, attributeName }: MutationRecord) =>
      target === frame && attributeName === 'loading'
    handle(observer.takeRecords().filter((record) => !isOurs(record)))
  }
  /** A browser at work begins to load such a frame late: until then, nothing on the network tells of it. */
  const framing = (): boolean => {
    for (const [frame, at] of loaded) {
      if (performance.now() - at > limit.frameBegin || !frame.src.startsWith('http')) continue
      const inner = frame.contentDocument
      if (inner && read('URL', inner) === 'about:blank') return true
    }
    return false
  }
  /**
   * Open shadow roots and documents of same-origin frames hide their changes from the document's observer. What is `entered`
   * is passed over with all that is in it: a page that nests boxes one by one reports each of them with all that it holds.
   */
  const enter = (root: Node, entered: Set<Node>) => {
    const waiting: Node[] = [root]
    for (let from = waiting.pop(); from; from = waiting.pop()) {
      if (entered.has(from)) continue
      const walker = Document.prototype.createTreeWalker.call(
        document,
        from,
        NodeFilter.SHOW_ELEMENT,
        (node) => (entered.has(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
      )
      for (let node: Node | null = from; node; node = walker.nextNode()) {
        entered.add(node)
        const { shadowRoot, localName } = node as Partial<Element>
        if (shadowRoot) {
          watch(shadowRoot)
          waiting.push(shadowRoot)
        }
        if (localName !== 'iframe') continue
        loadLazy(node as HTMLIFrameElement)
        const inner = (node as HTMLIFrameElement).contentDocument
        if (!inner) continue
        watch(inner)
        // Once it is all there, for the lazy frames in it; what comes later is seen as a change.
        if (!wanted || searched.has(inner) || read('readyState', inner) !== 'complete') continue
        searched.add(inner)
        waiting.push(inner)
      }
    }
  }

  const onInteractive = () => {
    interactiveAt = performance.now()
    watch(document)
  }
  const onLoad = () => {
    loadedAt = performance.now()
    enter(document, new Set())
  }
  if (read('readyState') === 'loading') addEventListener('DOMContentLoaded', onInteractive, { once: true })
  else onInteractive()
  if (read('readyState') === 'complete') onLoad()
  else addEventListener('load', () => setTimeout(onLoad), { once: true })

  const refreshing = (): boolean => {
    for (const meta of query('meta[http-equiv="refresh" i][content]')) {
      const seconds = Number.parseFloat(meta.getAttribute('content') ?? '')
      const due = loadedAt + seconds * 1000 + limit.refreshGrace
      if (seconds < limit.refreshSeconds && performance.now() < due) return true
    }
    return false
  }
  const running = (): boolean => {
    const animations = Document.prototype.getAnimations.call(document).slice(0, 500)
    return animations.some(
      (animation) =>
        animation.playState === 'running' &&
        Number.isFinite(Number(animation.effect?.getComputedTiming().endTime ?? 0)),
    )
  }
  let ended = true
  let endedAt = 0
  const animating = (): boolean => {
    if (running()) {
      ended = false
      endedAt = 0
      return true
    }
    if (ended) return false
    if (endedAt === 0) {
      const at = (endedAt = performance.now())
      requestAnimationFrame(() => requestAnimationFrame(() => (ended ||= endedAt === at)))
    }
    ended ||= performance.now() - endedAt > limit.frameWait
    return !ended
  }

  let timers = 0
  document.addEventListener(`${token}!`, (event) => (timers = (event as MouseEvent).screenX))

  shown.clearwayState = (whole) => {
    if (whole && !wanted) {
      wanted = true
      if (loadedAt > 0) enter(document, new Set())
    }
    timers = 0
    document.dispatchEvent(new Event(`${token}?`))
    const now = performance.now()
    const complete = read('readyState') === 'complete' && loadedAt > 0
    const frames = query('iframe, frame')
    for (const frame of frames) enter(frame, new Set())
    return JSON.stringify({
      ready: complete || (interactiveAt > 0 && now - interactiveAt > limit.readyAfterInteractive),
      complete,
      interactive: interactiveAt > 0,
      sinceLoad: loadedAt > 0 ? now - loadedAt : interactiveAt > 0 ? now - interactiveAt : 0,
      quiet: now - changedAt,
      changes,
      changedAfterLoad,
      timers,
      fonts: (read('fonts') as FontFaceSet | undefined)?.status !== 'loading',
      animating: animating(),
      refreshing: refreshing(),
      framing: framing(),
      frames: frames.length,
      elements: Document.prototype.getElementsByTagName.call(document, '*').length,
      url: location.href,
    } satisfies DocumentState)
  }
}
