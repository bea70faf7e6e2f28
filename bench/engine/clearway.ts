import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import { readJob } from './contender.ts'

// Clearway as the product runs it: guard, settling, fingerprints, links, content and screenshots included.
const { urlFile, executablePath, concurrency, record } = readJob()
const urls = readFileSync(urlFile, 'utf8').trim().split('\n')
const browser = await findBrowser({ setting: executablePath, cacheFolder: join(tmpdir(), 'clearway-bench'), sandbox: true })
if (!browser.found) throw new Error(JSON.stringify(browser))
const pool = await openPool(browser.facts, { pages: concurrency })
const levels: string[] = []
const frontier = openMemoryFrontier({
  pageLimit: urls.length,
  onRecorded: (claim, outcome) => {
    const findings = outcome.kind === 'completed' ? outcome.findings : []
    if (outcome.kind === 'completed' && outcome.driven) levels.push(outcome.driven.level)
    record(
      claim.url,
      outcome.kind === 'completed'
        ? findings
            .map((f) => `${f.rule} ${f.severity === 'needs review' ? 'incomplete' : 'fails'} ${JSON.stringify(f.target)}`)
            .sort()
        : [`${outcome.kind}: ${outcome.reason} ${outcome.detail}`],
    )
  },
})
/** How pages are driven: a further argument, off by default. */
const driven = process.argv[6] ?? 'off'
const advanced = AdvancedSettings.parse({ pagesAtOnce: concurrency, driven })
const plan = {
  urls,
  domains: [new URL(urls[0]!).host],
  depth: 0,
  pageLimit: urls.length,
  ruleSet: defaultRuleSet,
  advanced,
  allowPrivate: ['all'],
  concurrency,
}
await scan({ pool, frontier }, plan, new AbortController().signal)
await pool.close()
process.stdout.write(
  JSON.stringify(
    Object.fromEntries(Object.entries(Object.groupBy(levels, (level) => level)).map(([level, pages]) => [level, pages?.length])),
  ),
)
