/** @module-tag slow */
import { gzipSync } from 'node:zlib'
import { Sources, UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { computeChain, computePattern, getTrapReason } from './scope/trap.ts'
import { describeOutcome, html, serve, tryScan, type Route, type TestScan, useTestSite, useTestPool } from '../../test/harness.ts'

// Tests how URLs are discovered, and why each is included or excluded.

const pool = useTestPool()
const site = useTestSite(() => routes)

const buildLinks = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
const serveXml =
  (body: string): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body)
const serveUrlset =
  (...paths: string[]): Route =>
  (request, response) => {
    const locElements = paths.map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`).join('')
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><urlset xmlns="x">${locElements}</urlset>`)
  }

const routes: Record<string, Route> = {
  '/': html(
    'Home',
    `${buildLinks('/a', '/private/x', '/admin/logout', '/doc.txt', '/b?utm=1', '/b', '/copy?ref=1')}
     ${buildLinks('/loop/a/b/a/b/a/b/a/b/a/b', 'mailto:x@y.z', 'ftp://x.test/', 'http://other.test/')}
     <map name="m"><area href="/area" alt="x"></map><x-shadow></x-shadow>
     <script>document.querySelector('x-shadow').attachShadow({mode:'open'}).innerHTML = '<a href="/shadow">s</a>'</script>
     <iframe src="/frame" title="f"></iframe>`,
  ),
  '/a': html('A', buildLinks('/deep')),
  '/b': html('B', ''),
  '/area': html('Area', ''),
  '/shadow': html('Shadow', ''),
  '/frame': html('Frame', buildLinks('/from-frame')),
  '/from-frame': html('From frame', ''),
  '/deep': html('Deep', buildLinks('/deeper')),
  '/deeper': html('Deeper', ''),
  '/private/x': html('Private', buildLinks('/only-from-private')),
  '/only-from-private': html('Only', ''),
  '/copy': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(html('Copy', buildLinks('/from-copy')).replace('</head>', '<link rel="canonical" href="/copy"></head>')),
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
  '/map-1.xml': serveUrlset('/a', '/private/x'),
  '/map-2.xml.gz': (request, response) =>
    response.end(
      gzipSync(
        `<urlset xmlns:xhtml="y"><url><loc>http://${request.headers.host}/b</loc><xhtml:link rel="alternate" hreflang="fr" href="http://${request.headers.host}/fr"/></url></urlset>`,
      ),
    ),
  '/fr': html('Fr', ''),
  '/bomb.xml': serveXml(
    `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>`,
  ),
  '/big.xml': (_, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    let remainingChunks = 60
    const writeMore = () => (remainingChunks-- > 0 ? response.write(chunk, writeMore) : response.end())
    writeMore()
  },
  '/named.xml': serveUrlset('/b'),
}
const getReasons = (testScan: TestScan): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(testScan.pages).map(([path, outcome]) => [path, describeOutcome(outcome)])),
  ...Object.fromEntries(testScan.excluded.map(({ url, exclusion }) => [url.replace(site.origin, ''), `out ${exclusion}`])),
})
const parseRule = (kind: string, pattern: string) => z.parse(UrlRule, { kind, pattern })
const parseSources = (overrides: object) => z.parse(Sources, overrides)

test('every URL has one reason and its referrers', async () => {
  const testScan = await tryScan(pool, site, {
    advanced: { urlsToSkip: ['*/private/*'], meaninglessParameters: ['utm'] },
    plan: {
      depth: 1,
      excludeRules: [parseRule('glob', '*/area')],
      session: { connection: null, script: { name: 's', text: buildSessionScript(), variables: [] }, mark: null },
    },
  })
  expect(getReasons(testScan)).toMatchObject({
    '/': 'completed',
    '/a': 'completed',
    '/b?utm=1': 'completed',
    '/shadow': 'completed',
    '/from-frame': 'completed',
    '/private/x': 'out url-to-skip',
    '/admin/logout': 'out acting-link',
    '/area': 'out excluded-by-rule',
    '/doc.txt': 'excluded mime-type',
    '/copy?ref=1': 'excluded duplicate',
    '/copy': 'completed',
    '/deep': 'out too-deep',
    '/loop/a/b/a/b/a/b/a/b/a/b': 'out trap',
    'ftp://x.test/': 'out scheme',
    'http://other.test/': 'out other-domain',
  })
  expect(testScan.excluded.find(({ url }) => url.endsWith('/area'))?.detail).toBe('Rule 1: fits the pattern */area')
  // Links of excluded pages are not followed; links of duplicates are.
  expect(getReasons(testScan)).not.toHaveProperty('/only-from-private')
  expect(testScan.referrers('/b').first).toEqual([`${site.origin}/`])
  expect(testScan.pages).not.toHaveProperty('mailto:x@y.z')
})

