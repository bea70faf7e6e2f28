import { parseArgs } from 'node:util'
import { desktopConfig, startFlow } from 'lighthouse'
import puppeteer from 'puppeteer-core'
import { adminPassword } from '../../e2e/product/start.ts'
import { buildFixtureScan, waitForRunEnd } from '../../e2e/product/results.ts'
import { startSuite } from '../../e2e/product/suite.ts'

// Lighthouse over the main screens, with the fixture site's results: its scores, and axe's word on each screen.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Beginnings of the screens' names: `--screens issues,pages`. */
    screens: { type: 'string', default: '' },
    kinds: { type: 'string', default: 'desktop,mobile' },
  },
})
process.env.TEST_BROWSER ??= process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
const suite = await startSuite()
const { client, product, site } = suite
const { id } = await client<{ id: string }>('POST', '/scans', buildFixtureScan('Fixture site', site.url))
await client('POST', `/scans/${id}/startRun`, {})
await waitForRunEnd(client, id, 600_000)

const wanted = values.screens.split(',')
const all: Record<string, string> = {
  'scan list': '/scans',
  overview: `/scans/${id}`,
  'issues list': `/issues?scanId=${id}`,
  'pages list': `/pages?scanId=${id}`,
  wizard: '/scans/new',
  summary: '/rollup',
  'scan groups': '/admin',
}
const screens = Object.entries(all).filter(([name]) => wanted.some((one) => name.startsWith(one)))
const browser = await puppeteer.launch({
  executablePath: process.env.TEST_BROWSER,
  args: ['--no-sandbox', '--lang=en-GB'],
})
const signIn = await browser.newPage()
await signIn.goto(`${product.url}/monitor`, { waitUntil: 'networkidle0' })
await signIn.locator('::-p-aria(User name or email)').fill('admin')
await signIn.locator('::-p-aria(Password)').fill(adminPassword)
await Promise.all([signIn.waitForNavigation({ waitUntil: 'networkidle0' }), signIn.keyboard.press('Enter')])
await signIn.close()

/**
 * A tab that is signed in. Each screen gets its own: when a trace starts, V8 lists all code that the tab has compiled so far, which in
 * one tab for all took 150 ms and more, and Lighthouse counts it as the page's.
 */
async function freshTab() {
  const page = await browser.newPage()
  await page.goto(`${product.url}/monitor`, { waitUntil: 'networkidle0' })
  // What is shown while Lighthouse makes the tab a phone would move, and count as a shift of the screen that comes.
  await page.goto('about:blank')
  return page
}

const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
/** Lighthouse's own network and processor for each kind of device; tokens stay, since they are the tab's. */
const kinds = { desktop: desktopConfig, mobile: undefined }
/** What the performance score is made of. */
const metrics = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  SI: 'speed-index',
}
for (const [kind, config] of Object.entries(kinds).filter(([kind]) => values.kinds.includes(kind)))
  for (const [name, path] of screens) {
    const lines: string[] = []
    const performance: number[] = []
    const accessibility: number[] = []
    const practices: number[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const page = await freshTab()
      const flow = await startFlow(page, {
        ...(config && { config }),
        flags: {
          disableStorageReset: true,
          onlyCategories: ['performance', 'accessibility', 'best-practices'],
        },
      })
      await flow.navigate(`${product.url}/monitor${path}`)
      const { lhr } = (await flow.createFlowResult()).steps[0]!
      if (!lhr.finalDisplayedUrl?.includes('/monitor/'))
        throw new Error(`${name} led to ${lhr.finalDisplayedUrl}`)
      await page.close()
      const score = (category: string) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
      performance.push(score('performance'))
      accessibility.push(score('accessibility'))
      practices.push(score('best-practices'))
      lines.push(
        Object.entries(metrics)
          .map(([short, audit]) => `${short} ${lhr.audits[audit]?.displayValue}`)
          .join(', '),
      )
    }
    console.log(
      `${kind.padEnd(8)} ${name.padEnd(12)} performance ${median(performance)} (${performance.join(' ')}), accessibility ${Math.min(...accessibility)}, best practices ${Math.min(...practices)}`,
    )
    for (const line of lines) console.log(`         ${line}`)
  }
await browser.close()
await suite.close()
