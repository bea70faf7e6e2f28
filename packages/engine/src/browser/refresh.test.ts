/** @module-tag slow */
import { expect, it } from 'vitest'
import { describeOutcome, html, useTestPool, listRules, serve, useTestSite, tryScan, type Route } from '../../test/harness.ts'

// Pages with a refresh: an immediate one is a redirect, a later one leaves a page that users see.

const pool = useTestPool()
const closedServer = await serve({})
await closedServer.close()
/** URL without a listener. */
const deadUrl = `${closedServer.origin}/`
const buildRefreshPage = (content: string, body = ''): string =>
  html('Leads on', body).replace('</head>', `<meta http-equiv="refresh" content="${content}"></head>`)
const manyTargets = Array.from({ length: 10 }, (_, index) => `/many-${index + 1}`)
const routes: Record<string, Route> = {
  ...Object.fromEntries(manyTargets.map((path) => [path, html('Target', '')])),
  // Busy for longer than the refresh delay; a cancelled navigation must not abort this.
  '/waits': buildRefreshPage(
    '1;url=/after#part',
    `<script>fetch('/slow').then(() => document.querySelector('main').insertAdjacentHTML('beforeend', '<img src="data:,">'))</script>`,
  ),
  '/slow': (_, response) => void setTimeout(() => response.end('x'), 1800),
  '/header': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', refresh: '1; url=/after-header' }).end(html('H', '')),
  '/after': html('After', ''),
  '/after-header': html('After', ''),
  '/dead': buildRefreshPage(`2;url=${deadUrl}later`),
  // The script navigates to the refresh target before the refresh does.
  '/scripted': buildRefreshPage('9;url=/new', `<script>setTimeout(() => location.replace('/new'), 300)</script>`),
  '/new': html('New', ''),
  '/many': html(
    'Many',
    `<script>addEventListener('load', () => setTimeout(() => {
      for (let n = 0; n < 15; n++) {
        const content = 90 - n + ';url=/many-' + (n ? n : 'x'.repeat(5000))
        const meta = Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content })
        document.head.append(meta)
        meta.remove()
      }
    }))</script>`,
  ),
  '/self': buildRefreshPage('0', '<img src="data:,">'),
  '/self-header': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', refresh: '0' }).end(html('Self', '<img src="data:,">')),
  '/self-named': buildRefreshPage('0;url=/self-named#top', '<img src="data:,">'),
  '/cookie-check': (request, response) => {
    const isChecked = request.headers.cookie?.includes('checked') === true
    response.writeHead(200, { 'content-type': 'text/html', ...(isChecked ? {} : { refresh: '0', 'set-cookie': 'checked=1' }) })
    response.end(isChecked ? html('Checked', '<img src="data:,">') : html('One moment', ''))
  },
  '/dead-at-once': buildRefreshPage(`0;url=${deadUrl}now`),
}
const site = useTestSite(() => routes)

it('tests a page before a refresh of a second or more and queues the target as a link', async () => {
  const { pages } = await tryScan(pool, site, {
    urls: ['/waits', '/header', '/dead', '/scripted', '/dead-at-once'],
    advanced: { extraHeaders: [{ name: 'X-Key', value: 'secret' }] },
    plan: { domains: [new URL(site.origin).host, new URL(deadUrl).host] },
  })
  expect(Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, describeOutcome(page)]))).toEqual({
    '/waits': 'completed',
    '/after': 'completed',
    '/header': 'completed',
    '/after-header': 'completed',
    '/dead': 'completed',
    [`${deadUrl}later`]: 'failed connection-refused',
    '/scripted': 'excluded redirect',
    '/new': 'completed',
    '/dead-at-once': 'excluded redirect',
    [`${deadUrl}now`]: 'failed connection-refused',
  })
  expect(listRules(pages['/waits'])).toEqual(['image-alt', 'meta-refresh'])
  expect(listRules(pages['/header'])).toEqual([])
  expect(listRules(pages['/dead'])).toEqual(['meta-refresh'])
  expect(pages['/dead-at-once']).toMatchObject({ detail: `Redirects to ${deadUrl}now` })
})

it('keeps at most ten refreshes written by a script', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/many'] })
  const visitedPages = Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)]))
  expect(visitedPages).toEqual(Object.fromEntries(['/many', ...manyTargets].map((path) => [path, 'completed'])))
})

it('tests pages that refresh themselves without end, and follows those that do so once', async () => {
  const paths = ['/self', '/self-header', '/self-named', '/cookie-check']
  const { pages } = await tryScan(pool, site, { urls: paths })
  const rulesOfPages = Object.entries(pages).map(([path, page]) => [path, [describeOutcome(page), listRules(page)]])
  expect(Object.fromEntries(rulesOfPages)).toEqual(Object.fromEntries(paths.map((path) => [path, ['completed', ['image-alt']]])))
})
