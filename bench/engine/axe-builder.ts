import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from 'playwright-core'
import { readJob, toLines, tags } from './contender.ts'

// axe-core's own driver for Playwright, one page at a time, as in its documentation.
const { urlFile, executablePath, args, record } = readJob()
const browser = await chromium.launch({ executablePath, args })
const context = await browser.newContext({ viewport: { width: 1280, height: 1024 } })
for (const url of readFileSync(urlFile, 'utf8').trim().split('\n')) {
  const page = await context.newPage()
  await page.goto(url)
  record(url, toLines(await new AxeBuilder({ page }).withTags(tags).analyze()))
  await page.close()
}
await browser.close()
