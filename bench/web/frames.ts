import type { Browser, Page } from 'playwright-core'

/** Measurements of one scroll through a screen. Times in ms. */
export type Scroll = {
  pixels: number
  /** Presented frames, and gaps between two of them above one and a half frames. */
  drawn: number
  lateFrameCount: number
  maxGapMs: number
  /** CPU time of the page's main thread, as a fraction of the elapsed time. */
  busy: number
}

type TraceEvent = { name: string; ts: number; tdur?: number; dur?: number; ph: string }
const categories = ['-*', 'toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline.frame']
const pixelsPerSecond = 2500
/** One and a half frames at 60 per second. */
const lateMs = 25

/** Scrolls a screen from top to end by wheel, and reads the drawn frames from the browser's own trace. */
export async function scrollThrough(browser: Browser, page: Page): Promise<Scroll> {
  const {
    height,
    width,
    whole: pageHeight,
  } = await page.evaluate(() => {
    scrollTo(0, 0)
    return { height: innerHeight, width: innerWidth, whole: document.documentElement.scrollHeight }
  })
  const [x, y] = [width / 2, height / 2]
  const pixels = pageHeight - height
  await page.mouse.move(x, y)
  const cdp = await page.context().newCDPSession(page)
  const scrollBy = (yDistance: number) =>
    cdp.send('Input.synthesizeScrollGesture', { x, y, yDistance, speed: pixelsPerSecond, gestureSourceType: 'mouse' })
  // The first scroll of a page starts with a gap of some 45 ms, even on a page of plain paragraphs, caused by the browser.
  await scrollBy(-100)
  await scrollBy(100)
  await browser.startTracing(page, { categories })
  const began = Date.now()
  await scrollBy(-pixels)
  const took = Date.now() - began
  const trace = await browser.stopTracing()
  await cdp.detach()
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const drawn = events
    .filter(({ name }) => name === 'DrawFrame')
    .map(({ ts }) => ts / 1000)
    .sort((a, b) => a - b)
  const gaps = drawn.slice(1).map((drawnAt, i) => drawnAt - (drawn[i] ?? drawnAt))
  const ownTasks = events.filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
  const work = ownTasks.reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0)
  return {
    pixels,
    drawn: drawn.length,
    lateFrameCount: gaps.filter((gap) => gap > lateMs).length,
    maxGapMs: Math.max(0, ...gaps),
    busy: work / took,
  }
}

const watch = `
  globalThis.slowest = null
  new PerformanceObserver((list) => {
    // Only clicks and keys count, as for INP: hovering has no interaction.
    for (const { duration, startTime, processingStart, processingEnd, interactionId } of list.getEntries())
      if (interactionId > 0 && duration > (globalThis.slowest?.eventMs ?? 0))
        globalThis.slowest = {
          eventMs: duration,
          waitMs: processingStart - startTime,
          handlerMs: processingEnd - processingStart,
          paintMs: startTime + duration - processingEnd,
        }
  }).observe({ type: 'event', durationThreshold: 16 })`

/** Makes every document of the page report the latency of its events until the next paint. */
export const watchEvents = (page: Page): Promise<unknown> => page.addInitScript({ content: watch })

/** Slowest event of an action, in ms: from the event to the next paint, and its parts. */
export type EventTiming = {
  /** 0 below 16, as browsers count. */
  eventMs: number
  /** From the event to its first handler. */
  waitMs: number
  handlerMs: number
  /** From its last handler to the next paint. */
  paintMs: number
}

/** Response of a page to an action, in ms. */
export type ActionTiming = {
  event: EventTiming
  /** CPU time of the page's main thread for the action and its effects: the time on an idle machine. */
  processor: number
}

/** Performs an action on a page and returns its timing. */
export async function measureAction(page: Page, act: () => Promise<unknown>, settleMs: number): Promise<ActionTiming> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const readCpuTime = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  await page.evaluate('globalThis.slowest = null')
  const initialCpuTime = await readCpuTime()
  await act()
  await page.waitForTimeout(settleMs)
  // The next action must not hit rows that are about to be replaced.
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  const processor = (await readCpuTime()) - initialCpuTime
  const slowestEvent = await page.evaluate<EventTiming | null>('globalThis.slowest')
  await cdp.detach()
  return { event: slowestEvent ?? { eventMs: 0, waitMs: 0, handlerMs: 0, paintMs: 0 }, processor }
}
