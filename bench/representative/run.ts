import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { type AliasCandidate, blankIssues, findAliases } from '../../packages/contract/src/monitor/page/alias/model.ts'
import { computeScore, countByHealth, healths } from '../../packages/contract/src/monitor/page/model.ts'
import type { Health } from '../../packages/contract/src/monitor/page/schema.ts'
import type { CrawlOrder } from '../../packages/contract/src/monitor/run/order/schema.ts'
import { estimateScoreError } from '../../packages/contract/src/monitor/run/sample/model.ts'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import { crawlWithCrawlee } from './crawlee.ts'
import { generatedSites, type GeneratedSite } from './sites.ts'

/**
 * Pages that a limited run chooses on generated sites, in both orders: useful ones, variants and duplicates, templates, common pages
 * that were reached, and the evenness over languages and sections (1: all the same).
 *
 *   npm run -s representative -- --pages 100 --only blog,shop
 *   npm run -s representative -- --seeds 10 --only blog,shop,council,wiki,forum,news
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100' },
    only: { type: 'string', default: Object.keys(generatedSites).join(',') },
    // Compares scores with those of the whole sites instead, by runs with this many seeds.
    seeds: { type: 'string', default: '0' },
  },
})
const pageLimit = Number(values.pages)
const seedCount = Number(values.seeds)
/** Sites without an end are cut. */
const maxWholePages = 1500