const buildSessionScript = () =>
  JSON.stringify({ projects: [{ name: 's', id: 's', pageList: [{ name: 'p', url: `${site.origin}/b` }] }] })

test('a copy of another page is one of its own if the scan says so', async () => {
  const options = { urls: ['/copy?ref=1'], plan: { depth: 0 } }
  const separateScan = await tryScan(pool, site, { ...options, advanced: { separatePages: ['*/copy?ref=*'] } })
  expect(describeOutcome(separateScan.pages['/copy?ref=1'])).toBe('completed')
  const joinedScan = await tryScan(pool, site, { ...options, advanced: { separatePages: ['*/other*'] } })
  expect(describeOutcome(joinedScan.pages['/copy?ref=1'])).toBe('excluded duplicate')
})

test('links of base, meta refresh, next and hash routes', async () => {
  const testScan = await tryScan(pool, site, { urls: ['/meta', '/next', '/based', '/spa'], advanced: { hashRoutes: true } })
  const visitedPaths = ['/base/x', '/based', '/meta', '/next', '/next-2', '/spa', '/spa#/one', '/target']
  expect(getReasons(testScan)).toEqual(Object.fromEntries(visitedPaths.map((path) => [path, 'completed'])))
})

test('visits only URLs that match an include rule, and always start URLs', async () => {
  const testScan = await tryScan(pool, site, {
    plan: {
      includeRules: [parseRule('prefix', `${site.origin}/a`), parseRule('regex', 'sha[d]+ow$')],
      depth: 1,
    },
  })
  const visitedPages = Object.fromEntries(
    Object.entries(testScan.pages).map(([path, outcome]) => [path, describeOutcome(outcome)]),
  )
  expect(visitedPages).toEqual({
    '/': 'completed',
    '/a': 'completed',
    '/admin/logout': 'failed http-404',
    '/area': 'completed',
    '/shadow': 'completed',
  })
  expect(getReasons(testScan)['/b']).toBe('out not-included')
})

test('expressions with catastrophic backtracking do not hang', async () => {
  const startedAt = performance.now()
  const testScan = await tryScan(pool, site, {
    plan: { excludeRules: [parseRule('regex', '(a+)+$'), parseRule('regex', '(.*a){25}')], depth: 0 },
    urls: [`/${'a'.repeat(3000)}!`],
  })
  expect(testScan.end.kind).toBe('problem')
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})

test('keyword rules drop a page and follow its links', async () => {
  const testScan = await tryScan(pool, site, {
    urls: ['/a'],
    advanced: { keywordRules: { mustNotHaveAny: ['DEEPER'], mustHaveAny: ['deep'] } },
    plan: { depth: 3 },
  })
  expect(getReasons(testScan)).toMatchObject({
    '/a': 'completed',
    '/deep': 'excluded keyword-rule',
    '/deeper': 'excluded keyword-rule',
  })
})

test('stops following an endless calendar after a number of pages with one pattern', () => {
  const findTrapPage = (path: string, pageCount: number): string | null => {
    let linkingPage = { pattern: 'site.test/?', chain: 0 }
    for (let page = 0; page < pageCount; page++) {
      const url = new URL(path.replace('#', String(page)), 'https://site.test')
      linkingPage = { pattern: computePattern(url), chain: computeChain(url, linkingPage) }
      const trapReasonText = getTrapReason(url, linkingPage.chain)
      if (trapReasonText !== null) return `${page}: ${trapReasonText}`
    }
    return null
  }
  expect(findTrapPage('/calendar?month=#', 200)).toBe(
    '51: More than 50 pages of this pattern lead to one another: site.test/calendar?month',
  )
  expect(findTrapPage('/s/0a1b2c3d4e5f6a7b#/x', 200)).toMatch(/^51/)
  expect(findTrapPage('/calendar?month=#', 50)).toBe(null)
  expect(getTrapReason(new URL('https://site.test/a/b/c/d/e/f/g'), 0)).toBe(null)
})

