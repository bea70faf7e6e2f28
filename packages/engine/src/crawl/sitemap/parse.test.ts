/** @module-tag slow */
import { createServer } from 'node:http'

import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import * as z from 'zod/mini'
import { tryScan, useTestPool } from '../../../test/harness.ts'
import { sitemapLimits } from './budget.ts'
import { readSitemap } from './parse.ts'

// Sites that try to keep a run reading sitemaps forever.

const pool = useTestPool()

it('reads endless sitemaps up to a limit', async () => {
  let requestCount = 0
  const server = createServer((request, response) => {
    if (!request.url!.startsWith('/map')) return void response.writeHead(404).end()
    requestCount += 1
    const sitemapElements = Array.from(
      { length: 2000 },
      (_, i) => `<sitemap><loc>http://${request.headers.host}${request.url}-${i}</loc></sitemap>`,
    )
    response.end(`<sitemapindex>${sitemapElements.join('')}</sitemapindex>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { end: scanEnd, pages } = await tryScan(
    pool,
    { origin },
    { plan: { sources: z.parse(Sources, { sitemaps: [`${origin}/map`] }) } },
  )
  server.closeAllConnections()
  server.close()
  expect(requestCount).toBe(sitemapLimits.sitemaps)
  expect(scanEnd.kind).toBe('problem')
  expect(pages['/map']).toMatchObject({
    reason: 'not-a-page',
    detail: expect.stringContaining('1501 of them left out') as string,
  })
}, 120_000)

it('a sitemap of line breaks uses no more memory than its bytes', async () => {
  const parsedSitemap = await readSitemap(Buffer.alloc(20 * 1024 * 1024, '\n'))
  expect(parsedSitemap).toMatchObject({ pages: [], problem: 'Neither XML nor a list of URLs' })
})

it('reading a sitemap of 400,000 URLs does not block the event loop', async () => {
  const urlElement = '<url><loc>http://a.test/x</loc></url>'
  const sitemapBytes = Buffer.from(`<urlset>${urlElement.repeat(400_000)}</urlset>`)
  // In processor time, because other programs may take the processor from a turn.
  const readCpuMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  let maxGapMs = 0
  let lastTurnAt = readCpuMs()
  const endTurn = () => {
    maxGapMs = Math.max(maxGapMs, readCpuMs() - lastTurnAt)
    lastTurnAt = readCpuMs()
  }
  const turnTimer = setInterval(endTurn, 5)
  const { pages, problem } = await readSitemap(sitemapBytes)
  clearInterval(turnTimer)
  endTurn()
  expect(pages).toHaveLength(50_000)
  expect(problem).toBe('More than 50000 URLs')
  expect(maxGapMs).toBeLessThan(1000)
}, 60_000)

const buildUrlset = (...locs: string[]) => `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`
const readText = (text: string | Buffer) => readSitemap(Buffer.from(text as string))

it.each<[string, string | Buffer, string[], string[]?]>([
  [
    'pictures and videos of a page',
    `<urlset xmlns:image="i"><url><loc>http://a.test/a</loc><image:image><image:loc>http://a.test/p.png</image:loc></image:image><image:loc>http://a.test/q.png</image:loc><video:video><video:player_loc>http://a.test/v</video:player_loc></video:video></url></urlset>`,
    ['http://a.test/a'],
  ],
  ['a prefix', '<s:urlset xmlns:s="x"><s:url><s:loc>http://a.test/a</s:loc></s:url></s:urlset>', ['http://a.test/a']],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${buildUrlset('http://a.test/ä')}`, 'utf16le'), ['http://a.test/ä']],
  ['UTF-16 without a mark', Buffer.from(buildUrlset('http://a.test/ä'), 'utf16le'), ['http://a.test/ä']],
  ['UTF-16, big endian', Buffer.from(`\ufeff${buildUrlset('http://a.test/ä')}`, 'utf16le').swap16(), ['http://a.test/ä']],
  [
    'Latin-1, declared',
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${buildUrlset('http://a.test/café')}`, 'latin1'),
    ['http://a.test/café'],
  ],
  [
    'UTF-8 that is declared as UTF-16',
    `<?xml version="1.0" encoding="utf-16"?>${buildUrlset('http://a.test/café')}`,
    ['http://a.test/café'],
  ],
  ['Latin-1 lines', Buffer.from('http://a.test/café\n', 'latin1'), ['http://a.test/café']],
  [
    'RSS 2.0',
    '<rss version="2.0"><channel><link>http://a.test/</link><item><link>http://a.test/a</link><media:link>x</media:link></item></channel></rss>',
    ['http://a.test/a'],
  ],
  ['RSS 1.0', '<rdf:RDF><item><link>http://a.test/a</link></item></rdf:RDF>', ['http://a.test/a']],
  [
    'Atom',
    '<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.test/"/><entry><link href="http://a.test/a"/><link rel="edit" href="http://a.test/edit"/></entry></feed>',
    ['http://a.test/a'],
  ],
  ['a bare ampersand', buildUrlset('http://a.test/a?x=1&y=2', 'http://a.test/b'), ['http://a.test/a?x=1&y=2', 'http://a.test/b']],
  [
    'an unknown entity',
    buildUrlset('http://a.test/caf&eacute;', 'http://a.test/b'),
    ['http://a.test/b'],
    ['http://a.test/caf\ufffd'],
  ],
  [
    'URLs outside of entries',
    '<urlset><loc>http://a.test/a</loc><url><loc>http://a.test/b</loc></url></urlset>',
    ['http://a.test/b'],
    ['http://a.test/a'],
  ],
  ['a control character', buildUrlset('http://a.test/\u0001', 'http://a.test/b'), ['http://a.test/b'], ['http://a.test/\ufffd']],
  [
    'CDATA',
    buildUrlset('<![CDATA[http://a.test/a?x=1&y=2&amp;]]>', 'http://a.test/b&amp;c'),
    ['http://a.test/a?x=1&y=2&amp;', 'http://a.test/b&c'],
  ],
  ['lines of old systems', 'http://a.test/a\rhttp://a.test/b\r', ['http://a.test/a', 'http://a.test/b']],
  ['lines with dates', 'http://a.test/a 2024-01-01\nhttp://a.test/b\tdaily', ['http://a.test/a', 'http://a.test/b']],
  [
    'a table',
    '"http://a.test/a",2024-01-01,0.8\nhttp://a.test/b,1\nhttp://a.test/c,d',
    ['http://a.test/a', 'http://a.test/b', 'http://a.test/c,d'],
  ],
  [
    'a table with semicolons',
    'http://a.test/a;2024-01-01;0.8\n"http://a.test/b";2024-01-01T10:00:00Z\nhttp://a.test/c;jsessionid=1\nhttp://a.test/d;5',
    ['http://a.test/a', 'http://a.test/b', 'http://a.test/c;jsessionid=1', 'http://a.test/d;5'],
  ],
  [
    'gzip with other data behind it',
    Buffer.concat([gzipSync(buildUrlset('http://a.test/a')), Buffer.from('<!-- cached -->')]),
    ['http://a.test/a'],
  ],
])('reads %s', async (_, content, pages, broken = []) => {
  expect(await readText(content)).toMatchObject({ pages, sitemaps: [], problem: null, broken })
})

