import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import { truthOf } from '../../fixtures/site/truth.ts'
import { tags } from '../engine/contender.ts'
import { serveFolder } from '../engine/serve-folder.ts'

/**
 * Test cases of ACT rules: what is found, left to review, missed, and a false alarm, for us and for axe-core alone.
 *
 *   npm run -s act -- --folder FOLDER --earl report.json
 *
 * FOLDER holds `testcases.json` as the W3C publishes it, and the cases by their `relativePath`; left out, our own in fixtures/act.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(import.meta.dirname, '../../fixtures/act') },
    earl: { type: 'string' },
    concurrency: { type: 'string', default: '2' },
  },
})
type Case = {
  ruleId: string
  ruleName: string
  testcaseId: string
  relativePath: string
  expected: 'passed' | 'failed' | 'inapplicable'
  url?: string
}
type Seen = { violations: Set<string>; reviews: Set<string> } | { not: string }

const { testcases } = JSON.parse(readFileSync(join(values.folder, 'testcases.json'), 'utf8')) as {
  testcases: Case[]
}
const axe = createRequire(import.meta.url)('axe-core') as {
  getRules(): { ruleId: string; actIds?: string[] }[]
}
const axeRulesOf = Map.groupBy(
  axe.getRules().flatMap(({ ruleId, actIds = [] }) => actIds.map((act) => ({ act, ruleId }))),
  ({ act }) => act,
)
const site = await serveFolder(values.folder)
const urlOf = ({ relativePath }: Case) => `${site.url}/${relativePath}`
const urls = [...new Set(testcases.map(urlOf))]
const executablePath = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'

const seenOf = (findings: readonly { rule: string; severity: string }[]): Seen => ({
  violations: new Set(findings.filter((f) => f.severity !== 'needs review').map((f) => f.rule)),
  reviews: new Set(findings.filter((f) => f.severity === 'needs review').map((f) => f.rule)),
})

async function scanAll(): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  const cacheFolder = join(tmpdir(), 'clearway-bench')
  const browser = await findBrowser({ setting: executablePath, cacheFolder, sandbox: false })
  if (!browser.found) throw new Error(JSON.stringify(browser))
  const concurrency = Number(values.concurrency)
  const pool = await openPool(browser.facts, { pages: concurrency })
  const frontier = openMemoryFrontier({
    pageLimit: urls.length,
    onRecorded: ({ url }, outcome) =>
      seen.set(
        url,
        outcome.kind === 'completed'
          ? seenOf(outcome.findings)
          : { not: `${outcome.kind}: ${outcome.reason} ${outcome.detail}` },
      ),
  })
  const plan = {
    urls,
    domains: [new URL(site.url).host],
    depth: 0,
    pageLimit: urls.length,
    ruleSet: defaultRuleSet,
    advanced: AdvancedSettings.parse({ savePictures: false, pagesAtOnce: concurrency }),
    allowPrivate: ['all'],
    concurrency,
  }
  await scan({ pool, frontier }, plan, new AbortController().signal)
  await pool.close()
  return seen
}

/** axe-core alone, page by page; a page on which it hangs is given up after 30 s. */
async function axeAll(): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  for (let from = 0; from < urls.length; from += 100) {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    for (const url of urls.slice(from, from + 100)) {
      const late = new Promise<never>((_, reject) =>
        setTimeout(reject, 30_000, new Error('no answer')).unref(),
      )
      const found = truthOf(browser, url, tags, 0).then(seenOf)
      found.catch(() => {})
      seen.set(url, await Promise.race([found, late]).catch((error: unknown) => ({ not: String(error) })))
    }
    await browser.close()
  }
  return seen
}

type Verdict = 'found' | 'review' | 'missed' | 'right' | 'false alarm' | 'false review' | 'not scanned'
function verdictOf({ ruleId, expected }: Case, seen: Seen | undefined): Verdict {
  if (!seen || 'not' in seen) return 'not scanned'
  const rules = (axeRulesOf.get(ruleId) ?? []).map((one) => one.ruleId)
  const violated = rules.some((rule) => seen.violations.has(rule))
  const review = rules.some((rule) => seen.reviews.has(rule))
  if (expected === 'failed') return violated ? 'found' : review ? 'review' : 'missed'
  return violated ? 'false alarm' : review ? 'false review' : 'right'
}

/** @source EARL 1.0 Schema, as ACT implementation reports use it */
const assertion = (one: Case, seen: Seen | undefined) => {
  const verdict = verdictOf(one, seen)
  const failed = verdict === 'found' || verdict === 'false alarm'
  const unsure = verdict === 'review' || verdict === 'false review'
  const outcome = verdict === 'not scanned' ? 'untested' : failed ? 'failed' : unsure ? 'cantTell' : 'passed'
  return {
    '@type': 'Assertion',
    subject: { '@type': ['earl:TestSubject', 'sch:WebPage'], source: one.url ?? one.relativePath },
    test: {
      '@type': 'TestCase',
      title: (axeRulesOf.get(one.ruleId) ?? []).map(({ ruleId }) => ruleId).join(', '),
      isPartOf: [{ '@id': `https://www.w3.org/WAI/standards-guidelines/act/rules/${one.ruleId}/` }],
    },
    result: { '@type': 'TestResult', outcome: `earl:${outcome}` },
  }
}

const contenders = { ours: await scanAll(), axe: await axeAll() }
site.close()
const mapped = testcases.filter(({ ruleId }) => axeRulesOf.has(ruleId))
console.log(`${testcases.length} cases, ${mapped.length} of rules that axe-core maps`)
const verdicts = ['found', 'review', 'missed', 'right', 'false review', 'false alarm', 'not scanned'] as const
for (const [name, seen] of Object.entries(contenders)) {
  const rows: Record<string, Record<string, number | string>> = {}
  for (const one of mapped) {
    for (const key of [one.ruleId, 'all']) {
      rows[key] ??= Object.fromEntries(verdicts.map((verdict) => [verdict, 0]))
      const verdict = verdictOf(one, seen.get(urlOf(one)))
      rows[key][verdict] = Number(rows[key][verdict]) + 1
    }
  }
  const { all, ...rules } = rows
  console.log(name)
  console.table({ ...rules, all })
}
for (const [url, seen] of contenders.ours) if ('not' in seen) console.log(`not scanned: ${url}: ${seen.not}`)
const lost = mapped.filter(
  (one) =>
    verdictOf(one, contenders.axe.get(urlOf(one))) === 'found' &&
    verdictOf(one, contenders.ours.get(urlOf(one))) !== 'found',
)
for (const one of lost) console.log(`lost against axe: ${one.ruleId} ${one.relativePath}`)
if (values.earl) {
  const report = {
    '@context': 'https://act-rules.github.io/earl-context.json',
    '@type': 'Assertor',
    assertions: mapped.map((one) => assertion(one, contenders.ours.get(urlOf(one)))),
  }
  writeFileSync(values.earl, `${JSON.stringify(report, null, 2)}\n`)
}
process.exit(lost.length > 0 ? 1 : 0)
