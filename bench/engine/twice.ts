import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
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
import { serveFolder } from './serve-folder.ts'

/**
 * Visits real documentation and the site with known faults twice and compares everything that was found: ends, elements. The second
 * time all pages that the fingerprint takes for unchanged are analysed all the same: how many it recognises, and whether it was ever
 * wrong. Without folders: python3.11-doc, git-doc, postgresql-doc-15 and debian-policy of Debian 12, all of their pages.
 *
 *   npm run -s twice -- --minutes 180
 *   npm run -s twice -- --pages 20 --folder /usr/share/doc/python3-doc/html --folder /srv/manual
 */
const { values } = parseArgs({
  options: {
    /** Of each site, evenly over all it has. */
    pages: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '240' },
    folder: { type: 'string', multiple: true, default: [] },
  },
})
const begun = performance.now()
const end = AbortSignal.timeout(Number(values.minutes) * 60_000)
const minutes = () => `${((performance.now() - begun) / 60_000).toFixed(1)} min`

/** Folders of pages of Debian's packages, unpacked once into the system's temporary folder, not installed. */
function documentation(): string[] {
  const home = join(tmpdir(), 'clearway-bench', 'documentation')
  if (!existsSync(home)) {
    const part = `${home}.part`
    rmSync(part, { recursive: true, force: true })
    mkdirSync(part, { recursive: true })
    const packages = ['python3.11-doc', 'git-doc', 'postgresql-doc-15', 'debian-policy']
    execFileSync('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', ...packages], { cwd: part })
    for (const file of readdirSync(part).filter((name) => name.endsWith('.deb')))
      execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: part })
    renameSync(part, home)
  }
  return ['python3.11/html', 'git-doc', 'postgresql-doc-15/html', 'debian-policy'].map((name) =>
    join(home, 'usr/share/doc', name),
  )
}

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

/** @param before what a run before has left */
async function visit(urls: readonly string[], before?: Run): Promise<Run> {
  const run: Run = { pages: new Map(), seconds: 0, findings: 0, completed: 0 }
  const frontier = openMemoryFrontier({
    pageLimit: urls.length,
    onRecorded(claim, outcome) {
      if (run.pages.size % 100 === 99) console.log(`${run.pages.size + 1} of ${urls.length}, ${minutes()}`)
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
  await scan({ pool, frontier: { ...frontier, claim } }, plan, end)
  run.seconds = (performance.now() - began) / 1000
  return run
}

const table: Record<string, object> = {}
const folders = values.folder.length > 0 ? values.folder : documentation()
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
for (const { name, ...one } of sites) {
  const site = await one.open()
  const step = Math.max(1, site.pages.length / Number(values.pages))
  const urls = site.pages.filter((_, n) => Math.floor(n / step) > Math.floor((n - 1) / step))
  console.log(`${name}: ${urls.length} of ${site.pages.length} pages, ${minutes()}`)
  const first = await visit(urls)
  const second = await visit(urls, first)
  if (end.aborted) {
    console.log(`${name}: not done after ${minutes()}`)
    process.exitCode = 1
    await site.close()
    break
  }
  const differing = [...new Set([...first.pages.keys(), ...second.pages.keys()])].filter(
    (url) => first.pages.get(url)?.end !== second.pages.get(url)?.end,
  )
  const recognised = [...second.pages].filter(([, page]) => page.recognised).map(([url]) => url)
  table[name] = {
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
  if (differing.length > 0) process.exitCode = 1
  await site.close()
}
await pool.close()
console.table(table)
