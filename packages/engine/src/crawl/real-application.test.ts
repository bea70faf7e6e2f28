/** @module-tag slow */
import { expect, test } from 'vitest'
import {
  acceptSockets,
  describeOutcome,
  html,
  listRules,
  type Route,
  type TestScan,
  tryScan,
  useTestPool,
  useTestSite,
} from '../../test/harness.ts'

// Habits of real applications: addresses that change by themselves, many links, long chains, content by WebSocket.

const pool = useTestPool()
const site = useTestSite(() => routes)
const faultyImage = '<img src="data:,">'
const link = (url: string, text = 'link') => `<p><a href="${url}">${text}</a></p>`
const moveTo = (url: string) => `<script>history.replaceState(null, '', '${url}')</script>`

const beacons = `<script>fetch('/beacon-inline')</script><script src="/beacon.js"></script>
  <img src="data:," alt="Event" onerror="fetch('/beacon-event')">
  <iframe src="/sandbox-frame" title="Frame"></iframe><iframe title="Inline" srcdoc="<script>fetch('/beacon-frame')</script>"></iframe>`

const routes: Record<string, Route> = {
  '/old': html('App', `${faultyImage}${moveTo('/home')}`),
  '/home': html('App', `${faultyImage}${link('/old')}`),
  '/slash': html('Slash', `${faultyImage}${moveTo('/slash/')}`),
  '/slash/': (_, response) => void response.writeHead(301, { location: '/slash' }).end(),
  '/pointer': html('Pointer', `${faultyImage}${moveTo('/alias')}`),
  '/alias': (_, response) => void response.writeHead(302, { location: '/pointer' }).end(),
  '/ring-a': html('Ring a', moveTo('/ring-b')),
  '/ring-b': html('Ring b', moveTo('/ring-c')),
  '/ring-c': html('Ring c', moveTo('/ring-a')),
  '/pair-a': html('Pair a', moveTo('/pair-b')),
  '/pair-b': html('Pair b', moveTo('/pair-a')),
  '/query': html('Query', moveTo('/query?tab=1')),
  '/new': html('New', moveTo('/new/8f3a0b')),
  '/router': html('Router', `<script>location.hash = '#/start'</script>`),
  '/many': html(
    'Many',
    `<script>let links = ''
      for (let n = 0; n < 2600; n++) links += '<a href="/many#part-' + n + '">a</a><a href="/same">b</a>'
      for (let n = 0; n < 60; n++) links += '<a href="/page-' + n + '">c</a>'
      document.querySelector('main').insertAdjacentHTML('beforeend', '<div hidden>' + links + '</div>')</script>`,
  ),
  '/more': html(
    'More',
    `<script>let links = ''
      for (let n = 0; n < 10100; n++) links += '<a href="http://other.test/' + n + '">c</a>'
      document.querySelector('main').insertAdjacentHTML('beforeend', '<div hidden>' + links + '</div>')</script>`,
  ),
  '/same': html('Same', ''),
  '/box': html(
    'Box',
    `<div style="position:relative"><img src="data:," style="position:absolute;left:-60px;top:-30px;width:100px;height:80px"></div>`,
  ),
  '/live': html(
    'Live',
    `<div id="view"></div><script>new WebSocket('ws://' + location.host + '/socket').onmessage = ({ data }) => { view.innerHTML = data }</script>`,
  ),
}
for (const [path, policy] of [
  ['/sandbox', 'sandbox'],
  ['/sandbox-origin', "default-src *; sandbox allow-same-origin; img-src 'self'"],
] as const)
  routes[path] = (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      .end(html('Sandbox', `${faultyImage}${beacons}`))
const sentBeacons: string[] = []
for (const path of ['/beacon-inline', '/beacon-event', '/beacon-file', '/beacon-frame'])
  routes[path] = (_, response) => {
    sentBeacons.push(path)
    response.end()
  }
routes['/beacon.js'] = (_, response) =>
  void response.writeHead(200, { 'content-type': 'text/javascript' }).end(`fetch('/beacon-file')`)
routes['/sandbox-frame'] = (_, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<!doctype html><title>Frame</title><h1>Frame</h1><script>fetch('/beacon-frame')</script>`)
routes['/policy'] = (_, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "script-src 'none'" })
    .end(html('Policy', `<script>document.querySelector('main').innerHTML += '${faultyImage}'</script>`))
const words = ['anchor', 'buoy', 'canoe', 'dock', 'ebb', 'ferry', 'gull', 'harbor', 'island', 'jetty']
const spell = (number: number) => String(number).replaceAll(/\d/g, (digit) => `${words[Number(digit)]!} `)
for (let number = 0; number < 80; number++) {
  routes[`/story/${number}`] = html('Story', `<p>${spell(number)}</p>${link(`/story/${number + 1}`, 'Next')}`)
  routes[`/day/${number}`] = html('Day', `<p>Nothing on day ${number}</p>${link(`/day/${number + 1}`, 'Next')}`)
}
routes['/story/80'] = html('Story', '<p>The end</p>')

const describePages = ({ pages }: TestScan) =>
  Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describeOutcome(outcome)]))

test('a page that gives itself the address of another one is tested once', async () => {
  const testScan = await tryScan(pool, site, { urls: ['/old', '/query', '/new'] })
  expect(describePages(testScan)).toEqual({
    '/old': 'excluded redirect',
    '/home': 'completed',
    '/query': 'completed',
    '/new': 'completed',
  })
  expect(testScan.pages['/old']).toMatchObject({ leadsTo: `${site.origin}/home` })
  const routedScan = await tryScan(pool, site, { urls: ['/router'], advanced: { hashRoutes: true } })
  expect(describePages(routedScan)).toEqual({ '/router': 'excluded redirect', '/router#/start': 'completed' })
})

test('pages that give themselves the addresses of each other are tested', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/slash', '/pointer', '/ring-a', '/pair-a', '/pair-b'] })
  expect(['/slash', '/pointer'].map((path) => listRules(pages[path]))).toEqual([['image-alt'], ['image-alt']])
  const countCompleted = (prefix: string) =>
    Object.entries(pages).filter(([path, { kind }]) => path.startsWith(prefix) && kind === 'completed').length
  expect([countCompleted('/ring-'), countCompleted('/pair-')]).toEqual([1, 1])
})

test('links are counted by their targets, and a page with more says so', async () => {
  const testScan = await tryScan(pool, site, { urls: ['/many', '/more'], plan: { depth: 1, pageLimit: 3 } })
  const visitedOrFound = [...Object.keys(testScan.pages), ...testScan.excluded.map(({ url }) => url.replace(site.origin, ''))]
  expect(visitedOrFound).toContain('/same')
  expect(testScan.referrers('/page-59').count).toBe(1)
  expect(testScan.pages['/many']).toMatchObject({ kind: 'completed', notices: [] })
  expect(testScan.pages['/more']).toMatchObject({ kind: 'completed', notices: ['links-not-followed'] })
}, 60_000)

test('a long chain of different pages is followed, and one of the same page is not', async () => {
  const testScan = await tryScan(pool, site, {
    urls: ['/story/0', '/day/0'],
    plan: { pageLimit: 200 },
    advanced: { savePictures: false },
  })
  const countPages = (prefix: string) =>
    Object.entries(testScan.pages).filter(([path, { kind }]) => path.startsWith(prefix) && kind === 'completed').length
  expect([countPages('/story/'), countPages('/day/')]).toEqual([81, 52])
  expect(testScan.excluded.map(({ url, exclusion }) => [url.replace(site.origin, ''), exclusion])).toEqual([['/day/52', 'trap']])
}, 180_000)

test('the picture of an element outside of the document shows what is visible of it', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/box'], advanced: { savePictures: true } })
  const outcome = pages['/box']
  const picture = outcome?.kind === 'completed' ? outcome.findings.find(({ rule }) => rule === 'image-alt')?.picture : null
  expect(picture?.box).toMatchObject({ x: 0 })
  expect(picture!.box.width).toBeLessThan(60)
})

test('a page whose policy forbids all scripts is tested without running them, and other policies hold afterwards', async () => {
  const startedAt = performance.now()
  const urls = ['/sandbox', '/sandbox-origin', '/policy']
  const { pages } = await tryScan(pool, site, { urls, plan: { concurrency: 1 } })
  expect(sentBeacons).toEqual([])
  expect(urls.map((path) => listRules(pages[path]))).toEqual([['image-alt'], ['image-alt'], []])
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})

test('content that a WebSocket brings is tested', async () => {
  // The first message comes after 1.5 s, and is one unmasked text frame.
  const payload = Buffer.from(faultyImage)
  const sockets = acceptSockets(site, (socket) =>
    setTimeout(() => socket.write(Buffer.concat([Buffer.from([0x81, payload.length]), payload])), 1500),
  )
  const { pages } = await tryScan(pool, site, { urls: ['/live'] })
  for (const socket of sockets) socket.destroy()
  expect(listRules(pages['/live'])).toContain('image-alt')
})
