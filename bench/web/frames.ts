import type { Browser, Page } from 'playwright-core'

/** How one scroll through a screen went. Times in ms. */
export type Scroll = {
  pixels: number
  /** Frames that came to the screen, and gaps between two of them longer than a frame and a half. */
  drawn: number
  late: number
  longest: number
  /** Processor time of the page's own thread, as a part of the time it took. */
  busy: number
}

type TraceEvent = { name: string; ts: number; tdur?: number; dur?: number; ph: string }
const categories = ['-*', 'toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline.frame']
const pixelsPerSecond = 2500
/** One frame and a half at 60 a second. */
const lateMs = 25

/** Scrolls a screen from its top to its end by a wheel, and reads from the browser's own trace what was drawn when. */
export async function scrollThrough(browser: Browser, page: Page): Promise<Scroll> {
  const { height, width, whole } = await page.evaluate(() => {
    scrollTo(0, 0)
    return { height: innerHeight, width: innerWidth, whole: document.documentElement.scrollHeight }
  })
  const [x, y] = [width / 2, height / 2]
  const pixels = whole - height
  await page.mouse.move(x, y)
  const cdp = await page.context().newCDPSession(page)
  const scroll = (yDistance: number) =>
    cdp.send('Input.synthesizeScrollGesture', {
      x,
      y,
      yDistance,
      speed: pixelsPerSecond,
      gestureSourceType: 'mouse',
    })
  // The first scroll of a page begins with a gap of some 45 ms, on a page of plain paragraphs too: that is the browser's.
  await scroll(-100)
  await scroll(100)
  await browser.startTracing(page, { categories })
  const began = Date.now()
  await scroll(-pixels)
  const took = Date.now() - began
  const trace = await browser.stopTracing()
  await cdp.detach()
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const drawn = events
    .filter(({ name }) => name === 'DrawFrame')
    .map(({ ts }) => ts / 1000)
    .sort((a, b) => a - b)
  const gaps = drawn.slice(1).map((at, i) => at - (drawn[i] ?? at))
  const own = events.filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
  const work = own.reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0)
  return {
    pixels,
    drawn: drawn.length,
    late: gaps.filter((gap) => gap > lateMs).length,
    longest: Math.max(0, ...gaps),
    busy: work / took,
  }
}

const watch = `
  globalThis.slowest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.slowest = Math.max(globalThis.slowest, duration)
  }).observe({ type: 'event', durationThreshold: 16 })`

/** Lets every document of the page report how long its events take until what they changed is seen. */
export const watchEvents = (page: Page): Promise<unknown> => page.addInitScript({ content: watch })

/** How a page answered an action, in ms. */
export type Answer = {
  /** Longest time from one of its events to the next paint; 0 for less than 16, as browsers count. */
  slowest: number
  /** Processor time of the page's own thread for the action and all that it led to: what a quiet machine would need. */
  processor: number
}

/** Does something on a page, and reports how it answered. */
export async function answerTo(page: Page, act: () => Promise<unknown>, settleMs: number): Promise<Answer> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  await page.evaluate('globalThis.slowest = 0')
  const before = await spent()
  await act()
  await page.waitForTimeout(settleMs)
  // The next action must not meet rows that are about to be replaced.
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  const processor = (await spent()) - before
  const slowest = await page.evaluate<number>('globalThis.slowest')
  await cdp.detach()
  return { slowest, processor }
}
