import { gzipSync } from 'node:zlib'
import { Sources, UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { chainOf, patternOf, trapReason } from './scope/trap.ts'
import { fate, html, tryScan, type Route, type TestScan, siteOfFile, poolOfFile } from '../../test/harness.ts'

// How URLs are found, and why each is in or out.

const pool = poolOfFile()
const site = siteOfFile(() => routes)

const link = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
const xml =
  (body: string): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body)
const urlset =
  (...paths: string[]): Route =>
  (request, response) => {
    const locs = paths.map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`).join('')
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><urlset xmlns="x">${locs}</urlset>`)
  }

const routes: Record<string, Route> = {
  '/': html(
    'Home',
    `${link('/a', '/private/x', '/admin/logout', '/doc.txt', '/b?utm=1', '/b', '/copy?ref=1')}
     ${link('/loop/a/b/a/b/a/b/a/b/a/b', 'mailto:x@y.z', 'ftp://x.test/', 'http://other.test/')}
     <map name="m"><area href="/area" alt="x"></map><x-shadow></x-shadow>
     <script>document.querySelector('x-shadow').attachShadow({mode:'open'}).innerHTML = '<a href="/shadow">s</a>'</script>
     <iframe src="/frame" title="f"></iframe>`,
  ),
  '/a': html('A', link('/deep')),
  '/b': html('B', ''),
  '/area': html('Area', ''),
  '/shadow': html('Shadow', ''),
  '/frame': html('Frame', link('/from-frame')),
  '/from-frame': html('From frame', ''),
  '/deep': html('Deep', link('/deeper')),
  '/deeper': html('Deeper', ''),
  '/private/x': html('Private', link('/only-from-private')),
  '/only-from-private': html('Only', ''),
  '/copy': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(html('Copy', link('/from-copy')).replace('</head>', '<link rel="canonical" href="/copy"></head>')),
  '/from-copy': html('From copy', ''),
  '/doc.txt': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('text'),
  '/meta': html('Meta', '').replace('</head>', '<meta http-equiv="refresh" content="60;url=/target"></head>'),
  '/target': html('Target', ''),
  '/next': html('Next', '').replace('</head>', '<link rel="next" href="/next-2"></head>'),
  '/next-2': html('Next 2', ''),
  '/based': html('Based', '<a href="x">x</a>').replace('<head>', '<head><base href="/base/">'),
  '/base/x': html('In base', ''),
  '/spa': html('Spa', '<a href="#/one">1</a><a href="#part">2</a><a href="?sessionid=1">3</a>'),
  '/sitemap.xml': (request, response) => {
    const host = `http://${request.headers.host}`
    response.end(
      `<sitemapindex><sitemap><loc>${host}/map-1.xml</loc></sitemap><sitemap><loc>${host}/map-2.xml.gz</loc></sitemap><sitemap><loc>${host}/gone.xml</loc></sitemap></sitemapindex>`,
    )
  },
  '/map-1.xml': urlset('/a', '/private/x'),
  '/map-2.xml.gz': (request, response) =>
    response.end(
      gzipSync(
        `<urlset xmlns:xhtml="y"><url><loc>http://${request.headers.host}/b</loc><xhtml:link rel="alternate" hreflang="fr" href="http://${request.headers.host}/fr"/></url></urlset>`,
      ),
    ),
  '/fr': html('Fr', ''),
  '/bomb.xml': xml(
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>`,
  ),
  '/big.xml': (_, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    let left = 60
    const more = () => (left-- > 0 ? response.write(chunk, more) : response.end())
    more()
  },
  '/named.xml': urlset('/b'),
}
const reasons = (scanned: TestScan): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(scanned.pages).map(([path, outcome]) => [path, fate(outcome)])),
  ...Object.fromEntries(
    scanned.excluded.map(({ url, exclusion }) => [url.replace(site.origin, ''), `out ${exclusion}`]),
  ),
})
const rule = (kind: string, pattern: string) => z.parse(UrlRule, { kind, pattern })
const sources = (more: object) => z.parse(Sources, more)

test('every URL has one reason, and its referrers', async () => {
  const scanned = await tryScan(pool, site, {
    advanced: { urlsToSkip: ['*/private/*'], meaninglessParameters: ['utm'] },
    plan: {
      depth: 1,
      excludeRules: [rule('glob', '*/area')],
      session: { connection: null, script: { name: 's', text: sessionText(), variables: [] }, mark: null },
    },
  })
  expect(reasons(scanned)).toMatchObject({
    '/': 'completed',
    '/a': 'completed',
    '/b?utm=1': 'completed',
    '/shadow': 'completed',
    '/from-frame': 'completed',
    '/private/x': 'out url-to-skip',
    '/admin/logout': 'out url-to-skip',
    '/area': 'out excluded-by-rule',
    '/doc.txt': 'excluded mime-type',
    '/copy?ref=1': 'excluded duplicate',
    '/copy': 'completed',
    '/deep': 'out too-deep',
    '/loop/a/b/a/b/a/b/a/b/a/b': 'out trap',
    'ftp://x.test/': 'out scheme',
    'http://other.test/': 'out other-domain',
  })
  expect(scanned.excluded.find(({ url }) => url.endsWith('/area'))?.detail).toBe(
    'Rule 1 excludes it: glob */area',
  )
  // The links of what is skipped are nobody's, those of a copy are followed.
  expect(reasons(scanned)).not.toHaveProperty('/only-from-private')
  expect(scanned.referrers('/b').first).toEqual([`${site.origin}/`])
  expect(scanned.pages).not.toHaveProperty('mailto:x@y.z')
})

const sessionText = () =>
  JSON.stringify({ projects: [{ name: 's', id: 's', pageList: [{ name: 'p', url: `${site.origin}/b` }] }] })

test('links of base, meta refresh, next and hash routes', async () => {
  const scanned = await tryScan(pool, site, {
    urls: ['/meta', '/next', '/based', '/spa'],
    advanced: { hashRoutes: true },
  })
  expect(Object.keys(scanned.pages).sort()).toEqual(
    ['/base/x', '/based', '/meta', '/next', '/next-2', '/spa', '/spa#/one', '/target'].sort(),
  )
})

test('only what fits an include rule; start URLs always', async () => {
  const scanned = await tryScan(pool, site, {
    plan: { includeRules: [rule('prefix', `${site.origin}/a`), rule('regex', 'sha[d]+ow$')], depth: 1 },
  })
  expect(Object.keys(scanned.pages).sort()).toEqual(['/', '/a', '/admin/logout', '/area', '/shadow'])
  expect(reasons(scanned)['/b']).toBe('out not-included')
})

test('rules by an expression that others hang on', async () => {
  const began = performance.now()
  const scanned = await tryScan(pool, site, {
    plan: { excludeRules: [rule('regex', '(a+)+$'), rule('regex', '(.*a){25}')], depth: 0 },
    urls: [`/${'a'.repeat(3000)}!`],
  })
  expect(scanned.end.kind).toBe('problem')
  expect(performance.now() - began).toBeLessThan(15_000)
})

test('keyword rules drop a page and follow its links', async () => {
  const scanned = await tryScan(pool, site, {
    urls: ['/a'],
    advanced: { keywordRules: { mustNotHaveAny: ['DEEPER'], mustHaveAny: ['deep'] } },
    plan: { depth: 3 },
  })
  expect(reasons(scanned)).toMatchObject({
    '/a': 'completed',
    '/deep': 'excluded keyword-rule',
    '/deeper': 'excluded keyword-rule',
  })
})

test('a calendar without end is left after so many pages of one pattern', () => {
  const chain = (path: string, n: number): string | null => {
    let at = { pattern: 'site.test/?', chain: 0 }
    for (let page = 0; page < n; page++) {
      const url = new URL(path.replace('#', String(page)), 'https://site.test')
      at = { pattern: patternOf(url), chain: chainOf(url, at) }
      const reason = trapReason(url, at.chain)
      if (reason !== null) return `${page}: ${reason}`
    }
    return null
  }
  expect(chain('/calendar?month=#', 200)).toBe(
    '51: More than 50 pages of this pattern lead to one another: site.test/calendar?month',
  )
  expect(chain('/s/0a1b2c3d4e5f6a7b#/x', 200)).toMatch(/^51/)
  expect(chain('/calendar?month=#', 50)).toBe(null)
  expect(trapReason(new URL('https://site.test/a/b/c/d/e/f/g'), 0)).toBe(null)
})

test('sitemaps, an index, packed ones, and those that robots.txt names', async () => {
  routes['/robots.txt'] = `User-agent: *\nAllow: /\nSitemap: /named.xml`
  const scanned = await tryScan(pool, site, {
    urls: ['/target'],
    plan: {
      depth: 0,
      sources: sources({ sitemaps: [`${site.origin}/sitemap.xml`], sitemapsOfRobots: true }),
    },
  })
  delete routes['/robots.txt']
  expect(reasons(scanned)).toMatchObject({
    '/target': 'completed',
    '/sitemap.xml': 'excluded not-a-page',
    '/map-1.xml': 'excluded not-a-page',
    '/map-2.xml.gz': 'excluded not-a-page',
    '/named.xml': 'excluded not-a-page',
    '/gone.xml': 'failed http-404',
    '/a': 'completed',
    '/b': 'completed',
    '/fr': 'completed',
    '/private/x': 'completed',
    '/only-from-private': 'out too-deep',
  })
})

test('a sitemap of 60 MB and one with entities have their reasons', async () => {
  const scanned = await tryScan(pool, site, {
    urls: ['/b'],
    plan: { sources: sources({ sitemaps: [`${site.origin}/big.xml`, `${site.origin}/bomb.xml`] }) },
  })
  expect(reasons(scanned)).toMatchObject({ '/big.xml': 'failed too-large', '/bomb.xml': 'failed mime-type' })
})

test('a fixed list, without following links', async () => {
  const scanned = await tryScan(pool, site, {
    urls: ['/a'],
    plan: { sources: sources({ urls: [`${site.origin}/b`, 'nonsense'], followLinks: false }) },
  })
  expect(reasons(scanned)).toEqual({
    '/a': 'completed',
    '/b': 'completed',
    nonsense: 'failed bad-url',
    '/deep': 'out too-deep',
  })
})

test('robots.txt, and the switch that passes over it', async () => {
  routes['/robots.txt'] = 'User-agent: Clearway\nDisallow: /deep'
  const kept = await tryScan(pool, site, { urls: ['/a'] })
  const passed = await tryScan(pool, site, { urls: ['/a'], advanced: { respectRobots: false } })
  delete routes['/robots.txt']
  expect(reasons(kept)).toMatchObject({ '/a': 'completed', '/deep': 'out robots' })
  expect(reasons(passed)).toMatchObject({ '/deep': 'completed' })
})

test('two runs of an unchanged site visit the same pages in the same order', async () => {
  const runs = [await tryScan(pool, site), await tryScan(pool, site)]
  expect(runs[0]!.order.sort()).toEqual(runs[1]!.order.sort())
  expect(reasons(runs[0]!)).toEqual(reasons(runs[1]!))
})
