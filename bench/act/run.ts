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
import { collectPageTruth } from '../../fixtures/site/truth.ts'
import { tags } from '../engine/contender.ts'
import { serveFolder } from '../engine/serve-folder.ts'

/**
 * Runs the test cases of ACT rules: violations found, left to review, missed, and false alarms, for Clearway and for
 * axe-core alone.
 *
 *   npm run -s act -- --folder FOLDER --earl report.json
 *
 * FOLDER holds `testcases.json` as published by the W3C, and the cases by their `relativePath`. Default: our own cases in
 * fixtures/act.
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
type CaseResult = { violations: Set<string>; reviews: Set<string> } | { not: string }

const { testcases } = JSON.parse(readFileSync(join(values.folder, 'testcases.json'), 'utf8')) as { testcases: Case[] }
const axe = createRequire(import.meta.url)('axe-core') as { getRules(): { ruleId: string; actIds?: string[] }[] }
const axeRulesByActId = Map.groupBy(
  axe.getRules().flatMap(({ ruleId, actIds = [] }) => actIds.map((act) => ({ act, ruleId }))),
  ({ act }) => act,
)
const site = await serveFolder(values.folder)
const buildUrl = ({ relativePath }: Case) => `${site.url}/${relativePath}`
const urls = [...new Set(testcases.map(buildUrl))]
const executablePath = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'

const toCaseResult = (findings: readonly { rule: string; severity: string }[]): CaseResult => ({
  violations: new Set(findings.filter((f) => f.severity !== 'needs review').map((f) => f.rule)),
  reviews: new Set(findings.filter((f) => f.severity === 'needs review').map((f) => f.rule)),
})

async function scanWithClearway(): Promise<Map<string, CaseResult>> {
  const resultByUrl = new Map<string, CaseResult>()
  const cacheFolder = join(tmpdir(), 'clearway-bench')
  const browser = await findBrowser({ setting: executablePath, cacheFolder, sandbox: false })
  if (!browser.found) throw new Error(JSON.stringify(browser))
  const concurrency = Number(values.concurrency)
  const pool = await openPool(browser.facts, { pages: concurrency })
  const frontier = openMemoryFrontier({
    pageLimit: urls.length,
    onRecorded: ({ url }, outcome) =>
      resultByUrl.set(
        url,
        outcome.kind === 'completed'
          ? toCaseResult(outcome.findings)
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
  return resultByUrl
}

/** Runs axe-core alone, page by page; a page that hangs is abandoned after 30 s. */
async function scanWithAxe(): Promise<Map<string, CaseResult>> {
  const resultByUrl = new Map<string, CaseResult>()
  for (let batchStart = 0; batchStart < urls.length; batchStart += 100) {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    for (const url of urls.slice(batchStart, batchStart + 100)) {
      const timeout = new Promise<never>((_, reject) => setTimeout(reject, 30_000, new Error('no answer')).unref())
      const pageResult = collectPageTruth(browser, url, tags, 0).then(toCaseResult)
      pageResult.catch(() => {})
      resultByUrl.set(url, await Promise.race([pageResult, timeout]).catch((error: unknown) => ({ not: String(error) })))
    }
    await browser.close()
  }
  return resultByUrl
}

type Verdict = 'found' | 'review' | 'missed' | 'right' | 'false alarm' | 'false review' | 'not scanned'
function judgeCase({ ruleId, expected }: Case, caseResult: CaseResult | undefined): Verdict {
  if (!caseResult || 'not' in caseResult) return 'not scanned'
  const rules = (axeRulesByActId.get(ruleId) ?? []).map((axeRule) => axeRule.ruleId)
  const violated = rules.some((rule) => caseResult.violations.has(rule))
  const review = rules.some((rule) => caseResult.reviews.has(rule))
  if (expected === 'failed') return violated ? 'found' : review ? 'review' : 'missed'
  return violated ? 'false alarm' : review ? 'false review' : 'right'
}

/** @source EARL 1.0 Schema, as ACT implementation reports use it */
const buildAssertion = (testCase: Case, caseResult: CaseResult | undefined) => {
  const verdict = judgeCase(testCase, caseResult)
  const hasFailed = verdict === 'found' || verdict === 'false alarm'
  const unsure = verdict === 'review' || verdict === 'false review'
  const outcome = verdict === 'not scanned' ? 'untested' : hasFailed ? 'failed' : unsure ? 'cantTell' : 'passed'
  return {
    '@type': 'Assertion',
    subject: { '@type': ['earl:TestSubject', 'sch:WebPage'], source: testCase.url ?? testCase.relativePath },
    test: {
      '@type': 'TestCase',
      title: (axeRulesByActId.get(testCase.ruleId) ?? []).map(({ ruleId }) => ruleId).join(', '),
      isPartOf: [{ '@id': `https://www.w3.org/WAI/standards-guidelines/act/rules/${testCase.ruleId}/` }],
    },
    result: { '@type': 'TestResult', outcome: `earl:${outcome}` },
  }
}

const contenders = { ours: await scanWithClearway(), axe: await scanWithAxe() }
site.close()
const mapped = testcases.filter(({ ruleId }) => axeRulesByActId.has(ruleId))
console.log(`${testcases.length} cases, ${mapped.length} of rules that axe-core maps`)
const verdicts = ['found', 'review', 'missed', 'right', 'false review', 'false alarm', 'not scanned'] as const
for (const [name, resultByUrl] of Object.entries(contenders)) {
  const countsByRule: Record<string, Record<string, number | string>> = {}
  for (const testCase of mapped) {
    for (const key of [testCase.ruleId, 'all']) {
      countsByRule[key] ??= Object.fromEntries(verdicts.map((verdict) => [verdict, 0]))
      const verdict = judgeCase(testCase, resultByUrl.get(buildUrl(testCase)))
      countsByRule[key][verdict] = Number(countsByRule[key][verdict]) + 1
    }
  }
  const { all: totals, ...rules } = countsByRule
  console.log(name)
  console.table({ ...rules, all: totals })
}
for (const [url, caseResult] of contenders.ours) if ('not' in caseResult) console.log(`not scanned: ${url}: ${caseResult.not}`)
const lostCases = mapped.filter(
  (testCase) =>
    judgeCase(testCase, contenders.axe.get(buildUrl(testCase))) === 'found' &&
    judgeCase(testCase, contenders.ours.get(buildUrl(testCase))) !== 'found',
)
for (const testCase of lostCases) console.log(`lost against axe: ${testCase.ruleId} ${testCase.relativePath}`)
if (values.earl) {
  const report = {
    '@context': 'https://act-rules.github.io/earl-context.json',
    '@type': 'Assertor',
    assertions: mapped.map((testCase) => buildAssertion(testCase, contenders.ours.get(buildUrl(testCase)))),
  }
  writeFileSync(values.earl, `${JSON.stringify(report, null, 2)}\n`)
}
process.exit(lostCases.length > 0 ? 1 : 0)
