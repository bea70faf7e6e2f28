import { readFileSync } from 'node:fs'
import pa11yCi from 'pa11y-ci'
import { readJob } from './contender.ts'

// pa11y-ci with axe as its only runner. It names elements differently, so its findings are only counted.
const { urlFile, executablePath, args, concurrency, record } = readJob()
const urls = readFileSync(urlFile, 'utf8').trim().split('\n')
const silentLog = { error: () => undefined, info: () => undefined }
const report = await pa11yCi(urls, {
  concurrency,
  log: silentLog,
  runners: ['axe'],
  standard: 'WCAG2AA',
  includeWarnings: true,
  // Otherwise puppeteer closes each page twice, and this Chromium reports the second time as an error.
  useIncognitoBrowserContext: false,
  timeout: 120_000,
  viewport: { width: 1280, height: 1024 },
  chromeLaunchConfig: { executablePath, args },
})
for (const [url, pageIssues] of Object.entries(report.results)) {
  const failure = pageIssues.find((issue) => issue instanceof Error)
  if (failure) throw new Error(`${url}: ${failure.message}`)
  record(url, pageIssues.map((issue) => (issue instanceof Error ? '' : `${issue.code} ${issue.selector}`)).sort())
}