it('names an archive that is cut off, and reads what is there', async () => {
  const urls = Array.from({ length: 500 }, (_, index) => `http://a.test/${index * 7919}`)
  for (const content of [`${urls.join('\n')}\n`, buildUrlset(...urls)]) {
    const archive = gzipSync(content)
    for (const cutBytes of [8, archive.length / 2]) {
      const { pages, problem } = await readText(archive.subarray(0, archive.length - cutBytes))
      expect(problem).toBe('The archive is cut off: its compressed data has no end')
      expect(pages.length).toBeGreaterThan(100)
      expect(pages).toEqual(urls.slice(0, pages.length))
    }
  }
})

it('a reference across two parts of a large file is no error', async () => {
  const locs = Array.from({ length: 5000 }, (_, index) => `http://a.test/${'x'.repeat(index % 40)}?a=1&amp;b=${index}`)
  const { pages, problem } = await readText(buildUrlset(...locs))
  expect({ count: pages.length, last: pages.at(-1), problem }).toEqual({
    count: 5000,
    last: locs.at(-1)!.replace('&amp;', '&'),
    problem: null,
  })
})

it('another document is no sitemap', async () => {
  expect((await readText('<html><body>x</body></html>')).problem).toBe('No sitemap: its root is “html”')
  expect(await readText('<urlset></urlset>')).toMatchObject({ pages: [], problem: null })
})

it('relative entries are visited, and broken ones are named', async () => {
  const maps: Record<string, string> = {
    '/index.xml': '<sitemapindex><sitemap><loc>/sub/map.xml</loc></sitemap></sitemapindex>',
    '/sub/map.xml': buildUrlset(
      '/a',
      'b',
      '//other.test/c',
      'http://',
      'http://user:secret@a.test/d',
      'http://a.test/caf&eacute;',
    ),
    '/broken.xml': buildUrlset('http://', '&x;'),
  }
  const server = createServer((request, response) => {
    const map = maps[request.url!]
    response.writeHead(200, { 'content-type': map ? 'application/xml' : 'text/html' })
    response.end(map ?? '<!doctype html><html lang="en"><title>x</title><main><h1>x</h1></main></html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sitemaps = [`${origin}/index.xml`, `${origin}/broken.xml`]
  const { pages, excluded } = await tryScan(pool, { origin }, { urls: [], plan: { sources: z.parse(Sources, { sitemaps }) } })
  server.closeAllConnections()
  server.close()
  expect(pages['/a']).toMatchObject({ kind: 'completed' })
  expect(pages['/sub/b']).toMatchObject({ kind: 'completed' })
  expect(excluded.map(({ url, exclusion }) => [url, exclusion])).toContainEqual(['http://other.test/c', 'other-domain'])
  expect(pages['/sub/map.xml']).toMatchObject({
    detail: 'A sitemap of 5 URLs, 3 more entries are no URLs to visit: http://a.test/caf\ufffd, http://, http://a.test/d',
  })
  expect(pages['/broken.xml']).toMatchObject({
    kind: 'failed',
    reason: 'mime-type',
    detail: 'No entry is a URL: \ufffd, http://',
  })
})
