import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import { startSite } from '../../fixtures/site/serve.ts'
import { sitePages } from '../../fixtures/site/site.ts'
import { documentationSets, fetchDocumentation } from './debian.ts'
import { serveFolder } from './serve-folder.ts'

/**
 * Visits real documentation and the site with known violations twice and compares all results: outcomes, elements. The
 * second time all pages with an unchanged fingerprint are analyzed anyway: counts the recognized ones, and the wrong ones.
 * Without folders: the documentation sets of Debian 12 (`debian.ts`), all of their pages.
 *
 *   npm run -s twice -- --minutes 180
 *   npm run -s twice -- --pages 20 --folder /usr/share/doc/python3-doc/html --folder /srv/manual
 */
const { values } = parseArgs({
  options: {
    /** Pages of each site, evenly spread over all it has. */
    pages: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '240' },
    folder: { type: 'string', multiple: true, default: [] },
  },
})
const begun = performance.now()
const timeLimit = AbortSignal.timeout(Number(values.minutes) * 60_000)
const formatElapsed = () => `${((performance.now() - begun) / 60_000).toFixed(1)} min`

const browser = await findBrowser({
  setting: process.env.CLEARWAY_BROWSER ?? null,
  cacheFolder: join(tmpdir(), 'clearway-bench'),
  sandbox: true,
})
if (!browser.found) throw new Error(JSON.stringify(browser))
const pool = await openPool(browser.facts, { pages: 2 })

type VisitedPage = { outcomeText: string; print: string | null; isRecognized: boolean }
type Run = { pages: Map<string, VisitedPage>; seconds: number; findings: number; completed: number }

const describeOutcome = (outcome: PageOutcome): string =>
  outcome.kind === 'completed'
    ? outcome.findings.map(({ rule, severity, elementKey, ordinal }) => `${rule} ${severity} ${elementKey} ${ordinal}`).join('\n')
    : `${outcome.kind} ${outcome.reason}`

/** @param before results of the previous run */
async function visitUrls(urls: readonly string[], previousRun?: Run): Promise<Run> {
  const run: Run = { pages: new Map(), seconds: 0, findings: 0, completed: 0 }
  const frontier = openMemoryFrontier({
    pageLimit: urls.length,
    onRecorded(claim, outcome) {
      if (run.pages.size % 100 === 99) console.log(`${run.pages.size + 1} of ${urls.length}, ${formatElapsed()}`)
      const completed = outcome.kind === 'completed' ? outcome : null
      run.pages.set(claim.url, {
        outcomeText: describeOutcome(outcome),
        print: completed?.fingerprint ?? null,
        isRecognized: completed?.audited ?? false,
      })
      if (!completed) return
      run.completed += 1
      run.findings += completed.findings.length
    },
  })
  const claimKnown: typeof frontier.claim = async (n) =>
    (await frontier.claim(n)).map((claimed) => ({ ...claimed, knownPrint: previousRun?.pages.get(claimed.url)?.print ?? null }))
  const plan = {
    urls: [...urls],
    domains: [new URL(urls[0]!).host],
    depth: 0,
    pageLimit: urls.length,
    ruleSet: defaultRuleSet,
    advanced: AdvancedSettings.parse({ reuseUnchanged: true, reuseAuditPercent: 100 }),
    allowPrivate: ['all'],
    concurrency: 2,
  }
  const began = performance.now()
  await scan({ pool, frontier: { ...frontier, claim: claimKnown } }, plan, timeLimit)
  run.seconds = (performance.now() - began) / 1000
  return run
}

const table: Record<string, object> = {}
const folders =
  values.folder.length > 0 ? values.folder : documentationSets.map(([name, folder]) => fetchDocumentation(name, folder))
const sites = [
  ...folders.map((folder) => ({ name: folder, open: () => serveFolder(folder) })),
  {
    name: 'the site with known faults',
    async open() {
      const site = await startSite()
      return { ...site, pages: sitePages.map(({ path }) => site.url + path) }
    },
  },
]
for (const { name, ...siteDefinition } of sites) {
  const site = await siteDefinition.open()
  const step = Math.max(1, site.pages.length / Number(values.pages))
  const urls = site.pages.filter((_, n) => Math.floor(n / step) > Math.floor((n - 1) / step))
  console.log(`${name}: ${urls.length} of ${site.pages.length} pages, ${formatElapsed()}`)
  const firstRun = await visitUrls(urls)
  const second = await visitUrls(urls, firstRun)
  if (timeLimit.aborted) {
    console.log(`${name}: not done after ${formatElapsed()}`)
    process.exitCode = 1
    await site.close()
    break
  }
  const differing = [...new Set([...firstRun.pages.keys(), ...second.pages.keys()])].filter(
    (url) => firstRun.pages.get(url)?.outcomeText !== second.pages.get(url)?.outcomeText,
  )
  const recognizedUrls = [...second.pages].filter(([, page]) => page.isRecognized).map(([url]) => url)
  table[name] = {
    pages: firstRun.completed,
    findings: firstRun.findings,
    'pages/min': Math.round((firstRun.completed / firstRun.seconds) * 60),
    'again/min': Math.round((second.completed / second.seconds) * 60),
    recognized: recognizedUrls.length,
    differing: differing.length,
    'differing though recognised': differing.filter((url) => recognizedUrls.includes(url)).length,
  }
  for (const url of differing) {
    const [a, b] = [firstRun, second].map(({ pages }) => new Set((pages.get(url)?.outcomeText ?? 'not visited').split('\n')))
    const listDifference = (lines: Set<string>, otherLines: Set<string>) =>
      [...lines].filter((entry) => !otherLines.has(entry)).slice(0, 3)
    console.log(`differs: ${url}`, listDifference(a!, b!), listDifference(b!, a!))
  }
  for (const [url, page] of second.pages)
    if (!page.isRecognized && firstRun.pages.get(url)?.outcomeText === page.outcomeText && page.print !== null)
      console.log(`not recognised: ${url}`, firstRun.pages.get(url)!.print === null ? 'no fingerprint before' : '')
  if (differing.length > 0) process.exitCode = 1
  await site.close()
}
await pool.close()
console.table(table)