test('sitemaps, an index, compressed ones, and those listed in robots.txt', async () => {
  routes['/robots.txt'] = `User-agent: *\nAllow: /\nSitemap: /named.xml`
  const testScan = await tryScan(pool, site, {
    urls: ['/target'],
    plan: {
      depth: 0,
      sources: parseSources({ sitemaps: [`${site.origin}/sitemap.xml`], sitemapsOfRobots: true }),
    },
  })
  delete routes['/robots.txt']
  expect(getReasons(testScan)).toMatchObject({
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

test('a 60 MB sitemap and one with entities fail with their reasons', async () => {
  const testScan = await tryScan(pool, site, {
    urls: ['/b'],
    plan: { sources: parseSources({ sitemaps: [`${site.origin}/big.xml`, `${site.origin}/bomb.xml`] }) },
  })
  expect(getReasons(testScan)).toMatchObject({ '/big.xml': 'failed too-large', '/bomb.xml': 'failed mime-type' })
})

test('a fixed list, without following links', async () => {
  const testScan = await tryScan(pool, site, {
    urls: ['/a'],
    plan: { sources: parseSources({ urls: [`${site.origin}/b`, 'nonsense'], followLinks: false }) },
  })
  expect(getReasons(testScan)).toEqual({
    '/a': 'completed',
    '/b': 'completed',
    nonsense: 'failed bad-url',
    '/deep': 'out too-deep',
  })
})

test('robots.txt, and the setting that ignores it', async () => {
  routes['/robots.txt'] = 'User-agent: Clearway\nDisallow: /deep'
  const respectedScan = await tryScan(pool, site, { urls: ['/a'] })
  const ignoredScan = await tryScan(pool, site, { urls: ['/a'], advanced: { respectRobots: false } })
  delete routes['/robots.txt']
  expect(getReasons(respectedScan)).toMatchObject({ '/a': 'completed', '/deep': 'out robots' })
  expect(getReasons(ignoredScan)).toMatchObject({ '/deep': 'completed' })
})

test('two runs of an unchanged site visit the same pages in the same order', async () => {
  const testScans = [await tryScan(pool, site), await tryScan(pool, site)]
  expect(testScans[0]!.order.sort()).toEqual(testScans[1]!.order.sort())
  expect(getReasons(testScans[0]!)).toEqual(getReasons(testScans[1]!))
})

test('URLs are visited with their session, and recorded without it', async () => {
  const session = '0123456789abcdef0123456789abcdef'
  const openOnly =
    (expectedUrl: string, title: string): Route =>
    (request, response) =>
      request.url === expectedUrl
        ? response.setHeader('content-type', 'text/html').end(html(title, ''))
        : response.writeHead(404, { 'content-type': 'text/html' }).end(html('Missing', ''))
  const tokenSite = await serve({
    '/': html('Desk', buildLinks(`/list?sid=${session}&page=2`, '/letter?access_token=abc', '/go')),
    '/list': openOnly(`/list?sid=${session}&page=2`, 'List'),
    '/letter': openOnly('/letter?access_token=abc', 'Letter'),
    '/go': (_, response) => response.writeHead(302, { location: `/target?PHPSESSID=${session}` }).end(),
    '/target': openOnly(`/target?PHPSESSID=${session}`, 'Target'),
  })
  const { pages, excluded } = await tryScan(pool, tokenSite)
  const outcomes = Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)])
  expect(Object.fromEntries(outcomes)).toEqual({
    '/': 'completed',
    '/list?page=2': 'completed',
    '/letter?access_token=*': 'completed',
    '/go': 'excluded redirect',
    '/target': 'completed',
  })
  const recordedText = JSON.stringify([pages, excluded], (key, value: unknown) => (key === 'content' ? undefined : value))
  expect(recordedText).not.toContain(session)
  expect(recordedText).not.toContain('access_token=abc')
  await tokenSite.close()
})
