// Functions that run inside scanned pages. Each is sent as its own source text, so it must not reference anything outside of it.
import type { InPageLimits } from './limits.ts'

/** The observer's state of a document at one moment. Times in milliseconds. */
export type DocumentState = {
  /** Complete, or interactive for five seconds. */
  ready: boolean
  complete: boolean
  /** The document is parsed, even if resources are still loading. */
  interactive: boolean
  sinceLoad: number
  /** Time since the last relevant change. */
  quiet: number
  /** Relevant changes since the document started. */
  changes: number
  changedAfterLoad: boolean
  timers: number
  /** Remaining milliseconds of the longest timer that is not awaited: negative after it, and far below zero without one. */
  longTimerMs: number
  fonts: boolean
  animating: boolean
  refreshing: boolean
  /** A lazy frame that was triggered has no content yet. */
  framing: boolean
  frames: number
  elements: number
  url: string
}

/**
 * Runs in the page's own world before its scripts: counts pending short timers. Responds to a request event with
 * another event, whose numbers both worlds can read. The page cannot guess the event names.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function trackTimers(token: string, limits: InPageLimits): void {
  const pendingTimers = new Map<unknown, number>()
  const callCounts = new WeakMap<object, number>()
  const getNow = performance.now.bind(performance)
  const reflectApply = Reflect.apply
  let timerDepth = 0
  let loadedAt = 0
  let longTimerDueAt = limits.noLongTimerMs
  addEventListener('load', () => (loadedAt = getNow()), { once: true })

  /** Counts a call, and returns a callback that also ends the counting. */
  const trackCallback = (callback: (...callbackArgs: unknown[]) => unknown, isRepeating: boolean) => {
    const callCount = (callCounts.get(callback) ?? 0) + 1
    callCounts.set(callback, callCount)
    const timerKey = {}
    const callbackDepth = timerDepth + 1
    if (
      callCount <= limits.timerRepeats &&
      callbackDepth <= limits.timerDepth &&
      (loadedAt === 0 || getNow() < loadedAt + limits.timerAfterLoad)
    )
      pendingTimers.set(timerKey, getNow())
    let remainingRuns = isRepeating ? limits.timerRepeats : 1
    const trackedCallback = function (this: unknown, ...callbackArgs: unknown[]) {
      remainingRuns -= 1
      if (remainingRuns <= 0) pendingTimers.delete(timerKey)
      const previousDepth = timerDepth
      timerDepth = callbackDepth
      try {
        return reflectApply(callback, this, callbackArgs)
      } finally {
        timerDepth = previousDepth
      }
    }
    return { key: timerKey, run: trackedCallback }
  }

  const keysByTimerId = new Map<unknown, object>()
  const wrapTimerFunction = (functionName: 'setTimeout' | 'setInterval' | 'requestIdleCallback', isRepeating: boolean) => {
    const originalFunction = window[functionName]
    if (typeof originalFunction !== 'function') return
    window[functionName] = new Proxy(originalFunction, {
      apply(target, self, timerArgs: unknown[]) {
        const [callback, delayMs] = timerArgs
        const isShort =
          functionName === 'requestIdleCallback' || Number(delayMs ?? 0) <= limits.timerDelay || delayMs === undefined
        if (!isShort && !isRepeating && Number(delayMs) <= limits.longTimerDelay)
          longTimerDueAt = Math.max(longTimerDueAt, getNow() + Number(delayMs))
        if (typeof callback !== 'function' || !isShort) return reflectApply(target, self, timerArgs)
        const { key: trackedKey, run: trackedRun } = trackCallback(callback as () => unknown, isRepeating)
        const timerId: unknown = reflectApply(target, self, [trackedRun, ...timerArgs.slice(1)])
        if (keysByTimerId.size < 10_000) keysByTimerId.set(timerId, trackedKey)
        return timerId
      },
    }) as never
  }
  wrapTimerFunction('setTimeout', false)
  wrapTimerFunction('setInterval', true)
  wrapTimerFunction('requestIdleCallback', false)

  for (const functionName of ['clearTimeout', 'clearInterval', 'cancelIdleCallback'] as const) {
    const originalFunction = window[functionName]
    if (typeof originalFunction !== 'function') continue
    window[functionName] = new Proxy(originalFunction, {
      apply(target, self, clearArgs: unknown[]) {
        // Timeouts and intervals share their ids: each function clears both kinds.
        const timerKey = keysByTimerId.get(clearArgs[0])
        if (timerKey) pendingTimers.delete(timerKey)
        keysByTimerId.delete(clearArgs[0])
        return reflectApply(target, self, clearArgs)
      },
    }) as never
  }

  const scheduler = (window as { scheduler?: { postTask?: unknown } }).scheduler
  if (typeof scheduler?.postTask === 'function') {
    scheduler.postTask = new Proxy(scheduler.postTask, {
      apply(target, self, taskArgs: unknown[]) {
        const taskDelay = Number((taskArgs[1] as { delay?: unknown } | undefined)?.delay ?? 0)
        if (typeof taskArgs[0] !== 'function' || taskDelay > limits.timerDelay) return reflectApply(target, self, taskArgs)
        const { run: trackedRun } = trackCallback(taskArgs[0] as () => unknown, false)
        return reflectApply(target, self, [trackedRun, ...taskArgs.slice(1)])
      },
    })
  }

  const dispatchEvent = document.dispatchEvent.bind(document)
  const MouseEventClass = MouseEvent
  document.addEventListener(`${token}?`, () => {
    let pendingCount = 0
    for (const startedAt of pendingTimers.values()) if (getNow() - startedAt < limits.timerAge) pendingCount++
    dispatchEvent(new MouseEventClass(`${token}!`, { screenX: pendingCount, screenY: longTimerDueAt - getNow() }))
  })
}

