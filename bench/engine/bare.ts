import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { readJob, toLines, tags } from './contender.ts'

// The lower bound: as many reused pages as the others have at once, load, axe.run, nothing else. A further argument `load` leaves axe.run out.
const { urlFile, executablePath, args, concurrency, record } = readJob()
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const browser = await chromium.launch({ executablePath, args })
const urls = readFileSync(urlFile, 'utf8').trim().split('\n').values()

async function processUrls(): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1024 } })
  for (const url of urls) {
    await page.goto(url)
    if (process.argv[6] === 'load') continue
    await page.evaluate(source)
    const axeResults = await page.evaluate(
      (axeTags) =>
        // @ts-expect-error axe is in the page
        axe.run({ runOnly: { type: 'tag', values: axeTags }, resultTypes: ['violations', 'incomplete'] }).then((r) => ({
          violations: r.violations,
          incomplete: r.incomplete,
        })),
      tags,
    )
    record(url, toLines(axeResults))
  }
}
await Promise.all(Array.from({ length: concurrency }, processUrls))
await browser.close()
