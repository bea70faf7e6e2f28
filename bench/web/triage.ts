import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { signIn } from '../../e2e/product/client.ts'
import { adminPassword, findFreePort, startProduct } from '../../e2e/product/start.ts'
import { waitForRunEnd } from '../../e2e/product/results.ts'

// Triages issues by keyboard alone: open, assign to me, fixed, next. Counts the keys per issue, and measures the time from each
// key until the screen shows its effect. Uses issues of a real run.

const { values } = parseArgs({
  options: {
    issues: { type: 'string', default: '5000' },
    triaged: { type: 'string', default: '50' },
  },
})
const [issueCount, triaged] = [Number(values.issues), Number(values.triaged)]
/** Delay that users do not notice. */
const noticedMs = 100
const imagesAPage = 100

/** Pages of images without a text alternative. */
const site = createServer((request, response) => {
  const number = Number(request.url!.slice(1))
  const pages = Math.ceil(issueCount / imagesAPage)
  const links = Array.from({ length: pages }, (_, page) => `<li><a href="/${page + 1}">Page ${page + 1}</a>`)
  const images = Array.from({ length: imagesAPage }, (_, imageIndex) => `<p id="p${number}-${imageIndex}"><img src="data:,">`)
  const body = number === 0 ? `<ul>${links.join('')}</ul>` : images.join('')
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(`<!doctype html><html lang="en"><title>${number}</title><main><h1>Page ${number}</h1>${body}</main>`)
})
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-triage-'))
const product = await startProduct({ data: dataFolder, port: await findFreePort() })
const browser = await chromium.launch({
  executablePath: process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const client = await signIn(product.url, 'admin', adminPassword)
  const urls = [`http://127.0.0.1:${(site.address() as AddressInfo).port}/`]
  const scan = { name: 'Many images', type: 'custom', urls, depth: null, pageLimit: 1000 }
  const { id } = await client<{ id: string }>('POST', '/scans', scan)
  await client('POST', `/scans/${id}/startRun`)
  await waitForRunEnd(client, id, 1_200_000)

  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  await page.goto(`${product.url}/monitor/`)
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password').fill(adminPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Scans' }).waitFor()
  await page.goto(`${product.url}/monitor/issues?scanId=%5B%22${id}%22%5D&grouped=false`)
  await page.getByRole('table', { name: 'Issues' }).getByRole('rowheader').nth(10).waitFor()
  const openIssues = await client<{ page: { totalElements: number } }>('GET', `/issues?scanId=${id}&status=open&size=1`)
  console.log(`${openIssues.page.totalElements} open issues, load average ${loadavg()[0]!.toFixed(1)}`)

  /** Presses a key; returns the time until the first frame in which `shown` is true. */
  const pressKey = async (key: string, condition: string): Promise<number> => {
    await page.evaluate(`{
      const button = (text) => [...document.querySelectorAll('section[aria-labelledby=detail] button')]
        .some((one) => text.test(one.getAttribute('aria-label') ?? one.textContent))
      const opened = new URL(location).searchParams.get('issue')
      globalThis.answer = new Promise((done) => addEventListener('keydown', ({ timeStamp }) => {
        const look = () => (${condition}) ? done(performance.now() - timeStamp) : requestAnimationFrame(look)
        look()
      }, { once: true, capture: true }))
      0
    }`)
    await page.keyboard.press(key)
    const limit = `new Promise((_, failed) => setTimeout(() => failed(new Error('no answer to ${key}')), 20000))`
    return page.evaluate<number>(`Promise.race([answer, ${limit}])`)
  }
  const isNext = `opened !== new URL(location).searchParams.get('issue') && button(/^Assignee: Nobody/) && button(/^Status: Open/)`
  const times: Record<string, number[]> = { open: [], mine: [], fixed: [], next: [] }
  await page.keyboard.press('j')
  times['open']!.push(await pressKey('Enter', isNext))
  let keys = 2
  for (let number = 0; number < triaged; number++) {
    times['mine']!.push(await pressKey('m', 'button(/^Assignee: (?!Nobody)/)'))
    times['fixed']!.push(await pressKey('f', 'button(/^Status: Fixed/)'))
    times['next']!.push(await pressKey('j', isNext))
    keys += 3
  }
  for (const [name, durations] of Object.entries(times)) {
    const sorted = durations.toSorted((a, b) => a - b).map(Math.round)
    const getPercentile = (fraction: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))]
    const noticed = sorted.filter((ms) => ms > noticedMs).length
    console.log(
      `${name}: median ${getPercentile(0.5)} ms, p95 ${getPercentile(0.95)}, slowest ${sorted.at(-1)}; over ${noticedMs} ms: ${noticed} of ${sorted.length}`,
    )
  }
  console.log(`${triaged} issues, ${(keys / triaged).toFixed(2)} keys each`)
  // The screen updates optimistically; the server must confirm it.
  const deadline = Date.now() + 30_000
  const countOpen = async () =>
    (await client<typeof openIssues>('GET', `/issues?scanId=${id}&status=open&size=1`)).page.totalElements
  const expectedCount = openIssues.page.totalElements - triaged
  while ((await countOpen()) !== expectedCount)
    if (Date.now() > deadline) throw new Error(`${await countOpen()} are open, not ${expectedCount}`)
    else await new Promise((resolve) => setTimeout(resolve, 200))
} finally {
  await browser.close()
  await product.stop()
  site.close()
  rmSync(dataFolder, { recursive: true, force: true })
}
