import { parseArgs } from 'node:util'
import { desktopConfig, startFlow } from 'lighthouse'
import puppeteer from 'puppeteer-core'
import { adminPassword } from '../../e2e/product/start.ts'
import { buildFixtureScan, waitForRunEnd } from '../../e2e/product/results.ts'
import { startSuite } from '../../e2e/product/suite.ts'
import { computeMedian } from '../engine/median.ts'

// Runs Lighthouse on the main screens, with the fixture site's results: its scores, and axe's result for each screen.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Prefixes of screen names: `--screens issues,pages`. */
    screens: { type: 'string', default: '' },
    kinds: { type: 'string', default: 'desktop,mobile' },
    /**
     * How many times slower than this machine a phone computes. Lighthouse's 4 is for a usual machine: one that is half as fast
     * needs 2 for the same phone.
     */
    slowdown: { type: 'string', default: '4' },
  },
})
process.env.TEST_BROWSER ??= process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'
const suite = await startSuite()
const { client, product, site } = suite
const { id } = await client<{ id: string }>('POST', '/scans', buildFixtureScan('Fixture site', site.url))
await client('POST', `/scans/${id}/startRun`, {})
await waitForRunEnd(client, id, 600_000)

const requestedScreens = values.screens.split(',')
const allScreens: Record<string, string> = {
  'scan list': '/scans',
  overview: `/scans/${id}`,
  'issues list': `/issues?scanId=${id}`,
  'pages list': `/pages?scanId=${id}`,
  wizard: '/scans/new',
  summary: '/rollup',
  'scan groups': '/admin',
}
const screens = Object.entries(allScreens).filter(([name]) => requestedScreens.some((prefix) => name.startsWith(prefix)))
const browser = await puppeteer.launch({ executablePath: process.env.TEST_BROWSER, args: ['--no-sandbox', '--lang=en-GB'] })
const signIn = await browser.newPage()
await signIn.goto(`${product.url}/monitor`, { waitUntil: 'networkidle0' })
await signIn.locator('::-p-aria(User name or email)').fill('admin')
await signIn.locator('::-p-aria(Password)').fill(adminPassword)
await Promise.all([signIn.waitForNavigation({ waitUntil: 'networkidle0' }), signIn.keyboard.press('Enter')])
await signIn.close()

/**
 * Opens a signed-in tab for each screen. When a trace starts, V8 lists all code that the tab has compiled so far; in a
 * single shared tab that took 150 ms and more, which Lighthouse attributes to the page.
 */
async function openSignedInTab() {
  const page = await browser.newPage()
  await page.goto(`${product.url}/monitor`, { waitUntil: 'networkidle0' })
  // Visible content would move when Lighthouse resizes the tab to a phone, and count as a layout shift of the next screen.
  await page.goto('about:blank')
  return page
}

/** Lighthouse's own network and CPU settings for each kind of device; tokens stay, because they belong to the tab. */
const kinds = { desktop: desktopConfig, mobile: undefined }
/** Components of the performance score. */
const metrics = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  SI: 'speed-index',
}
for (const [kind, config] of Object.entries(kinds).filter(([kind]) => values.kinds.includes(kind)))
  for (const [name, path] of screens) {
    const auditLines: string[] = []
    const performance: number[] = []
    const accessibility: number[] = []
    const practices: number[] = []
    for (let round = 0; round < Number(values.rounds); round++) {
      const page = await openSignedInTab()
      const flow = await startFlow(page, {
        ...(config && { config }),
        flags: {
          disableStorageReset: true,
          onlyCategories: ['performance', 'accessibility', 'best-practices'],
          ...(config ? {} : { throttling: { cpuSlowdownMultiplier: Number(values.slowdown) } }),
        },
      })
      await flow.navigate(`${product.url}/monitor${path}`)
      const { lhr } = (await flow.createFlowResult()).steps[0]!
      if (!lhr.finalDisplayedUrl?.includes('/monitor/')) throw new Error(`${name} led to ${lhr.finalDisplayedUrl}`)
      await page.close()
      const readScore = (category: string) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
      performance.push(readScore('performance'))
      accessibility.push(readScore('accessibility'))
      practices.push(readScore('best-practices'))
      auditLines.push(
        Object.entries(metrics)
          .map(([label, audit]) => `${label} ${lhr.audits[audit]?.displayValue}`)
          .join(', '),
      )
    }
    console.log(
      `${kind.padEnd(8)} ${name.padEnd(12)} performance ${computeMedian(performance)} (${performance.join(' ')}), accessibility ${Math.min(...accessibility)}, best practices ${Math.min(...practices)}`,
    )
    for (const auditLine of auditLines) console.log(`         ${auditLine}`)
  }
await browser.close()
await suite.close()
