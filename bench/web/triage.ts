import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { signIn } from '../../e2e/product/client.ts'
import { adminPassword, freePort, startProduct } from '../../e2e/product/start.ts'
import { waitForRunEnd } from '../../e2e/product/results.ts'

// Going through issues by keyboard alone: open, mine, fixed, next. How many keys an issue takes, and how long after each key
// the screen shows what it did. The issues are those of a real run.

const { values } = parseArgs({
  options: {
    issues: { type: 'string', default: '5000' },
    triaged: { type: 'string', default: '50' },
  },
})
const [wanted, triaged] = [Number(values.issues), Number(values.triaged)]
/** What somebody does not notice. */
const noticedMs = 100
const imagesAPage = 100

/** Pages of images without a text alternative. */
const site = createServer((request, response) => {
  const number = Number(request.url!.slice(1))
  const pages = Math.ceil(wanted / imagesAPage)
  const links = Array.from({ length: pages }, (_, page) => `<li><a href="/${page + 1}">Page ${page + 1}</a>`)
  const images = Array.from({ length: imagesAPage }, (_, at) => `<p id="p${number}-${at}"><img src="data:,">`)
  const body = number === 0 ? `<ul>${links.join('')}</ul>` : images.join('')
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(
    `<!doctype html><html lang="en"><title>${number}</title><main><h1>Page ${number}</h1>${body}</main>`,
  )
})
await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
const data = mkdtempSync(join(tmpdir(), 'clearway-triage-'))
const product = await startProduct({ data, port: await freePort() })
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
  const all = await client<{ page: { totalElements: number } }>(
    'GET',
    `/issues?scanId=${id}&status=open&size=1`,
  )
  console.log(`${all.page.totalElements} open issues, load average ${loadavg()[0]!.toFixed(1)}`)

  /** Presses a key; the time from there to the first frame in which the screen is as `shown` says. */
  const press = async (key: string, shown: string): Promise<number> => {
    await page.evaluate(`{
      const button = (text) => [...document.querySelectorAll('section[aria-labelledby=detail] button')]
        .some((one) => text.test(one.getAttribute('aria-label') ?? one.textContent))
      const opened = new URL(location).searchParams.get('issue')
      globalThis.answer = new Promise((done) => addEventListener('keydown', ({ timeStamp }) => {
        const look = () => (${shown}) ? done(performance.now() - timeStamp) : requestAnimationFrame(look)
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
  times['open']!.push(await press('Enter', isNext))
  let keys = 2
  for (let number = 0; number < triaged; number++) {
    times['mine']!.push(await press('m', 'button(/^Assignee: (?!Nobody)/)'))
    times['fixed']!.push(await press('f', 'button(/^Status: Fixed/)'))
    times['next']!.push(await press('j', isNext))
    keys += 3
  }
  for (const [name, taken] of Object.entries(times)) {
    const sorted = taken.toSorted((a, b) => a - b).map(Math.round)
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
    const noticed = sorted.filter((ms) => ms > noticedMs).length
    console.log(
      `${name}: median ${at(0.5)} ms, p95 ${at(0.95)}, slowest ${sorted.at(-1)}; over ${noticedMs} ms: ${noticed} of ${sorted.length}`,
    )
  }
  console.log(`${triaged} issues, ${(keys / triaged).toFixed(2)} keys each`)
  // The screen is ahead of the server; what it showed has to come true.
  const until = Date.now() + 30_000
  const open = async () =>
    (await client<typeof all>('GET', `/issues?scanId=${id}&status=open&size=1`)).page.totalElements
  const expected = all.page.totalElements - triaged
  while ((await open()) !== expected)
    if (Date.now() > until) throw new Error(`${await open()} are open, not ${expected}`)
    else await new Promise((done) => setTimeout(done, 200))
} finally {
  await browser.close()
  await product.stop()
  site.close()
  rmSync(data, { recursive: true, force: true })
}
