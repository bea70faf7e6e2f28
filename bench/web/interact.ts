import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { signIn } from '../../e2e/product/client.ts'
import { adminPassword, findFreePort, startProduct } from '../../e2e/product/start.ts'
import { computeMedian } from '../engine/median.ts'
import { type ActionTiming, measureAction, scrollThrough, watchEvents } from './frames.ts'

// Responsiveness of the screens: late frames while scrolling a list of 500 rows, and the time from each interaction to the next
// paint. Uses a temporary database with 505 scans, or the big one of `npm run api`.

const { values } = parseArgs({
  options: {
    /** Folder that `npm run api` has filled. */
    big: { type: 'string' },
    /** URL of a running product, whose administrator has the tests' password. */
    url: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    screens: { type: 'string', default: '' },
  },
})
const settleMs = 1200
const enoughScans = 505

type Screen = { path: string; scrolls?: boolean; acts: Record<string, (page: Page) => Promise<unknown>> }
const tick = {
  'tick a row': (page: Page) => page.locator('tbody input[type=checkbox]').nth(2).click(),
  'tick all rows': (page: Page) => page.locator('thead input[type=checkbox]').click(),
  'untick all rows': (page: Page) => page.locator('thead input[type=checkbox]').click(),
}
const sortBy = (name: string) => (page: Page) => page.getByRole('columnheader', { name }).getByRole('button').click()
const typeInSearch = (page: Page) => page.getByRole('searchbox').first().pressSequentially('site', { delay: 60 })
const goToNextPage = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).last().click()
const openSecondRow = (page: Page) => page.locator('tbody th a').nth(1).click()
const goToNextDetail = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).last().click()
const closeDetail = (page: Page) => page.keyboard.press('Escape')

const screens: Record<string, Screen> = {
  'scans, 500 rows': {
    path: '/scans?size=500',
    scrolls: true,
    acts: {
      ...tick,
      sort: sortBy('Scan'),
      'open a menu': (page) =>
        page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click(),
      'close it': closeDetail,
      'count by pages': (page) => page.getByText('Count pages').click(),
      group: (page) => page.getByLabel('Group by').selectOption('priority'),
      filter: typeInSearch,
    },
  },
  'scans, 25 rows': { path: '/scans', acts: { sort: sortBy('Scan'), turn: goToNextPage, filter: typeInSearch } },
  'issues, 500 rows': {
    path: '/issues?size=500&grouped=false',
    scrolls: true,
    acts: {
      ...tick,
      sort: sortBy('Issue'),
      turn: goToNextPage,
      'open a detail': openSecondRow,
      'next detail': goToNextDetail,
      'close it': closeDetail,
      filter: (page) => page.getByRole('checkbox', { name: /^Serious/ }).click(),
      group: (page) => page.getByLabel('Group by').selectOption('template'),
    },
  },
  'issues, 25 rows': {
    path: '/issues',
    acts: {
      sort: sortBy('Issue'),
      turn: goToNextPage,
      'open a detail': openSecondRow,
      'next detail': goToNextDetail,
      'close it': closeDetail,
      filter: (page) => page.getByRole('checkbox', { name: /^Serious/ }).click(),
      search: typeInSearch,
    },
  },
  'pages, 500 rows': {
    path: '/pages?size=500',
    scrolls: true,
    acts: {
      ...tick,
      sort: sortBy('Page'),
      turn: goToNextPage,
      'open a detail': openSecondRow,
      'next detail': goToNextDetail,
      'close it': closeDetail,
    },
  },
  summary: {
    path: '/rollup',
    acts: {
      '30 days': (page) => page.getByText('30 days').click(),
      'by template': (page) => page.getByText('By template').click(),
      'choose scans': (page) => page.getByRole('button', { name: 'Choose scans and groups…' }).click(),
      'close it': closeDetail,
    },
  },
}

async function startOwnProduct(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataFolder = values.big ? join(values.big, 'data') : mkdtempSync(join(tmpdir(), 'clearway-interact-'))
  const env = { CLEARWAY_ROLES: 'api,account,idp' }
  const product = await startProduct({ data: dataFolder, port: await findFreePort(), env })
  const stopProduct = async () => {
    await product.stop()
    if (!values.big) rmSync(dataFolder, { recursive: true, force: true })
  }
  return { url: product.url, stop: stopProduct }
}

