/** @module-tag slow */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import * as z from 'zod/mini'
import { tryScan, useTestPool } from '../../../test/harness.ts'
import { sitemapLimits } from './budget.ts'
import { readSitemap } from './sitemap.ts'

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
  let maxGapMs = 0
  let lastTurnAt = performance.now()
  const turnTimer = setInterval(() => {
    maxGapMs = Math.max(maxGapMs, performance.now() - lastTurnAt)
    lastTurnAt = performance.now()
  }, 5)
  const { pages, problem } = await readSitemap(sitemapBytes)
  clearInterval(turnTimer)
  expect(pages).toHaveLength(50_000)
  expect(problem).toBe('More than 50000 URLs')
  expect(maxGapMs).toBeLessThan(1000)
}, 60_000)
