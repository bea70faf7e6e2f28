/** @module-tag slow */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { describeOutcome, html, listRules, tryScan, useTestPool, useTestSite, type Route } from '../../test/harness.ts'

// Responses that are wrong as HTTP: each fails at once, in words that name the fault.

const pool = useTestPool()
const page = html('Page', '<img src="data:,"><p>Words</p>')
const requestCounts = new Map<string, number>()

const answer =
  (headers: Record<string, string>, body: Buffer | string, status = 200): Route =>
  (request, response) => {
    requestCounts.set(request.url!, (requestCounts.get(request.url!) ?? 0) + 1)
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  }

const notModified = 'HTTP 304: the server sent no page, although the browser has no copy of it'
const wrongEncoding = 'the answer is not compressed as its Content-Encoding header says'
const brokenAnswers: Record<string, { route: Route; detail: string }> = {
  '/not-modified': { route: answer({}, '', 304), detail: notModified },
  '/not-modified-tag': {
    route: answer({ etag: '"1"', 'last-modified': new Date(0).toUTCString() }, '', 304),
    detail: notModified,
  },
  '/not-modified?target': { route: answer({}, '', 304), detail: notModified },
  ...Object.fromEntries(
    ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip'].map((encoding) => [
      `/${encoding.replace(', ', '-')}`,
      { route: answer({ 'content-encoding': encoding }, encoding.includes(',') ? gzipSync(page) : page), detail: wrongEncoding },
    ]),
  ),
}
const goodAnswers: Record<string, Route> = {
  '/unknown-encoding': answer({ 'content-encoding': 'utf-8' }, page),
  '/junk-behind': answer({ 'content-encoding': 'gzip' }, Buffer.concat([gzipSync(page), Buffer.from('<!-- cached -->')])),
  '/double': answer({ 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(page))),
}
/** Halves of a page in responses that end properly: the server or a proxy broke off. */
const longPage = html(
  'Long',
  `${'<p>Line of a long page</p>'.repeat(400)}<img src="data:,">${Array.from({ length: 400 }, (_, index) => `<p>${index}</p>`).join('')}`,
)
const halve = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)
const cutAnswers: Record<string, Route> = {
  '/cut-plain': answer({}, longPage.slice(0, longPage.length - 2000)),
  '/cut-gzip': answer({ 'content-encoding': 'gzip' }, halve(gzipSync(longPage))),
  '/cut-deflate': answer({ 'content-encoding': 'deflate' }, halve(deflateSync(longPage))),
  '/cut-br': answer({ 'content-encoding': 'br' }, halve(brotliCompressSync(longPage))),
  '/cut-then-gzip': answer({ 'content-encoding': 'gzip' }, gzipSync(longPage.slice(0, -2000))),
}
const wholeAnswers: Record<string, Route> = {
  '/whole-gzip': answer({ 'content-encoding': 'gzip' }, gzipSync(longPage)),
  '/whole-zstd': answer({ 'content-encoding': 'zstd' }, zstdCompressSync(longPage)),
  '/no-end-tags': answer(
    { 'content-encoding': 'gzip' },
    gzipSync('<!doctype html><title>A</title><h1>A</h1><p>a<p>b<ul><li>c</ul>'),
  ),
  '/fragment': answer({}, '<title>B</title><div>Part</div>'),
}
const site = useTestSite(() => ({
  ...cutAnswers,
  ...wholeAnswers,
  // Half of it has no whole block.
  '/cut-zstd': answer({ 'content-encoding': 'zstd' }, halve(zstdCompressSync(longPage))),
  ...Object.fromEntries(Object.entries(brokenAnswers).map(([path, { route }]) => [path, route])),
  ...goodAnswers,
  '/to-not-modified': answer({ location: '/not-modified?target' }, '', 302),
}))

const listFates = async (paths: readonly string[]) => {
  const { pages } = await tryScan(pool, site, { urls: [...paths, '/to-not-modified'], plan: { depth: 0 } })
  return Object.fromEntries(
    paths.map((path) => {
      const outcome = pages[path]!
      return [
        path,
        [describeOutcome(outcome), outcome.kind === 'failed' ? outcome.detail.replace(/^127\S+ /, '') : listRules(outcome)],
      ]
    }),
  )
}

test('answers without a page, and wrongly compressed ones, fail at once and say so', { timeout: 60_000 }, async () => {
  const paths = Object.keys(brokenAnswers)
  expect(await listFates(paths)).toEqual(
    Object.fromEntries(paths.map((path) => [path, ['failed http-error', brokenAnswers[path]!.detail]])),
  )
  // One retry: nothing else asks for them again.
  expect([requestCounts.get('/not-modified'), requestCounts.get('/gzip')]).toEqual([2, 2])
})

test('a tab is usable after such an answer, and answers that the browser can read are tested', async () => {
  const paths = Object.keys(goodAnswers)
  expect(await listFates(['/gzip', ...paths, '/not-modified'])).toMatchObject(
    Object.fromEntries(paths.map((path) => [path, ['completed', ['image-alt']]])),
  )
})

test('half a page proves nothing about issues that it lacks', { timeout: 120_000 }, async () => {
  const paths = [...Object.keys(cutAnswers), ...Object.keys(wholeAnswers)]
  const { pages } = await tryScan(pool, site, { urls: [...paths, '/cut-zstd'], plan: { depth: 0 } })
  const notices = paths.map((path) => {
    const outcome = pages[path]!
    return [path, outcome.kind === 'completed' ? outcome.notices : describeOutcome(outcome)]
  })
  expect(Object.fromEntries(notices)).toEqual(
    Object.fromEntries(paths.map((path) => [path, path in cutAnswers ? ['not-fully-loaded'] : []])),
  )
  expect(describeOutcome(pages['/cut-zstd']!)).toBe('failed connection-failed')
})
