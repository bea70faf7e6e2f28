/** @module-tag slow */
import { afterAll, expect, it } from 'vitest'
import { blankIssues, findAliases } from '@clearway/contract/monitor/page/alias/model.ts'
import type { AdvancedSettings } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { serveZoo, zooSites, type ZooSite } from '../../../../fixtures/frontier/zoo.ts'
import { previewScope, type PreviewedUrl } from '../scan-preview.ts'
import { buildTestPlan, tryScan, type TestScan, type TestScanOptions, useTestPool } from '../../test/harness.ts'

// Which pages a limited run tests, on small sites that are hard to choose from.

const pool = useTestPool()
const openSites: { close: () => Promise<void> }[] = []
afterAll(() => Promise.all(openSites.map((site) => site.close())))

async function crawl(site: ZooSite, pageLimit: number, options: TestScanOptions = {}): Promise<TestScan> {
  const served = await serveZoo(site)
  openSites.push(served)
  return tryScan(pool, served, {
    analyze: false,
    ...options,
    advanced: { representativeOrder: true, eagerStrategy: true, pagesAtOnce: 16, ...options.advanced },
    plan: { pageLimit, ...options.plan },
  })
}

/** Number of different contents among the completed pages. */
const countContents = ({ pages }: TestScan) =>
  new Set(Object.values(pages).flatMap((page) => (page.kind === 'completed' ? [page.signature?.content] : []))).size
const countPaths = ({ order }: TestScan, pattern: RegExp) => order.filter((path) => pattern.test(path)).length

