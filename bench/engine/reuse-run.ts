import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import type { PlannedSession } from '../../packages/engine/src/settings.ts'

/** Stored results of a page from the previous run. */
type StoredPage = { print: string | null; findings: string[] }

// One run over a list of URLs that uses the results of the previous run, if any, and stores its own for the next. Its session, if any,
// is JSON in a file.
const [urlFile, knownFile, executablePath, concurrency, audit, sessionFile] = process.argv.slice(2) as string[]
const urls = readFileSync(urlFile!, 'utf8').trim().split('\n')
const previousPages = existsSync(knownFile!) ? (JSON.parse(readFileSync(knownFile!, 'utf8')) as Record<string, StoredPage>) : {}
const storedPages: Record<string, StoredPage> = {}
const counts = { analyzed: 0, kept: 0, audited: 0, different: 0 }
const browser = await findBrowser({ setting: executablePath!, cacheFolder: join(tmpdir(), 'clearway-bench'), sandbox: true })
if (!browser.found) throw new Error(JSON.stringify(browser))
const pool = await openPool(browser.facts, { pages: Number(concurrency) })
const frontier = openMemoryFrontier({
  pageLimit: urls.length,
  onRecorded({ url }, outcome) {
    if (outcome.kind !== 'completed') return
    const previousPage = previousPages[url]
    if (outcome.unchanged) {
      counts.kept += 1
      return void (storedPages[url] = previousPage!)
    }
    const findings = outcome.findings
      .map(({ rule, severity, elementKey, ordinal }) => `${rule} ${severity} ${elementKey} ${ordinal}`)
      .sort()
    counts.analyzed += 1
    if (outcome.audited) counts.audited += 1
    if (outcome.audited && findings.join('\n') !== previousPage?.findings.join('\n')) counts.different += 1
    storedPages[url] = { print: outcome.fingerprint ?? null, findings }
  },
})
const claimKnown: typeof frontier.claim = async (n) =>
  (await frontier.claim(n)).map((claimed) => ({ ...claimed, knownPrint: previousPages[claimed.url]?.print ?? null }))
const plan = {
  urls,
  domains: [new URL(urls[0]!).host],
  depth: 0,
  pageLimit: urls.length,
  ruleSet: defaultRuleSet,
  advanced: AdvancedSettings.parse({
    pagesAtOnce: Number(concurrency),
    reuseUnchanged: audit !== 'off',
    reuseAuditPercent: audit === 'off' ? 5 : Number(audit),
  }),
  allowPrivate: ['all'],
  concurrency: Number(concurrency),
  ...(sessionFile === undefined ? {} : { session: JSON.parse(readFileSync(sessionFile, 'utf8')) as PlannedSession }),
}
await scan({ pool, frontier: { ...frontier, claim: claimKnown } }, plan, new AbortController().signal)
await pool.close()
writeFileSync(knownFile!, JSON.stringify(storedPages))
console.log(JSON.stringify(counts))
