import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { Configuration, log, LogLevel, PlaywrightCrawler } from 'crawlee'
import { readJob, toLines, tags } from './contender.ts'

// crawlee with axe-core's driver, with default settings except for the number of pages at once.
const { urlFile, executablePath, args, concurrency, record } = readJob()
log.setLevel(LogLevel.ERROR)
const configuration = new Configuration({ storageClientOptions: { localDataDirectory: mkdtempSync(join(tmpdir(), 'crawlee-')) } })
const crawler = new PlaywrightCrawler(
  {
    minConcurrency: concurrency,
    maxConcurrency: concurrency,
    requestHandlerTimeoutSecs: 120,
    launchContext: { launchOptions: { executablePath, args, headless: true } },
    preNavigationHooks: [({ page }) => page.setViewportSize({ width: 1280, height: 1024 })],
    requestHandler: async ({ page, request }) => {
      record(request.url, toLines(await new AxeBuilder({ page }).withTags(tags).analyze()))
    },
  },
  configuration,
)
await crawler.run(readFileSync(urlFile, 'utf8').trim().split('\n'))