async function serve({ answer }: GeneratedSite) {
  const server = createServer((request, response) => {
    const page = answer(new URL(request.url ?? '/', `http://${request.headers.host}`))
    const html =
      page &&
      `<!doctype html><html lang="${page.language || 'en'}"><head><title>${page.title}</title>${page.head ?? ''}</head><body><main><h1>${page.title}</h1>${page.body}</main></body></html>`
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(html ?? 'Not found')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const browser = await findBrowser({ setting: process.env.CLEARWAY_BROWSER ?? null, cacheFolder: '/tmp', sandbox: false })
if (!browser.found) throw new Error(browser.remedy)
const pool = await openPool(browser.facts, { pages: 4 })

/** A completed page of a crawl. */
type CrawledPage = AliasCandidate & { path: string; isRandom: boolean }
type Crawl = { pages: CrawledPage[]; leftOutCount: number }

const removeCopies = (pages: readonly CrawledPage[]): CrawledPage[] => {
  const copies = new Set(findAliases(pages).map(({ page }) => page))
  return pages.filter((page) => !copies.has(page))
}

/** Completed pages of a run, apart from further addresses of others. */
async function crawl(origin: string, order: CrawlOrder, maxPages = pageLimit, seed = ''): Promise<Crawl> {
  const visited: CrawledPage[] = []
  const frontier = openMemoryFrontier({
    pageLimit: maxPages,
    order,
    seed,
    onRecorded({ url, foundOn, isRandom = false }, outcome) {
      if (outcome.kind !== 'completed' || !outcome.signature) return
      const { content, canonical = null } = outcome.signature
      visited.push({
        path: url.slice(origin.length),
        url,
        isRandom,
        content,
        canonical,
        title: outcome.title,
        isNamed: foundOn === null,
        ...blankIssues,
        isStandIn: false,
        wasTested: false,
      })
    },
    countJoined: () => findAliases(visited).length,
  })
  const advanced = z.parse(AdvancedSettings, {
    representativeOrder: order === 'representative',
    eagerStrategy: true,
    pagesAtOnce: 16,
  })
  const plan = {
    urls: [`${origin}/`],
    domains: [new URL(origin).host],
    depth: null,
    pageLimit: maxPages,
    ruleSet: defaultRuleSet,
    advanced,
    allowPrivate: ['all'],
    concurrency: 4,
  }
  await scan({ pool, frontier, analyze: false }, plan, new AbortController().signal)
  return { pages: removeCopies(visited), leftOutCount: frontier.listWaiting().length }
}

const toNumber = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)
/** Health of a generated page: most pages of a template share its faults, and of two sections one is worse. */
function getHealth(site: GeneratedSite, { path, url }: CrawledPage): Health {
  const { template, section = '' } = site.answer(new URL(url))!
  const isOfTemplate = toNumber(path.replace(/[?&]sid=\w+/, '')) % 10 < 7
  return healths[toNumber(isOfTemplate ? `${template} ${toNumber(section) % 2}` : path) % healths.length]!
}
const countPages = (site: GeneratedSite, pages: readonly CrawledPage[]) =>
  countByHealth(pages.map((page) => getHealth(site, page)))
const round = (share: number): string => (share * 100).toFixed(1)

/** Score of limited runs with several seeds against the score of the whole site, in points. */
async function compareScores(site: GeneratedSite, origin: string) {
  const whole = await crawl(origin, 'representative', maxWholePages)
  const truth = computeScore(countPages(site, whole.pages))!
  const breadth = computeScore(countPages(site, (await crawl(origin, 'breadth')).pages))!
  const runs: { distance: number; error: number | null }[] = []
  for (let seed = 0; seed < seedCount; seed++) {
    const { pages, leftOutCount } = await crawl(origin, 'representative', pageLimit, String(seed))
    const counts = countPages(site, pages)
    const sample = countPages(
      site,
      pages.filter(({ isRandom }) => isRandom),
    )
    const error = estimateScoreError(counts, sample, leftOutCount)?.error ?? null
    runs.push({ distance: Math.abs(computeScore(counts)! - truth), error })
  }
  const getMean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const stated = runs.flatMap(({ error }) => error ?? [])
  return {
    'whole site': `${whole.pages.length}${whole.leftOutCount > 0 ? '+' : ''}`,
    'true score': round(truth),
    'breadth off': round(Math.abs(breadth - truth)),
    'representative off': round(getMean(runs.map(({ distance }) => distance))),
    'mean error': stated.length === 0 ? 'none' : round(getMean(stated)),
    holds: `${runs.filter(({ distance, error }) => error !== null && distance <= error).length} of ${stated.length}`,
  }
}

/** Entropy of the groups of pages, relative to the same number of each. */
function computeEvenness(groups: readonly string[]): number {
  const counts = [...Map.groupBy(groups, (name) => name).values()].map(({ length }) => length / groups.length)
  return counts.length < 2 ? 1 : -counts.reduce((sum, share) => sum + share * Math.log(share), 0) / Math.log(counts.length)
}

const removeSession = (path: string): string => path.replace(/[?&]sid=\w+/, '')
/** Pages by their addresses: crawlee compares no contents, and sessions are what makes the same page another one on these sites. */
const listTexts = (paths: readonly string[]) => paths.map((path) => ({ path, content: removeSession(path) }))

/** Figures of the pages of a run. */
function describePages(site: GeneratedSite, origin: string, visited: readonly { path: string; content: string }[]) {
  const pages = visited.map(({ path, content }) => ({ path, content, page: site.answer(new URL(path, origin))! }))
  const seenContents = new Set<string>()
  const useful = pages.filter(({ content, page }) => !page.isVariant && !seenContents.has(content) && seenContents.add(content))
  const variants = pages.filter(({ page }) => page.isVariant)
  const reached = site.common.filter((pattern) => pages.some(({ path }) => pattern.test(removeSession(path))))
  return {
    pages: pages.length,
    useful: useful.length,
    variant: variants.length,
    duplicate: pages.length - useful.length - variants.length,
    templates: new Set(pages.map(({ page }) => page.template)).size,
    common: `${reached.length} of ${site.common.length}`,
    languages: computeEvenness(pages.map(({ page }) => page.language ?? '')).toFixed(2),
    sections: computeEvenness(pages.map(({ page }) => page.section ?? '')).toFixed(2),
  }
}

const table: Record<string, Record<string, number | string>> = {}
const scoreTable: typeof table = {}
for (const name of values.only.split(',')) {
  const site = generatedSites[name]!
  const { server, origin } = await serve(site)
  if (seedCount > 0) scoreTable[name] = await compareScores(site, origin)
  else
    for (const [order, pages] of [
      ['crawlee', listTexts(await crawlWithCrawlee(origin, pageLimit))],
      ['breadth', (await crawl(origin, 'breadth')).pages],
      ['representative', (await crawl(origin, 'representative')).pages],
    ] as const)
      table[`${name} ${order}`] = describePages(site, origin, pages)
  server.closeAllConnections()
  server.close()
}
console.table(seedCount > 0 ? scoreTable : table)
await pool.close()