/**
 * Runs in an isolated world before the page's scripts: observes the document's changes and defines `clearwayState`
 * there. From the first call with `true`, lazy frames are loaded.
 */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one source text, so nothing may be outside
export function observeDocument(token: string, limits: InPageLimits): void {
  const observerGlobal = globalThis as unknown as { clearwayState: (whole: boolean) => string }
  // A page can name an element `readyState` or `fonts`. Reads the browser's property instead of the element that shadows it.
  const readDocumentProperty = (propertyName: string, fromDocument = document): unknown =>
    Object.getOwnPropertyDescriptor(Document.prototype, propertyName)?.get?.call(fromDocument)
  const queryAll = (selector: string) => Document.prototype.querySelectorAll.call(document, selector)
  const neutralChanges = new WeakMap<Node, number>()
  let changeCount = 0
  let lastChangeAt = performance.now()
  let interactiveAt = 0
  let loadedAt = 0
  let changedAfterLoad = false
  const observedRoots = new WeakSet<Node>()

  const handleMutations = (records: readonly MutationRecord[]) => {
    const growthByNode = new Map<Node, number>()
    const enteredNodes = new Set<Node>()
    for (const { target, type, attributeName, addedNodes, removedNodes } of records) {
      // An axe run changes these for a while: see `FieldMask`. Of a page, they change nothing that takes time.
      if (attributeName === 'form' || (attributeName === 'name' && target instanceof HTMLImageElement)) continue
      growthByNode.set(target, (growthByNode.get(target) ?? 0) + addedNodes.length - removedNodes.length)
      if (type === 'childList' && loadedAt > 0) for (const addedNode of addedNodes) observeTree(addedNode, enteredNodes)
    }
    for (const [target, netGrowth] of growthByNode) {
      if (netGrowth === 0) {
        // A node that keeps changing back and forth is a ticker and never ends.
        const neutralCount = (neutralChanges.get(target) ?? 0) + 1
        neutralChanges.set(target, neutralCount)
        if (neutralCount > limits.tickerChanges) continue
      }
      changeCount += 1
      lastChangeAt = performance.now()
      if (loadedAt > 0) changedAfterLoad = true
    }
  }
  const mutationObserver = new MutationObserver(handleMutations)
  const observeRoot = (observedRoot: Node) => {
    if (observedRoots.has(observedRoot)) return
    observedRoots.add(observedRoot)
    mutationObserver.observe(observedRoot, { childList: true, attributes: true, characterData: true, subtree: true })
  }
  /** Time at which each lazy frame was triggered. */
  const lazyFrameStarts = new Map<HTMLIFrameElement, number>()
  /** Frames of the page since it has loaded, which are searched again once lazy ones are loaded. */
  const knownFrames = new Set<HTMLIFrameElement>()
  const searchedDocuments = new WeakSet<Document>()
  /** True once the page will be analyzed: its links do not require its lazy frames. */
  let shouldLoadLazy = false
  /** Loads a lazy frame, which is part of the page. Its attribute is restored. */
  const loadLazyFrame = (frame: HTMLIFrameElement) => {
    if (!shouldLoadLazy || frame.loading !== 'lazy' || lazyFrameStarts.has(frame) || lazyFrameStarts.size >= limits.lazyFrames)
      return
    lazyFrameStarts.set(frame, performance.now())
    const originalLoading = frame.getAttribute('loading') ?? 'lazy'
    frame.setAttribute('loading', 'eager')
    frame.setAttribute('loading', originalLoading)
    // Our own change is not a change of the page.
    const isOwnChange = ({ target, attributeName }: MutationRecord) => target === frame && attributeName === 'loading'
    handleMutations(mutationObserver.takeRecords().filter((record) => !isOwnChange(record)))
  }
  /** A busy browser starts loading such a frame late, and until then the network shows no sign of it. */
  const isLoadingFrames = (): boolean => {
    for (const [frame, startedAt] of lazyFrameStarts) {
      if (performance.now() - startedAt > limits.frameBegin || !frame.src.startsWith('http')) continue
      const frameDocument = frame.contentDocument
      if (frameDocument && readDocumentProperty('URL', frameDocument) === 'about:blank') return true
    }
    return false
  }
  /**
   * Observes open shadow roots and same-origin frame documents, whose changes the document's observer does not see. Skips
   * `enteredNodes` and their content: a page that nests boxes one by one reports each of them with all its content.
   */
  const observeTree = (startRoot: Node, enteredNodes: Set<Node>) => {
    const pendingRoots: Node[] = [startRoot]
    for (let currentRoot = pendingRoots.pop(); currentRoot; currentRoot = pendingRoots.pop()) {
      if (enteredNodes.has(currentRoot)) continue
      const skipEntered = (node: Node) => (enteredNodes.has(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT)
      // A filter is a call for each node of a page.
      const nodeFilter = enteredNodes.size > 0 ? skipEntered : null
      const treeWalker = Document.prototype.createTreeWalker.call(document, currentRoot, NodeFilter.SHOW_ELEMENT, nodeFilter)
      for (let treeNode: Node | null = currentRoot; treeNode; treeNode = treeWalker.nextNode()) {
        enteredNodes.add(treeNode)
        const { shadowRoot, localName } = treeNode as Partial<Element>
        if (shadowRoot) {
          observeRoot(shadowRoot)
          pendingRoots.push(shadowRoot)
        }
        if (localName !== 'iframe') continue
        knownFrames.add(treeNode as HTMLIFrameElement)
        loadLazyFrame(treeNode as HTMLIFrameElement)
        const frameDocument = (treeNode as HTMLIFrameElement).contentDocument
        if (!frameDocument) continue
        observeRoot(frameDocument)
        // Searched once complete, for its lazy frames. Later additions are seen as changes.
        if (
          !shouldLoadLazy ||
          searchedDocuments.has(frameDocument) ||
          readDocumentProperty('readyState', frameDocument) !== 'complete'
        )
          continue
        searchedDocuments.add(frameDocument)
        pendingRoots.push(frameDocument)
      }
    }
  }

  const handleInteractive = () => {
    interactiveAt = performance.now()
    observeRoot(document)
  }
  const handleLoad = () => {
    loadedAt = performance.now()
    observeTree(document, new Set())
  }
  if (readDocumentProperty('readyState') === 'loading') addEventListener('DOMContentLoaded', handleInteractive, { once: true })
  else handleInteractive()
  if (readDocumentProperty('readyState') === 'complete') handleLoad()
  else addEventListener('load', () => setTimeout(handleLoad), { once: true })

  const isRefreshing = (): boolean => {
    for (const meta of queryAll('meta[http-equiv="refresh" i][content]')) {
      const refreshSeconds = Number.parseFloat(meta.getAttribute('content') ?? '')
      const refreshDueAt = loadedAt + refreshSeconds * 1000 + limits.refreshGrace
      if (refreshSeconds < limits.refreshSeconds && performance.now() < refreshDueAt) return true
    }
    return false
  }
  const hasRunningAnimations = (): boolean => {
    const animations = Document.prototype.getAnimations.call(document).slice(0, 500)
    return animations.some(
      (animation) =>
        animation.playState === 'running' && Number.isFinite(Number(animation.effect?.getComputedTiming().endTime ?? 0)),
    )
  }
  let isAnimationEnded = true
  let animationEndedAt = 0
  const isAnimating = (): boolean => {
    if (hasRunningAnimations()) {
      isAnimationEnded = false
      animationEndedAt = 0
      return true
    }
    if (isAnimationEnded) return false
    if (animationEndedAt === 0) {
      const endMarkedAt = (animationEndedAt = performance.now())
      requestAnimationFrame(() => requestAnimationFrame(() => (isAnimationEnded ||= animationEndedAt === endMarkedAt)))
    }
    isAnimationEnded ||= performance.now() - animationEndedAt > limits.frameWait
    return !isAnimationEnded
  }

  let pendingTimerCount = 0
  let longTimerMs = limits.noLongTimerMs
  document.addEventListener(`${token}!`, (event) => {
    pendingTimerCount = (event as MouseEvent).screenX
    longTimerMs = (event as MouseEvent).screenY
  })

  observerGlobal.clearwayState = (shouldLoadFrames) => {
    if (shouldLoadFrames && !shouldLoadLazy) {
      shouldLoadLazy = true
      for (const frame of knownFrames) observeTree(frame, new Set())
    }
    pendingTimerCount = 0
    longTimerMs = limits.noLongTimerMs
    document.dispatchEvent(new Event(`${token}?`))
    const currentTime = performance.now()
    const isComplete = readDocumentProperty('readyState') === 'complete' && loadedAt > 0
    const frameElements = queryAll('iframe, frame')
    for (const frame of frameElements) observeTree(frame, new Set())
    return JSON.stringify({
      ready: isComplete || (interactiveAt > 0 && currentTime - interactiveAt > limits.readyAfterInteractive),
      complete: isComplete,
      interactive: interactiveAt > 0,
      sinceLoad: loadedAt > 0 ? currentTime - loadedAt : interactiveAt > 0 ? currentTime - interactiveAt : 0,
      quiet: currentTime - lastChangeAt,
      changes: changeCount,
      changedAfterLoad,
      timers: pendingTimerCount,
      longTimerMs,
      fonts: (readDocumentProperty('fonts') as FontFaceSet | undefined)?.status !== 'loading',
      animating: isAnimating(),
      refreshing: isRefreshing(),
      framing: isLoadingFrames(),
      frames: frameElements.length,
      elements: Document.prototype.getElementsByTagName.call(document, '*').length,
      url: location.href,
    } satisfies DocumentState)
  }
}
