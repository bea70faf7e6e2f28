import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { splitElementKey } from '../../packages/contract/src/monitor/issue/model.ts'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool, type BrowserPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import type { Finding, PageOutcome } from '../../packages/engine/src/outcome.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import { serveFolder } from '../engine/serve-folder.ts'
import { compareRuns } from './compare-runs.ts'
import { drawSheets, type JudgedHit } from './sheet.ts'
import { chooseHits, choosePages } from './choose.ts'

/**
 * Drives pages of many sources, and draws failures of each rule on sheets for a person to judge. Draws the same hits for
 * the same seed. With `--twice`, drives the pages again, and counts the failures that both runs report.
 *
 *   npm run -s driven:judge -- --source /srv/manual --source /srv/templates --pages 5 --output /tmp/judge
 */
const { values } = parseArgs({
  options: {
    /** Folders of pages. Their names, without their parents, name the sources. */
    source: { type: 'string', multiple: true, default: [] },
    /** File with a page on each line, instead of those that the seed chooses: its folder, a tab, its path in it. */
    list: { type: 'string' },
    pages: { type: 'string', default: '5' },
    /** Hits of each rule, of different pages. */
    hits: { type: 'string', default: '30' },
    /** Hits of each rule from one source. */
    'per-source': { type: 'string', default: '3' },
    /** The only rule to draw, for another drawing after a change. */
    rule: { type: 'string' },
    seed: { type: 'string', default: '1' },
    twice: { type: 'boolean', default: false },
    output: { type: 'string', default: join(tmpdir(), 'clearway-judge') },
    browser: { type: 'string', default: process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium-headless-shell' },
  },
})
const nameSource = (folder: string) => basename(folder.replace(/\/usr\/share\/doc$/, ''))
type Source = { name: string; site: Awaited<ReturnType<typeof serveFolder>>; urls: string[] }

const toHit = (source: Source, url: string, finding: Finding): JudgedHit => ({
  source: source.name,
  page: url.slice(source.site.url.length),
  // The rules of axe-core are judged together in each state.
  rule: finding.states === undefined ? finding.rule : `axe-${finding.states[0]!.split(':', 1)[0]!.replaceAll(' ', '')}`,
  proof: [finding.rule, ...(finding.states ?? []), ...finding.fix.any].join(' · '),
  target: JSON.stringify(finding.target),
  key: splitElementKey(finding.elementKey).location,
  html: finding.html,
  picture: finding.picture,
})

/** Drives the chosen pages of all sources. */
async function drivePages(pool: BrowserPool, sources: readonly Source[]) {
  const outcomes = new Map<string, PageOutcome>()
  const urls = sources.flatMap((source) => source.urls)
  const frontier = openMemoryFrontier({
    pageLimit: urls.length,
    onRecorded: (claim, outcome) => {
      outcomes.set(claim.url, outcome)
      process.stderr.write(`\r${outcomes.size} of ${urls.length} pages`)
    },
  })
  const advanced = AdvancedSettings.parse({ pagesAtOnce: 2, driven: 'every' })
  const domains = sources.map(({ site }) => new URL(site.url).host)
  const limits = { depth: 0, pageLimit: urls.length, concurrency: 2, allowPrivate: ['all'] }
  await scan({ pool, frontier }, { urls, domains, ruleSet: defaultRuleSet, advanced, ...limits }, new AbortController().signal)
  const levels = { full: 0, inPart: 0, failed: 0 }
  const hits = sources.flatMap((source) =>
    source.urls.flatMap((url) => {
      const outcome = outcomes.get(url)
      if (outcome?.kind !== 'completed' || !outcome.driven) {
        levels.failed += 1
        return []
      }
      levels[outcome.driven.isPartial ? 'inPart' : 'full'] += 1
      return outcome.findings
        .filter(({ engine, severity }) => engine === 'driven' && severity !== 'needs review')
        .map((finding) => toHit(source, url, finding))
    }),
  )
  console.log(`${urls.length} pages: ${JSON.stringify(levels)}, ${hits.length} failures`)
  return hits
}

const listedPaths = Map.groupBy(
  values.list === undefined ? [] : readFileSync(values.list, 'utf8').trim().split('\n'),
  (line) => line.split('\t')[0]!,
)
const sources: Source[] = []
for (const [folder, lines] of listedPaths) {
  const site = await serveFolder(folder)
  sources.push({ name: nameSource(folder), site, urls: lines.map((line) => site.url + line.split('\t')[1]!) })
}
for (const folder of values.source) {
  const site = await serveFolder(folder)
  const readPage = (url: string) => readFileSync(join(folder, decodeURIComponent(new URL(url).pathname)), 'utf8')
  const urls = choosePages(
    site.pages,
    { readPage, toSeed: (url) => values.seed + url.slice(site.url.length) },
    Number(values.pages),
  )
  sources.push({ name: nameSource(folder), site, urls })
}
const browser = await findBrowser({ setting: values.browser, cacheFolder: join(tmpdir(), 'clearway-bench'), sandbox: true })
if (!browser.found) throw new Error(JSON.stringify(browser))
const pool = await openPool(browser.facts, { pages: 2 })
const hits = await drivePages(pool, sources)
mkdirSync(values.output, { recursive: true })
const drawings = chooseHits(hits, {
  maxHits: Number(values.hits),
  maxPerSource: Number(values['per-source']),
  seed: values.seed,
})
const counts = []
for (const [rule, ruleHits] of drawings) {
  const total = hits.filter((hit) => hit.rule === rule)
  counts.push({ rule, hits: total.length, drawn: ruleHits.length, sources: new Set(ruleHits.map(({ source }) => source)).size })
  if (values.rule === undefined || values.rule === rule) await drawSheets(browser.facts.path, join(values.output, rule), ruleHits)
}
console.table(counts)
const listed = hits.map(({ picture: _picture, ...hit }) => hit)
writeFileSync(join(values.output, 'hits.json'), JSON.stringify(listed, null, 1))
if (values.twice) console.table(compareRuns(hits, await drivePages(pool, sources)))
await pool.close()
for (const { site } of sources) site.close()
