import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import type { PageOutcome } from '../../packages/engine/src/outcome.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import { serveFolder } from './serve-folder.ts'

/**
 * Crawls real documentation twice and compares everything that was found: URLs, ends, elements. The second time all pages that
 * the fingerprint takes for unchanged are analysed all the same: how many it recognises, and whether it was ever wrong.
 *
 *   npm run -s twice -- --pages 700
 *   npm run -s twice -- --folder /usr/share/doc/python3-doc/html --folder /srv/manual
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '60' },
    folder: {
      type: 'string',
      multiple: true,
      default: ['python3-doc/html', 'git/html', 'postgresql-doc-15/html'].map(
        (name) => `/usr/share/doc/${name}`,
      ),
    },
  },
})
const pageLimit = Number(values.pages)
const browser = await findBrowser({
  setting: process.env.CLEARWAY_BROWSER ?? null,
  cacheFolder: join(tmpdir(), 'clearway-bench'),
  sandbox: true,
})
if (!browser.found) throw new Error(JSON.stringify(browser))
const pool = await openPool(browser.facts, { pages: 2 })

type Page = { end: string; print: string | null; recognised: boolean }
type Run = { pages: Map<string, Page>; seconds: number; findings: number; completed: number }

const endOf = (outcome: PageOutcome): string =>
  outcome.kind === 'completed'
    ? outcome.findings
        .map(({ rule, severity, elementKey, ordinal }) => `${rule} ${severity} ${elementKey} ${ordinal}`)
        .join('\n')
    : `${outcome.kind} ${outcome.reason}`

/** @param before what a crawl before has left */
async function crawl(url: string, before?: Run): Promise<Run> {
  const run: Run = { pages: new Map(), seconds: 0, findings: 0, completed: 0 }
  const frontier = openMemoryFrontier({
    pageLimit,
    onRecorded(claim, outcome) {
      const completed = outcome.kind === 'completed' ? outcome : null
      run.pages.set(claim.url, {
        end: endOf(outcome),
        print: completed?.fingerprint ?? null,
        recognised: completed?.audited ?? false,
      })
      if (!completed) return
      run.completed += 1
      run.findings += completed.findings.length
    },
  })
  const claim: typeof frontier.claim = async (n) =>
    (await frontier.claim(n)).map((one) => ({
      ...one,
      knownPrint: before?.pages.get(one.url)?.print ?? null,
    }))
  const plan = {
    urls: [`${url}/`],
    domains: [new URL(url).host],
    depth: null,
    pageLimit,
    ruleSet: defaultRuleSet,
    advanced: AdvancedSettings.parse({ reuseUnchanged: true, reuseAuditPercent: 100 }),
    allowPrivate: ['all'],
    concurrency: 2,
  }
  const began = performance.now()
  await scan({ pool, frontier: { ...frontier, claim } }, plan, new AbortController().signal)
  run.seconds = (performance.now() - began) / 1000
  return run
}

const table: Record<string, object> = {}
for (const folder of values.folder) {
  if (!existsSync(folder)) {
    console.log(`${folder} is not there`)
    continue
  }
  const site = await serveFolder(folder)
  const first = await crawl(site.url)
  const second = await crawl(site.url, first)
  const differing = [...new Set([...first.pages.keys(), ...second.pages.keys()])].filter(
    (url) => first.pages.get(url)?.end !== second.pages.get(url)?.end,
  )
  const recognised = [...second.pages].filter(([, page]) => page.recognised).map(([url]) => url)
  table[folder] = {
    pages: first.completed,
    findings: first.findings,
    'pages/min': Math.round((first.completed / first.seconds) * 60),
    'again/min': Math.round((second.completed / second.seconds) * 60),
    recognised: recognised.length,
    differing: differing.length,
    'differing though recognised': differing.filter((url) => recognised.includes(url)).length,
  }
  for (const url of differing) {
    const [a, b] = [first, second].map(
      ({ pages }) => new Set((pages.get(url)?.end ?? 'not visited').split('\n')),
    )
    const only = (one: Set<string>, other: Set<string>) =>
      [...one].filter((line) => !other.has(line)).slice(0, 3)
    console.log(`differs: ${url}`, only(a!, b!), only(b!, a!))
  }
  for (const [url, page] of second.pages)
    if (!page.recognised && first.pages.get(url)?.end === page.end && page.print !== null)
      console.log(
        `not recognised: ${url}`,
        first.pages.get(url)!.print === null ? 'no fingerprint before' : '',
      )
  site.close()
}
await pool.close()
console.table(table)
