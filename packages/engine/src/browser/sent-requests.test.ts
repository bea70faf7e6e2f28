/** @module-tag slow */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeEach, expect, test } from 'vitest'
import { serveMemberSite } from '../../test/member-site.ts'
import { html, tryScan, useTestPool, useTestSite } from '../../test/harness.ts'

// A scan counts the requests of pages that may change something, and look-only mode lets none of them through.

const received: string[] = []
const answer = (request: IncomingMessage, response: ServerResponse) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    if (request.method !== 'GET') received.push(`${request.method} ${request.url} ${body}`)
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' }).end('{}')
  })
}
const script = (code: string) => `<p id="state">start</p><script>${code}</script>`
const post = (path: string, body = 'x') => `fetch('${path}', { method: 'POST', body: ${JSON.stringify(body)} }).catch(() => {})`

const pages: Record<string, string> = {
  '/': `<p>Home</p>${['fetch', 'beacon', 'form', 'frame', 'worker', 'graphql', 'change', 'window', 'quiet', 'allowed']
    .map((name) => `<a href="/${name}">${name}</a>`)
    .join(' ')}`,
  '/fetch': script(`${post('/api?token=1')}; fetch('/api/7', { method: 'DELETE' }).catch(() => {})`),
  '/beacon': script(`navigator.sendBeacon('/beat', 'x')`),
  '/form': `<form method="post" action="/save"><input name="a" value="1"></form>${script(`document.forms[0].submit()`)}`,
  '/frame': `<iframe title="inner" srcdoc="<script>${post('/from-frame').replaceAll('"', '&quot;')}</script>"></iframe>`,
  // A small page with a worker would be awaited as a challenge.
  '/worker': `${[1, 2, 3, 4].map((number) => `<a href="/#${number}">Part ${number}</a>`).join(' ')}${script(
    `new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + "/from-worker', { method: 'POST' }).catch(() => {})"])))`,
  )}`,
  '/graphql': script(post('/graphql-api', JSON.stringify({ query: 'query { pages { id } }' }))),
  '/change': script(post('/graphql-api', JSON.stringify({ query: 'mutation { remove }' }))),
  '/window': `<form method="post" action="/from-window" target="_blank"></form>${script(`document.forms[0].submit()`)}`,
  '/quiet': script(`fetch('/api/read').then(() => (state.textContent = 'read'))`),
  '/allowed': script(post('/search')),
}

const site = useTestSite(() => ({
  ...Object.fromEntries(Object.entries(pages).map(([path, body]) => [path, html(path, body)])),
  ...Object.fromEntries(
    [
      '/api',
      '/api/7',
      '/api/read',
      '/beat',
      '/save',
      '/from-frame',
      '/from-worker',
      '/graphql-api',
      '/from-window',
      '/search',
    ].map((path) => [path, answer]),
  ),
}))
const pool = useTestPool()
beforeEach(() => void (received.length = 0))

const listNotices = (testScan: Awaited<ReturnType<typeof tryScan>>) =>
  Object.fromEntries(
    Object.entries(testScan.pages).map(([path, outcome]) => [
      path,
      outcome.kind === 'completed' && outcome.notices.includes('requests-held'),
    ]),
  )

test('pages that send changes are tested, and their requests are counted by method and address', async () => {
  const testScan = await tryScan(pool, site)
  expect(received.map((line) => line.split(' ').slice(0, 2).join(' ')).toSorted()).toEqual(
    expect.arrayContaining([
      'DELETE /api/7',
      'POST /api?token=1',
      'POST /beat',
      'POST /from-frame',
      'POST /from-worker',
      'POST /save',
    ]),
  )
  expect(testScan.pages['/fetch']).toMatchObject({
    kind: 'completed',
    requests: {
      byMethod: expect.arrayContaining([
        { method: 'GET', count: expect.any(Number) },
        { method: 'POST', count: 1 },
        { method: 'DELETE', count: 1 },
      ]),
      changing: [
        { method: 'POST', address: `${site.origin}/api`, count: 1, held: 0 },
        { method: 'DELETE', address: `${site.origin}/api/7`, count: 1, held: 0 },
      ],
    },
  })
  expect(testScan.pages['/quiet']?.requests?.changing).toEqual([])
  expect(Object.values(listNotices(testScan))).not.toContain(true)
})

test('look-only mode holds every change, of frames, workers, windows and forms, and says so on the page', async () => {
  const testScan = await tryScan(pool, site, { advanced: { lookOnly: true, requestsToAllow: [`${site.origin}/search*`] } })
  expect(received.toSorted()).toEqual(['POST /graphql-api {"query":"query { pages { id } }"}', 'POST /search x'])
  expect(testScan.pages['/fetch']?.requests?.changing.map(({ held }) => held)).toEqual([1, 1])
  expect(listNotices(testScan)).toMatchObject({
    '/': false,
    '/fetch': true,
    '/form': true,
    '/frame': true,
    '/change': true,
    '/graphql': false,
    '/allowed': false,
    '/quiet': false,
    // Pages do not show the answer of a beacon.
    '/beacon': false,
  })
})

test('the sign-in of a scan that only looks may send its form', async () => {
  const memberSite = await serveMemberSite('redirect')
  const testScan = await tryScan(pool, memberSite, {
    advanced: { lookOnly: true },
    plan: { session: { connection: null, script: memberSite.buildScript(), mark: null }, pageLimit: 3 },
  })
  await memberSite.close()
  expect(Object.values(testScan.pages)).toMatchObject([1, 2, 3].map(() => ({ kind: 'completed', isProved: true })))
  expect(memberSite.counts.signIns).toBe(1)
})
