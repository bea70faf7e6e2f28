import { expect, it } from 'vitest'
import {
  fate,
  html,
  poolOfFile,
  rulesOf,
  serve,
  siteOfFile,
  tryScan,
  type Route,
} from '../../test/harness.ts'

// Pages that lead on by a refresh: at once it is a redirect, later they are pages that people meet.

const pool = poolOfFile()
const closed = await serve({})
await closed.close()
/** Where nobody listens any more. */
const nobody = `${closed.origin}/`
const refresh = (content: string, body = ''): string =>
  html('Leads on', body).replace('</head>', `<meta http-equiv="refresh" content="${content}"></head>`)
const routes: Record<string, Route> = {
  // Busy for longer than it stays, by what no cancelled navigation may take from it.
  '/waits': refresh(
    '1;url=/after#part',
    `<script>fetch('/slow').then(() => document.querySelector('main').insertAdjacentHTML('beforeend', '<img src="data:,">'))</script>`,
  ),
  '/slow': (_, response) => void setTimeout(() => response.end('x'), 1800),
  '/header': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', refresh: '1; url=/after-header' })
      .end(html('H', '')),
  '/after': html('After', ''),
  '/after-header': html('After', ''),
  '/dead': refresh(`2;url=${nobody}later`),
  // A script goes where the refresh would lead later.
  '/scripted': refresh('9;url=/new', `<script>setTimeout(() => location.replace('/new'), 300)</script>`),
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
  '/dead-at-once': refresh(`0;url=${nobody}now`),
}
const site = siteOfFile(() => routes)

it('a page is tested before a refresh of a second or more, and where it leads is a link', async () => {
  const { pages } = await tryScan(pool, site, {
    urls: ['/waits', '/header', '/dead', '/scripted', '/dead-at-once'],
    advanced: { extraHeaders: [{ name: 'X-Key', value: 'secret' }] },
    plan: { domains: [new URL(site.origin).host, new URL(nobody).host] },
  })
  expect(Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, fate(page)]))).toEqual({
    '/waits': 'completed',
    '/after': 'completed',
    '/header': 'completed',
    '/after-header': 'completed',
    '/dead': 'completed',
    [`${nobody}later`]: 'failed connection-refused',
    '/scripted': 'excluded redirect',
    '/new': 'completed',
    '/dead-at-once': 'excluded redirect',
    [`${nobody}now`]: 'failed connection-refused',
  })
  expect(rulesOf(pages['/waits'])).toEqual(['image-alt', 'meta-refresh'])
  expect(rulesOf(pages['/header'])).toEqual([])
  expect(rulesOf(pages['/dead'])).toEqual(['meta-refresh'])
  expect(pages['/dead-at-once']).toMatchObject({ detail: `Redirects to ${nobody}now` })
})

it('of the many refreshes that a script writes, ten are kept', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/many'] })
  expect(Object.keys(pages).sort()).toEqual(
    ['/many', ...Array.from({ length: 10 }, (_, n) => `/many-${n + 1}`)].sort(),
  )
})