async function createScans(url: string): Promise<void> {
  const client = await signIn(url, 'admin', adminPassword)
  for (let i = 0; i < enoughScans; i++) {
    const settings = { name: `Scan ${i} of a site`, type: 'quick', urls: [`https://site${i}.example/`] }
    await client('POST', '/scans', settings)
  }
}

/** Lists the event timings of an action, and the parts of the median one. */
function describeTimings(timings: readonly ActionTiming[]): string {
  const events = timings.map(({ event }) => event)
  const { eventMs, waitMs, handlerMs, paintMs } = events.toSorted((a, b) => a.eventMs - b.eventMs)[events.length >> 1]!
  const parts = `wait ${Math.round(waitMs)}, handlers ${Math.round(handlerMs)}, paint ${Math.round(paintMs)}`
  const cpuMs = Math.round(computeMedian(timings.map((timing) => timing.processor)))
  return `${eventMs} ms (${parts}; ${events.map((event) => event.eventMs).join(' ')}), processor ${cpuMs} ms`
}

/** A page of plain markup with as many rows, and no script of ours: what the browser and the machine take alone. */
const bareRows = Array.from(
  { length: 500 },
  (_, row) => `<tr><td><input type="checkbox"><th scope="row"><a href="#${row}">Row ${row}</a><td>Text`,
)
const barePage = `<!doctype html><html lang="en"><title>Bare</title><table><tbody>${bareRows.join('')}</table>`
async function measureBarePage(page: Page, rounds: number): Promise<string> {
  await page.goto(`data:text/html,${encodeURIComponent(barePage)}`)
  const timings: ActionTiming[] = []
  for (let round = 0; round < rounds; round++)
    timings.push(await measureAction(page, () => page.locator('tbody input').nth(2).click(), settleMs))
  return describeTimings(timings)
}

const product = values.url ? { url: values.url, stop: () => Promise.resolve() } : await startOwnProduct()
if (!values.url && !values.big) await createScans(product.url)
const browser = await chromium.launch({
  executablePath: process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
await watchEvents(page)
await page.goto(`${product.url}/monitor/`)
await page.getByLabel('User name').fill('admin')
await page.getByLabel('Password').fill(adminPassword)
await page.keyboard.press('Enter')
await page.getByRole('heading', { level: 1, name: 'Scans' }).waitFor()

const describeLoad = () => `load average ${loadavg()[0]!.toFixed(1)}`
console.log(`${values.rounds} rounds, ${describeLoad()}`)
console.log(`a bare page of 500 rows, tick: ${await measureBarePage(page, Number(values.rounds))}`)
const requestedScreens = values.screens.split(',')
for (const [name, { path, scrolls, acts }] of Object.entries(screens)) {
  if (!requestedScreens.some((prefix) => name.startsWith(prefix))) continue
  const times: Record<string, ActionTiming[]> = {}
  for (let round = 0; round < Number(values.rounds); round++) {
    await page.goto(`${product.url}/monitor${path}`)
    await page.waitForLoadState('networkidle')
    const rowCount = await page.locator('tbody tr').count()
    if (round === 0) console.log(`${name}: ${rowCount} rows`)
    if (rowCount === 0) break
    if (scrolls) {
      const { pixels, drawn, lateFrameCount, maxGapMs, busy } = await scrollThrough(browser, page)
      const share = `${Math.round(busy * 100)} % of a core`
      console.log(
        `  scroll ${pixels} px: ${drawn} frames, ${lateFrameCount} late, longest gap ${Math.round(maxGapMs)} ms, ${share}`,
      )
      await page.evaluate(() => scrollTo(0, 0))
      await page.waitForTimeout(settleMs)
    }
    for (const [act, perform] of Object.entries(acts))
      (times[act] ??= []).push(await measureAction(page, () => perform(page), settleMs))
  }
  for (const [act, timings] of Object.entries(times)) console.log(`  ${act}: ${describeTimings(timings)}`)
}
console.log(describeLoad())
await browser.close()
await product.stop()
