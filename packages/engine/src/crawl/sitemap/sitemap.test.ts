import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import * as z from 'zod/mini'
import { tryScan, poolOfFile } from '../../../test/harness.ts'
import { sitemapLimits } from './budget.ts'
import { readSitemap } from './sitemap.ts'

// What a site wants that keeps a run reading sitemaps for ever.

const pool = poolOfFile()

it('sitemaps that name sitemaps without end are read up to a number of them', async () => {
  let asked = 0
  const server = createServer((request, response) => {
    if (!request.url!.startsWith('/map')) return void response.writeHead(404).end()
    asked += 1
    const names = Array.from(
      { length: 2000 },
      (_, i) => `<sitemap><loc>http://${request.headers.host}${request.url}-${i}</loc></sitemap>`,
    )
    response.end(`<sitemapindex>${names.join('')}</sitemapindex>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { end, pages } = await tryScan(
    pool,
    { origin },
    { plan: { sources: z.parse(Sources, { sitemaps: [`${origin}/map`] }) } },
  )
  server.closeAllConnections()
  server.close()
  expect(asked).toBe(sitemapLimits.sitemaps)
  expect(end.kind).toBe('problem')
  expect(pages['/map']).toMatchObject({
    reason: 'not-a-page',
    detail: expect.stringContaining('1501 of them left out') as string,
  })
}, 120_000)

it('a sitemap of ends of lines costs no more memory than its bytes', async () => {
  const read = await readSitemap(Buffer.alloc(20 * 1024 * 1024, '\n'))
  expect(read).toMatchObject({ pages: [], problem: 'Neither XML nor a list of URLs' })
})

it('a sitemap of 400,000 URLs leaves the event loop to others while it is read', async () => {
  const one = '<url><loc>http://a.test/x</loc></url>'
  const bytes = Buffer.from(`<urlset>${one.repeat(400_000)}</urlset>`)
  let longest = 0
  let last = performance.now()
  const turning = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  const { pages, problem } = await readSitemap(bytes)
  clearInterval(turning)
  expect(pages).toHaveLength(50_000)
  expect(problem).toBe('More than 50000 URLs')
  expect(longest).toBeLessThan(1000)
}, 60_000)
