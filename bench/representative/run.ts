import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { type AliasCandidate, blankIssues, findAliases } from '../../packages/contract/src/monitor/page/alias/model.ts'
import { computeScore, countByHealth, healths } from '../../packages/contract/src/monitor/page/model.ts'
import type { Health } from '../../packages/contract/src/monitor/page/schema.ts'
import type { CrawlOrder } from '../../packages/contract/src/monitor/run/order/schema.ts'
import { estimateScoreError, sumWeights } from '../../packages/contract/src/monitor/run/sample/model.ts'
import { computeWeights, countByBucket } from '../../packages/contract/src/monitor/run/weight/model.ts'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { previousShare } from '../../packages/contract/src/monitor/run/order/model.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import type { UnmetPage } from '../../packages/engine/src/frontier.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import type { ScanPlan } from '../../packages/engine/src/settings.ts'
import { findFreePort } from '../../packages/engine/test/free-port.ts'
import { stopServers, waitForAnswer } from '../signed-in/application.ts'
import { readCensus, readStructures } from './census.ts'
import { crawlWithCrawlee } from './crawlee.ts'
import { growths, restoreContents } from './growth.ts'
import { programs } from './programs.ts'
import { simulateCrawl } from './simulate.ts'
import { generatedSites, type GeneratedSite, type SitePage } from './sites.ts'
import { groupByStructure } from './structure.ts'

/**
 * Pages that a limited run chooses, in both orders: useful ones, variants and duplicates, templates as the bench knows them and by the
 * structure of pages, common pages that were reached, the evenness over languages and sections (1: all the same), and the share of
 * pages that the next run has, too, after the site grew by a twentieth.
 *
 *   npm run -s representative -- --pages 100 --only blog,shop
 *   npm run -s representative -- --only mediawiki,gitweb,dokuwiki,machina --folder /tmp/clearway-programs
 *   npm run -s representative -- --seeds 10 --only blog,shop,council,wiki,forum,news
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100' },
    only: { type: 'string', default: Object.keys(generatedSites).join(',') },
    // Compares scores with those of the whole sites instead, by runs with this many seeds, without a browser.
    seeds: { type: 'string', default: '0' },
    // Prints each page with its bucket.
    list: { type: 'boolean', default: false },
    // Programs are installed here.
    folder: { type: 'string', default: join(tmpdir(), 'clearway-programs') },
  },
})
const pageLimit = Number(values.pages)
const seedCount = Number(values.seeds)
/** Sites without an end are cut. */
const maxWholePages = 6000

/** A site that is served at an origin, with the truth about its pages. */
type ServedSite = {
  origin: string
  startPath: string
  answer: (url: URL) => SitePage | null
  common: readonly RegExp[]
  /** Adds a twentieth. */
  grow: (knownCount: number) => Promise<void>
  close: () => Promise<void>
}

