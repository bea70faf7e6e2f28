import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { job, lines, tags } from './contender.ts'

// The floor: one reused page, load, axe.run, nothing else.
const { urlFile, executablePath, args, record } = job()
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')
const browser = await chromium.launch({ executablePath, args })
const page = await browser.newPage({ viewport: { width: 1280, height: 1024 } })
for (const url of readFileSync(urlFile, 'utf8').trim().split('\n')) {
  await page.goto(url)
  await page.evaluate(source)
  const results = await page.evaluate(
    (values) =>
      // @ts-expect-error axe is in the page
      axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations', 'incomplete'] }).then((r) => ({
        violations: r.violations,
        incomplete: r.incomplete,
      })),
    tags,
  )
  record(url, lines(results))
}
await browser.close()
