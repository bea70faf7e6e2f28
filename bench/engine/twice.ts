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
 * Crawls real documentation twice and compares everything that was found: URLs, ends, elements.
 *
 *   npm run -s twice -- --pages 60
 */
const { values } = parseArgs({ options: { pages: { type: 'string', default: '60' } } })
const pageLimit = Number(values.pages)
const folders = {
  'python3-doc': '/usr/share/doc/python3-doc/html',
  'git-doc': '/usr/share/doc/git/html',
  'postgresql-doc': '/usr/share/doc/postgresql-doc-15/html',
}
const browser = await findBrowser({
  setting: process.env.CLEARWAY_BROWSER ?? null,
  cacheFolder: join(tmpdir(), 'clearway-bench'),
  sandbox: true,
})
if (!browser.found) throw new Error(JSON.stringify(browser))
const pool = await openPool(browser.facts, { pages: 2 })

type Run = { prints: Map<string, string>; seconds: number; findings: number; completed: number }

const printOf = (outcome: PageOutcome): string =>
  outcome.kind === 'completed'
    ? outcome.findings
        .map(({ rule, severity, elementKey, ordinal }) => `${rule} ${severity} ${elementKey} ${ordinal}`)
        .join('\n')
    : `${outcome.kind} ${outcome.reason}`

async function crawl(url: string): Promise<Run> {
  const run: Run = { prints: new Map(), seconds: 0, findings: 0, completed: 0 }
  const frontier = openMemoryFrontier({
    pageLimit,
    onRecorded(claim, outcome) {
      run.prints.set(claim.url, printOf(outcome))
      if (outcome.kind !== 'completed') return
      run.completed += 1
      run.findings += outcome.findings.length
    },
  })
  const plan = {
    urls: [`${url}/`],
    domains: [new URL(url).host],
    depth: null,
    pageLimit,
    ruleSet: defaultRuleSet,
    advanced: AdvancedSettings.parse({}),
    allowPrivate: ['all'],
    concurrency: 2,
  }
  const began = performance.now()
  await scan({ pool, frontier }, plan, new AbortController().signal)
  run.seconds = (performance.now() - began) / 1000
  return run
}

const table: Record<string, object> = {}
for (const [name, folder] of Object.entries(folders)) {
  if (!existsSync(folder)) {
    console.log(`${name} is not installed: apt install ${name}`)
    continue
  }
  const site = await serveFolder(folder)
  const [first, second] = [await crawl(site.url), await crawl(site.url)]
  const differing = [...new Set([...first.prints.keys(), ...second.prints.keys()])].filter(
    (url) => first.prints.get(url) !== second.prints.get(url),
  )
  table[name] = {
    pages: first.completed,
    findings: first.findings,
    'pages/min': Math.round((first.completed / first.seconds) * 60),
    'again/min': Math.round((second.completed / second.seconds) * 60),
    differing: differing.length,
  }
  for (const url of differing) {
    const [a, b] = [first, second].map(
      ({ prints }) => new Set((prints.get(url) ?? 'not visited').split('\n')),
    )
    const only = (one: Set<string>, other: Set<string>) =>
      [...one].filter((line) => !other.has(line)).slice(0, 3)
    console.log(`differs: ${url}`, only(a!, b!), only(b!, a!))
  }
  site.close()
}
await pool.close()
console.table(table)
