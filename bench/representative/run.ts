import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { defaultRuleSet } from '../../packages/contract/src/monitor/ruleset/schema.ts'
import { AdvancedSettings } from '../../packages/contract/src/monitor/scan/advanced/schema.ts'
import { findBrowser } from '../../packages/engine/src/browser/find-browser.ts'
import { openPool } from '../../packages/engine/src/browser/pool.ts'
import { openMemoryFrontier } from '../../packages/engine/src/crawl/memory-frontier.ts'
import { scan } from '../../packages/engine/src/scan.ts'
import { generatedSites, type GeneratedSite } from './sites.ts'

/**
 * Pages that a limited run chooses on generated sites, in both orders: useful ones, variants and duplicates, templates, common pages
 * that were reached, and the evenness over languages and sections (1: all the same).
 *
 *   npm run -s representative -- --pages 100 --only blog,shop
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100' },
    only: { type: 'string', default: Object.keys(generatedSites).join(',') },
  },
})
const pageLimit = Number(values.pages)

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

/** Paths of the completed pages of a run, with their contents. */
async function crawl(origin: string, isRepresentative: boolean): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  const frontier = openMemoryFrontier({
    pageLimit,
    order: isRepresentative ? 'representative' : 'breadth',
    onRecorded: ({ url }, outcome) => {
      if (outcome.kind === 'completed') contents.set(url.slice(origin.length), outcome.signature?.content ?? url)
    },
  })
  const advanced = z.parse(AdvancedSettings, { representativeOrder: isRepresentative, eagerStrategy: true, pagesAtOnce: 16 })
  const plan = {
    urls: [`${origin}/`],
    domains: [new URL(origin).host],
    depth: null,
    pageLimit,
    ruleSet: defaultRuleSet,
    advanced,
    allowPrivate: ['all'],
    concurrency: 4,
  }
  await scan({ pool, frontier, analyze: false }, plan, new AbortController().signal)
  return contents
}

/** Entropy of the groups of pages, relative to the same number of each. */
function computeEvenness(groups: readonly string[]): number {
  const counts = [...Map.groupBy(groups, (name) => name).values()].map(({ length }) => length / groups.length)
  return counts.length < 2 ? 1 : -counts.reduce((sum, share) => sum + share * Math.log(share), 0) / Math.log(counts.length)
}

const table: Record<string, Record<string, number | string>> = {}
for (const name of values.only.split(',')) {
  const site = generatedSites[name]!
  const { server, origin } = await serve(site)
  for (const isRepresentative of [false, true]) {
    const contents = await crawl(origin, isRepresentative)
    const pages = [...contents].map(([path, content]) => ({ path, content, page: site.answer(new URL(path, origin))! }))
    const seenContents = new Set<string>()
    const useful = pages.filter(({ content, page }) => !page.isVariant && !seenContents.has(content) && seenContents.add(content))
    const variants = pages.filter(({ page }) => page.isVariant)
    const reached = site.common.filter((pattern) => pages.some(({ path }) => pattern.test(path.replace(/[?&]sid=\w+/, ''))))
    table[`${name} ${isRepresentative ? 'representative' : 'breadth'}`] = {
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
  server.closeAllConnections()
  server.close()
}
console.table(table)
await pool.close()
