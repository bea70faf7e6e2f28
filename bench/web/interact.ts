import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { signIn } from '../../e2e/product/client.ts'
import { adminPassword, freePort, startProduct } from '../../e2e/product/start.ts'
import { type Answer, answerTo, scrollThrough, watchEvents } from './frames.ts'

// How the screens feel: whether a list of 500 rows scrolls without late frames, and how long each interaction takes to
// the next paint. On a database of its own with 505 scans, or on the big one of `npm run api`.

const { values } = parseArgs({
  options: {
    /** The folder that `npm run api` has filled. */
    big: { type: 'string' },
    /** A product that runs already, whose administrator has the tests' password. */
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
const sort = (name: string) => (page: Page) =>
  page.getByRole('columnheader', { name }).getByRole('button').click()
const type = (page: Page) => page.getByRole('searchbox').first().pressSequentially('site', { delay: 60 })
const turn = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).last().click()
const open = (page: Page) => page.locator('tbody th a').nth(1).click()
const walk = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).last().click()
const close = (page: Page) => page.keyboard.press('Escape')

const screens: Record<string, Screen> = {
  'scans, 500 rows': {
    path: '/scans?size=500',
    scrolls: true,
    acts: {
      ...tick,
      sort: sort('Scan'),
      'open a menu': (page) =>
        page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click(),
      'close it': close,
      'count by pages': (page) => page.getByText('By pages').click(),
      group: (page) => page.getByLabel('Group by').selectOption('priority'),
      filter: type,
    },
  },
  'scans, 25 rows': { path: '/scans', acts: { sort: sort('Scan'), turn, filter: type } },
  'issues, 500 rows': {
    path: '/issues?size=500&grouped=false',
    scrolls: true,
    acts: {
      ...tick,
      sort: sort('Issue'),
      turn,
      'open a detail': open,
      'next detail': walk,
      'close it': close,
      filter: (page) => page.getByRole('checkbox', { name: /^Serious/ }).click(),
      group: (page) => page.getByLabel('Group by').selectOption('template'),
    },
  },
  'issues, 25 rows': {
    path: '/issues',
    acts: {
      sort: sort('Issue'),
      turn,
      'open a detail': open,
      'next detail': walk,
      'close it': close,
      filter: (page) => page.getByRole('checkbox', { name: /^Serious/ }).click(),
      search: type,
    },
  },
  'pages, 500 rows': {
    path: '/pages?size=500',
    scrolls: true,
    acts: {
      ...tick,
      sort: sort('Page'),
      turn,
      'open a detail': open,
      'next detail': walk,
      'close it': close,
    },
  },
  summary: {
    path: '/rollup',
    acts: {
      '30 days': (page) => page.getByText('30 days').click(),
      'by template': (page) => page.getByText('By template').click(),
      'choose scans': (page) => page.getByRole('button', { name: 'Choose scans and groups…' }).click(),
      'close it': close,
    },
  },
}

async function startOwn(): Promise<{ url: string; stop: () => Promise<void> }> {
  const data = values.big ? join(values.big, 'data') : mkdtempSync(join(tmpdir(), 'clearway-interact-'))
  const env = { CLEARWAY_ROLES: 'api,account,idp' }
  const product = await startProduct({ data, port: await freePort(), env })
  const stop = async () => {
    await product.stop()
    if (!values.big) rmSync(data, { recursive: true, force: true })
  }
  return { url: product.url, stop }
}

async function fill(url: string): Promise<void> {
  const client = await signIn(url, 'admin', adminPassword)
  for (let i = 0; i < enoughScans; i++) {
    const settings = { name: `Scan ${i} of a site`, type: 'quick', urls: [`https://site${i}.example/`] }
    await client('POST', '/scans', settings)
  }
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0

const product = values.url ? { url: values.url, stop: () => Promise.resolve() } : await startOwn()
if (!values.url && !values.big) await fill(product.url)
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

const busy = () => `load average ${loadavg()[0]!.toFixed(1)}`
console.log(`${values.rounds} rounds, ${busy()}`)
const wanted = values.screens.split(',')
for (const [name, { path, scrolls, acts }] of Object.entries(screens)) {
  if (!wanted.some((one) => name.startsWith(one))) continue
  const times: Record<string, Answer[]> = {}
  for (let round = 0; round < Number(values.rounds); round++) {
    await page.goto(`${product.url}/monitor${path}`)
    await page.waitForLoadState('networkidle')
    const rows = await page.locator('tbody tr').count()
    if (round === 0) console.log(`${name}: ${rows} rows`)
    if (rows === 0) break
    if (scrolls) {
      const { pixels, drawn, late, longest, busy } = await scrollThrough(browser, page)
      const share = `${Math.round(busy * 100)} % of a core`
      console.log(
        `  scroll ${pixels} px: ${drawn} frames, ${late} late, longest gap ${Math.round(longest)} ms, ${share}`,
      )
      await page.evaluate(() => scrollTo(0, 0))
      await page.waitForTimeout(settleMs)
    }
    for (const [act, perform] of Object.entries(acts))
      (times[act] ??= []).push(await answerTo(page, () => perform(page), settleMs))
  }
  for (const [act, all] of Object.entries(times)) {
    const slowest = all.map((one) => one.slowest)
    const processor = Math.round(median(all.map((one) => one.processor)))
    console.log(`  ${act}: ${median(slowest)} ms (${slowest.join(' ')}), processor ${processor} ms`)
  }
}
console.log(busy())
await browser.close()
await product.stop()