it('follows a handbook whose texts differ to its end', async () => {
  const result = await crawl(zooSites['01-handbook-next-chain'], 200)
  expect(countPaths(result, /^\/handbook\//)).toBe(60)
  expect(result.order).toEqual(expect.arrayContaining(['/', '/contact']))
})

it.each([
  ['02-calendar-month-names', 16],
  ['09-short-token-path', 12],
  ['10-aspnet-session', 21],
] as const)('ends a generated pattern without new content: %s', async (name, maxPages) => {
  const result = await crawl(zooSites[name], 100)
  expect(result.end.kind).toBe('drained')
  expect(result.order.length).toBeLessThanOrEqual(maxPages)
})

it('goes on with a pattern without new content up to the limit if the scan says so', async () => {
  const site = zooSites['02-calendar-month-names']
  const result = await crawl(site, 40, { advanced: { trapUrlsToOpen: ['*/events/*'] } })
  expect(result.order).toHaveLength(40)
  expect(result.end.kind).not.toBe('failed')
  expect((await crawl(site, 40, { advanced: { trapUrlsToOpen: ['*/other*'] } })).order.length).toBeLessThanOrEqual(16)
})

it('ends each pattern with a new session id, and a calendar by numbers after the services', async () => {
  const sessions = await crawl(zooSites['03-sid-param'], 100)
  expect(countContents(sessions)).toBe(4)
  expect(sessions.order.length).toBeLessThanOrEqual(50)
  const calendar = await crawl(zooSites['22-calendar-numbers'], 100)
  expect(countPaths(calendar, /^\/services/)).toBe(13)
  expect(countPaths(calendar, /^\/calendar/)).toBeLessThanOrEqual(30)
})

it('tests a page once under addresses with the origin of visitors', async () => {
  const tracked = await crawl(zooSites['04-utm-fbclid-gclid'], 100)
  expect(tracked.order.map((path) => path.split('?')[0]!).toSorted((one, other) => one.localeCompare(other))).toEqual([
    '/',
    '/a',
    '/b',
    '/c',
    '/d',
  ])
  const faulty = await crawl(zooSites['19-faults-under-aliases'], 100)
  expect(countPaths(faulty, /^\/bad/)).toBe(1)
  expect(faulty.order).toHaveLength(11)
})

it('visits pages that most sites have once before long lists', async () => {
  const footer = await crawl(zooSites['17-footer-last'], 20)
  expect(footer.order).toHaveLength(20)
  expect(footer.order.slice(1, 9)).toEqual(expect.arrayContaining(['/accessibility-statement', '/contact', '/search?q=x']))
  const facets = await crawl(zooSites['07-facets-order'], 12)
  expect(facets.order).toEqual(
    expect.arrayContaining(['/contact', '/x', '/x/form', '/shop', '/deep/x', '/deep/contact', '/deep/x/form']),
  )
  const pagination = await crawl(zooSites['13-pagination-100'], 30)
  expect(pagination.order).toEqual(expect.arrayContaining(['/contact', '/about', '/list']))
  expect(countPaths(pagination, /^\/item\/\d+$/)).toBeGreaterThan(0)
  expect(countPaths(pagination, /\/order$/)).toBeGreaterThan(0)
})

it.each([true, false])(
  'tests the pages that every run tests before the limit (representative: %s)',
  async (representativeOrder) => {
    const served = await serveZoo(zooSites['17-footer-last'])
    openSites.push(served)
    const advanced = { representativeOrder, eagerStrategy: true, alwaysTested: [`${served.origin}/news/149`] }
    const { order } = await tryScan(pool, served, { analyze: false, advanced, plan: { pageLimit: 2 } })
    expect(order.sort()).toEqual(['/', '/news/149'])
  },
)

it('prefers pages from the home page to a sitemap of 50,000 alike ones', async () => {
  const plan = { sources: { followLinks: true, urls: [], sitemaps: [], sitemapsOfRobots: true } }
  const result = await crawl(zooSites['14-sitemap-50k'], 30, { plan })
  expect(result.order).toEqual(expect.arrayContaining(['/contact', '/about', '/forms', '/search', '/accessibility']))
  expect(countPaths(result, /^\/product\//)).toBeGreaterThan(0)
  expect(countPaths(result, /^\/product\//)).toBeLessThan(25)
})

it('spreads over languages and versions', async () => {
  const result = await crawl(zooSites['18-docs-versions'], 60)
  const counts = ['en', 'de', 'fr', 'es', 'it', 'ja'].map((language) => countPaths(result, new RegExp(`^/${language}/`)))
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(8)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(3)
})

it('does not take the budget for a loop of relative links, nor for redirects that mint a session', async () => {
  const redirecting = await crawl(zooSites['16-redirecting-session'], 100)
  expect(countContents(redirecting)).toBe(4)
  const loop = await crawl(zooSites['08-relative-loop'], 40)
  expect(countContents(loop)).toBeGreaterThanOrEqual(15)
})

const plainCandidate = { ...blankIssues, isStandIn: false, wasTested: false }
/** Paths of the pages that count, after those with several addresses are joined. */
function listJoined({ pages }: TestScan): string[] {
  const candidates = Object.entries(pages).flatMap(([path, page]) => {
    if (page.kind !== 'completed' || !page.signature) return []
    const { content, canonical = null } = page.signature
    const { finalUrl: url, title } = page
    return [{ path, url, content, title, canonical, ...plainCandidate, isNamed: path === '/' }]
  })
  const aliases = new Set(findAliases(candidates).map(({ page }) => page.path))
  return candidates.flatMap(({ path }) => (aliases.has(path) ? [] : path)).sort()
}

it('joins the addresses of a page by path or canonical URL, but not forms that differ', async () => {
  expect(listJoined(await crawl(zooSites['06-case-slash-index'], 100))).toEqual(['/', '/about', '/news'])
  expect(listJoined(await crawl(zooSites['15-canonical-away'], 100))).toEqual(['/', '/item-1', '/p1', '/widgets/blue-widget'])
  const steps: ZooSite = ({ pathname, searchParams }) => {
    const links = ['', '?step=1', '?step=2', '?step=3', '?step=4', '?lang=de'].map((query) => `<a href="/form${query}">.</a>`)
    const step = searchParams.get('step')
    const control = step === '1' ? '<input name="a" aria-label="A">' : `<button aria-expanded="${step === '2'}">B</button>`
    const language = searchParams.get('lang') ?? 'en'
    return `<!doctype html><html lang="${language}"><title>Form</title><main>${pathname === '/' ? links.join('') : `Fill in ${control}`}</main>`
  }
  expect(listJoined(await crawl(steps, 100))).toEqual(['/', '/form', '/form?lang=de', '/form?step=1', '/form?step=2'])
})

it('gives the same answer for one page at a time and for sixteen', async () => {
  // The order depends on the addresses, so both runs visit the same server.
  const served = await serveZoo(zooSites['18-docs-versions'])
  openSites.push(served)
  const crawlWith = async (concurrency: number) => {
    const advanced = { representativeOrder: true, eagerStrategy: true, pagesAtOnce: 16 }
    const { order } = await tryScan(pool, served, { analyze: false, advanced, plan: { pageLimit: 40, concurrency } })
    return order.sort()
  }
  expect(await crawlWith(16)).toEqual(await crawlWith(1))
})

it('visits the same pages as breadth-first without a limit that matters', async () => {
  for (const name of ['06-case-slash-index', '11-noindex-nofollow', '15-canonical-away', '07-facets-order'] as const) {
    const limit = name === '07-facets-order' ? 8 : 200
    const plan = name === '07-facets-order' ? { depth: 1 } : {}
    const served = await serveZoo(zooSites[name])
    openSites.push(served)
    const visit = async (representativeOrder: boolean) => {
      const advanced = { representativeOrder, eagerStrategy: true, pagesAtOnce: 16 }
      return (await tryScan(pool, served, { analyze: false, advanced, plan: { pageLimit: limit, ...plan } })).order.sort()
    }
    expect(await visit(true), name).toEqual(await visit(false))
  }
})

it('finds languages in the head, addresses in menus and scripts, and forms with few choices if asked', async () => {
  const site: ZooSite = ({ pathname }) =>
    pathname !== '/'
      ? `<!doctype html><html lang="en"><title>${pathname}</title><main>${pathname}</main>`
      : `<!doctype html><html lang="en"><title>Home</title><link rel="alternate" hreflang="de" href="/de/"><main>
        <select><option>Choose<option value="/menu-1">1<option value="/menu-2">2<option value="red">3</select>
        <button onclick="location.href='/button'">B</button> <span data-href="/row">R</span> <a href="javascript:location='/script'">S</a>
        <button onclick="location='/items/3/delete'">Delete</button> <button onclick="if (x) location='/maybe'">M</button>
        <form method="post" action="/send"><select name="a"><option value="/data">D</select></form>
        <form action="/list"><input type="hidden" name="action" value="x">
          <select name="sort"><option value="name">N<option value="date">D</select>
          <input type="checkbox" name="open" value="1"><button>Go</button></form>
        <form action="/search"><input name="q"><select name="in"><option>a<option>b</select></form>
        <form action="/account"><input type="hidden" name="delete" value="1"><select name="id"><option>1<option>2</select></form>
        <form action="/items"><select name="n"><option>1<option>2</select><button>Delete</button></form>
        <form action="/asking" onsubmit="return confirm('?')"><select name="n"><option>1<option>2</select><button>Go</button></form>
        <form action="/pressed"><select name="n"><option>1<option>2</select><button>Go</button><button onclick="x()">Y</button></form>
        <form action="/spread" id="f"><select name="n"><option>1<option>2</select><button>Go</button></form><input form="f" name="t">
        </main>`
  const served = await serveZoo(site)
  openSites.push(served)
  const visit = async (advanced: Partial<AdvancedSettings>) =>
    (await tryScan(pool, served, { analyze: false, advanced: { eagerStrategy: true, ...advanced } })).order.sort()
  expect(await visit({ representativeOrder: false })).toEqual(['/'])
  const scripted = ['/button', '/row', '/script']
  expect(await visit({ representativeOrder: true })).toEqual(['/', '/de/', '/menu-1', '/menu-2', ...scripted].sort())
  expect(await visit({ representativeOrder: false, followForms: true })).toEqual([
    '/',
    '/list?action=x&sort=date',
    '/list?action=x&sort=name&open=1',
  ])
})

it('lowers what asks not to be listed or followed', async () => {
  const site: ZooSite = ({ pathname }) => {
    const links = (prefix: string, rel = '') =>
      Array.from({ length: 20 }, (_, index) => `<a ${rel} href="/${prefix}/${index}">${index}</a>`).join(' ')
    const body = `<!doctype html><html lang="en"><title>x</title><body><main>${pathname} `
    if (pathname === '/') return body + links('listed') + links('unlisted') + links('unfollowed', 'rel="nofollow"')
    return pathname.startsWith('/unlisted/') ? body.replace('<title>', '<meta name="robots" content="noindex"><title>') : body
  }
  const result = await crawl(site, 30)
  const [listed, unlisted, unfollowed] = ['listed', 'unlisted', 'unfollowed'].map((name) =>
    countPaths(result, new RegExp(`^/${name}/`)),
  )
  expect(listed).toBeGreaterThan(2 * unlisted!)
  expect(listed).toBeGreaterThan(2 * unfollowed!)
})

it('previews the pages that a run tests, its copies, and traps', async () => {
  for (const name of ['05-canonical-utm', '12-js-links', '02-calendar-month-names', '15-canonical-away'] as const) {
    const served = await serveZoo(zooSites[name])
    openSites.push(served)
    const advanced = { representativeOrder: true }
    const plan = buildTestPlan(served, { advanced, plan: { pageLimit: 100 } })
    const previewed: PreviewedUrl[] = []
    const preview = await previewScope({ pool, onUrl: (url) => previewed.push(url) }, plan, {
      limitMs: 60_000,
      signal: new AbortController().signal,
    })
    expect(preview.kind).toBe('whole')
    const run = await tryScan(pool, served, { advanced, plan: { pageLimit: 100 } })
    const copies = new Set(previewed.flatMap(({ url, reason }) => (reason === 'duplicate' ? url : [])))
    const shown = previewed
      .filter(({ url, verdict }) => verdict === 'crawled' && !copies.has(url))
      .map(({ url }) => url.slice(served.origin.length))
    expect(shown.sort(), name).toEqual(listJoined(run))
    if (name === '02-calendar-month-names') expect(previewed.some(({ reason }) => reason === 'trap')).toBe(true)
  }
})
