import { readFileSync } from 'node:fs'
import pa11yCi from 'pa11y-ci'
import { job } from './contender.ts'

// pa11y-ci with axe as its only runner. It names elements in its own way, so that its findings are only counted.
const { urlFile, executablePath, args, concurrency, record } = job()
const urls = readFileSync(urlFile, 'utf8').trim().split('\n')
const silent = { error: () => undefined, info: () => undefined }
const report = await pa11yCi(urls, {
  concurrency,
  log: silent,
  runners: ['axe'],
  standard: 'WCAG2AA',
  includeWarnings: true,
  // Else puppeteer closes each page twice, and this Chromium takes the second for an error.
  useIncognitoBrowserContext: false,
  timeout: 120_000,
  viewport: { width: 1280, height: 1024 },
  chromeLaunchConfig: { executablePath, args },
})
for (const [url, found] of Object.entries(report.results)) {
  const failed = found.find((one) => one instanceof Error)
  if (failed) throw new Error(`${url}: ${failed.message}`)
  record(url, found.map((one) => (one instanceof Error ? '' : `${one.code} ${one.selector}`)).sort())
}