async function serveGenerated({ answer, common }: GeneratedSite): Promise<ServedSite> {
  const server = createServer((request, response) => {
    const page = site.answer(new URL(request.url ?? '/', `http://${request.headers.host}`))
    const html =
      page &&
      `<!doctype html><html lang="${page.language || 'en'}"><head><title>${page.title}</title>${page.head ?? ''}</head><body><main><h1>${page.title}</h1>${page.body}</main></body></html>`
    response.writeHead(html ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(html ?? 'Not found')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const grow = async (knownCount: number) => void (site.answer = addLatest(site, knownCount))
  const site: ServedSite = { origin, startPath: '/', answer, common, grow, close }
  return site
}

async function serveProgram(name: string): Promise<ServedSite> {
  const { install, start, startPath, answer, common } = programs[name]!
  const folder = join(values.folder, name)
  mkdirSync(folder, { recursive: true })
  await install(folder)
  const growth = growths[name]!
  restoreContents(folder, growth)
  const port = await findFreePort()
  const servers = await start(folder, port)
  const origin = `http://127.0.0.1:${port}`
  await waitForAnswer(`${origin}${startPath}`)
  return { origin, startPath, answer, common, grow: () => growth.grow(folder), close: () => stopServers(servers) }
}

const serve = (name: string): Promise<ServedSite> =>
  generatedSites[name] ? serveGenerated(generatedSites[name]) : serveProgram(name)

/** Opens a browser; none for simulated crawls. */
async function openBrowser() {
  const browser = await findBrowser({ setting: process.env.CLEARWAY_BROWSER ?? null, cacheFolder: '/tmp', sandbox: false })
  if (!browser.found) throw new Error(browser.remedy)
  return openPool(browser.facts, { pages: 4 })
}
const pool = seedCount > 0 ? null : await openBrowser()

/** A completed page of a crawl. */
type CrawledPage = AliasCandidate & { path: string; isRandom: boolean; bucket: string }
type Crawl = {
  pages: CrawledPage[]
  /** Buckets of all visited URLs, and the page of each that counts. */
  visits: { bucket: string; page: CrawledPage | null }[]
  leftOutBuckets: string[]
  /** Known URLs that each visited one stands for. */
  weights: number[]
}

const removeCopies = (pages: readonly CrawledPage[]): CrawledPage[] => {
  const copies = new Set(findAliases(pages).map(({ page }) => page))
  return pages.filter((page) => !copies.has(page))
}

const createPlan = (origin: string, startPath: string, order: CrawlOrder, maxPages: number): ScanPlan => ({
  urls: [`${origin}${startPath}`],
  domains: [new URL(origin).host],
  depth: null,
  pageLimit: maxPages,
  ruleSet: defaultRuleSet,
  advanced: z.parse(AdvancedSettings, {
    representativeOrder: order === 'representative',
    eagerStrategy: true,
    pagesAtOnce: 16,
  }),
  allowPrivate: ['all'],
  concurrency: 4,
})

/** Completed pages of a run, apart from further addresses of others. */
async function crawl(
  { origin, startPath, answer }: ServedSite,
  order: CrawlOrder,
  { maxPages = pageLimit, seed = '', previousPages = [] }: { maxPages?: number; seed?: string; previousPages?: UnmetPage[] } = {},
): Promise<Crawl> {
  const visited: CrawledPage[] = []
  const visits: Crawl['visits'] = []
  const frontier = openMemoryFrontier({
    pageLimit: maxPages,
    order,
    seed,
    onRecorded({ url, foundOn, isRandom = false, bucket }, outcome) {
      visits.push({ bucket: bucket ?? '', page: null })
      if (outcome.kind !== 'completed' || !outcome.signature) return
      const { content, canonical = null } = outcome.signature
      visited.push({
        path: url.slice(origin.length),
        url,
        isRandom,
        bucket: bucket ?? '',
        content,
        canonical,
        title: outcome.title,
        isNamed: foundOn === null,
        ...blankIssues,
        isStandIn: false,
        wasTested: false,
      })
      visits.at(-1)!.page = visited.at(-1)!
    },
    countJoined: () => findAliases(visited).length,
  })
  if (pool === null) await simulateCrawl(origin, answer, frontier)
  else
    await scan(
      { pool, frontier: { ...frontier, listPreviousPages: async () => previousPages }, analyze: false },
      createPlan(origin, startPath, order, maxPages),
      new AbortController().signal,
    )
  const pages = removeCopies(visited)
  const leftOutBuckets = frontier.listWaiting().map(({ bucket }) => bucket ?? '')
  return {
    pages,
    visits: visits.map(({ bucket, page }) => ({ bucket, page: page && pages.includes(page) ? page : null })),
    leftOutBuckets,
    weights: computeWeights(
      visits.map(({ bucket }) => bucket),
      countByBucket(leftOutBuckets),
    ),
  }
}

const toNumber = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)
/** Health of a page in an assignment of faults: most pages of a template share its faults, and of two sections one is worse. */
function getHealth(site: ServedSite, { path, url }: CrawledPage, assignment: number): Health {
  const { template, section = '' } = site.answer(new URL(url))!
  const draw = (text: string) => toNumber(`${assignment} ${text}`)
  const isOfTemplate = draw(removeSession(path)) % 10 < 7
  return healths[draw(isOfTemplate ? `${template} ${toNumber(section) % 2}` : path) % healths.length]!
}

/** Score of a run and its error; null if nothing was left out. */
function rateRun(site: ServedSite, { pages, visits, weights }: Crawl, assignment: number) {
  const healthByPage = new Map(pages.map((page) => [page, getHealth(site, page, assignment)]))
  const counts = countByHealth([...healthByPage.values()])
  const sample = countByHealth(pages.flatMap((page) => (page.isRandom ? healthByPage.get(page)! : [])))
  const scored = visits.flatMap(({ page }, index) => (page ? [{ health: healthByPage.get(page)!, weight: weights[index]! }] : []))
  const error = estimateScoreError(counts, sample, sumWeights(scored))?.error ?? null
  return { score: computeScore(counts)!, error }
}
const round = (share: number): string => (share * 100).toFixed(1)

/** Assignments of faults to the pages of each run: a single one tells more of itself than of the choice of pages. */
const assignments = Array.from({ length: 300 }, (_, index) => index)

/** Score of limited runs with several seeds against the score of the whole site, in points, over all assignments of faults. */
async function compareScores(site: ServedSite) {
  const whole = await crawl(site, 'representative', { maxPages: maxWholePages })
  const breadthRun = await crawl(site, 'breadth')
  const runs: Crawl[] = []
  for (let seed = 0; seed < seedCount; seed++) runs.push(await crawl(site, 'representative', { seed: String(seed) }))
  const truths = assignments.map((assignment) => rateRun(site, whole, assignment).score)
  const getDistances = (run: Crawl) =>
    assignments.map((assignment) => {
      const { score, error } = rateRun(site, run, assignment)
      return { distance: Math.abs(score - truths[assignment]!), error }
    })
  const rated = runs.flatMap(getDistances)
  const stated = rated.flatMap(({ distance, error }) => (error === null ? [] : [{ distance, error }]))
  const getMean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  return {
    'whole site': `${whole.pages.length}${whole.leftOutBuckets.length > 0 ? '+' : ''}`,
    'breadth off': round(getMean(getDistances(breadthRun).map(({ distance }) => distance))),
    'representative off': round(getMean(rated.map(({ distance }) => distance))),
    'mean error': stated.length === 0 ? 'none' : round(getMean(stated.map(({ error }) => error))),
    'holds, %': stated.length === 0 ? '' : round(getMean(stated.map(({ distance, error }) => Number(distance <= error)))),
  }
}

/** The site with 5 % more pages, at the top of its start page. */
function addLatest(site: ServedSite, knownCount: number): (url: URL) => SitePage | null {
  const { answer } = site
  const paths = Array.from({ length: Math.ceil(knownCount / 20) }, (_, index) => `/latest-${index}`)
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
  return (url) => {
    if (paths.includes(url.pathname)) return { template: 'latest', title: url.pathname, body: `<p>News of ${url.pathname}</p>` }
    const page = answer(url)
    return page && url.pathname === site.startPath ? { ...page, body: links + page.body } : page
  }
}

/** Share of the pages of a run that the next one has, too, after the site grew. As on the server, up to 80 % are kept. */
async function countCommon(site: ServedSite, order: CrawlOrder, first: Crawl): Promise<string> {
  const previousPages = first.pages
    .filter(({ isNamed }) => !isNamed)
    .map(({ url }) => ({ url, depth: 1, foundOn: site.origin }))
    .sort((one, other) => toNumber(one.url) - toNumber(other.url))
    .slice(0, Math.floor(pageLimit * previousShare))
  const next = await crawl(site, order, order === 'breadth' ? {} : { previousPages, seed: 'next' })
  const nextPaths = new Set(next.pages.map(({ path }) => removeSession(path)))
  return round(first.pages.filter(({ path }) => nextPaths.has(removeSession(path))).length / first.pages.length)
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
function describePages(
  site: ServedSite,
  siteTemplates: ReadonlySet<string>,
  visited: readonly { path: string; content: string }[],
) {
  const pages = visited.map(({ path, content }) => ({ path, content, page: site.answer(new URL(path, site.origin))! }))
  const seenContents = new Set<string>()
  const useful = pages.filter(({ content, page }) => !page.isVariant && !seenContents.has(content) && seenContents.add(content))
  const variants = pages.filter(({ page }) => page.isVariant)
  const templates = siteTemplates.intersection(new Set(pages.map(({ page }) => page.template)))
  const reached = site.common.filter((pattern) => pages.some(({ path }) => pattern.test(removeSession(path))))
  return {
    pages: pages.length,
    useful: useful.length,
    variant: variants.length,
    duplicate: pages.length - useful.length - variants.length,
    templates: `${templates.size} of ${siteTemplates.size}`,
    common: `${reached.length} of ${site.common.length}`,
    languages: computeEvenness(pages.map(({ page }) => page.language ?? '')).toFixed(2),
    sections: computeEvenness(pages.map(({ page }) => page.section ?? '')).toFixed(2),
  }
}

/** Prints the pages of a run in the order of their visits: if they are useful, how they were chosen, and their bucket. Then templates left out. */
function listPages(site: ServedSite, siteTemplates: ReadonlySet<string>, { pages }: Crawl): void {
  const seenContents = new Set<string>()
  for (const { url, path, content, isRandom, bucket } of pages) {
    const { isVariant = false, template } = site.answer(new URL(url))!
    const value = isVariant ? 'variant' : seenContents.has(content) ? 'duplicate' : 'useful'
    seenContents.add(content)
    console.log([value, isRandom ? 'random' : '', template, path, bucket.replaceAll('\t', ' | ')].join('\t'))
  }
  const reachedTemplates = new Set(pages.map(({ url }) => site.answer(new URL(url))!.template))
  console.log(['left out', ...siteTemplates.difference(reachedTemplates)].join('\t'))
}

type Rows = Record<string, Record<string, number | string>>

const orders = ['breadth', 'representative'] as const

/** Figures of the pages that each crawler chooses. */
async function compareChoices(name: string, site: ServedSite): Promise<Rows> {
  const start = `${site.origin}${site.startPath}`
  const census = await readCensus(start, site.answer)
  const crawleePaths = await crawlWithCrawlee(start, pageLimit)
  const crawls = []
  for (const order of orders) crawls.push({ order, first: await crawl(site, order) })
  if (values.list) for (const { first } of crawls) listPages(site, census.templates, first)
  const choices = [
    { crawler: 'crawlee', pages: listTexts(crawleePaths) },
    ...crawls.map(({ order, first }) => ({ crawler: order, pages: first.pages })),
  ]
  const visitedPaths = new Set(choices.flatMap(({ pages }) => pages.map(({ path }) => path)))
  const structures = new Map([...census.structures, ...(await readStructures(site.origin, [...visitedPaths]))])
  const structureByPath = groupByStructure(structures)
  const structureCount = new Set(structureByPath.values()).size
  const rows: Rows = {}
  for (const { crawler, pages } of choices) {
    const reachedStructures = new Set(pages.flatMap(({ path }) => structureByPath.get(path) ?? []))
    rows[`${name} ${crawler}`] = {
      ...describePages(site, census.templates, pages),
      structures: `${reachedStructures.size} of ${structureCount}`,
    }
  }
  await site.grow(Math.max(...crawls.map(({ first }) => first.visits.length + first.leftOutBuckets.length)))
  for (const { order, first } of crawls) rows[`${name} ${order}`]!['kept, %'] = await countCommon(site, order, first)
  return rows
}

for (const name of values.only.split(',')) {
  const site = await serve(name)
  console.table(seedCount > 0 ? { [name]: await compareScores(site) } : await compareChoices(name, site))
  await site.close()
}
await pool?.close()
