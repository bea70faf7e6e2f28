/** @module-tag slow */
import { expect, test } from 'vitest'
import { html, listRules, type Route, tryScan, useTestPool, useTestSite } from '../../../test/harness.ts'

// Start pages with hardly any content on sites that answer every address: walls, and applications with few words.

const pool = useTestPool()
type Serve = (path: string) => string
let serveCase: Serve
const site = useTestSite(
  () =>
    new Proxy<Record<string, Route>>(
      {},
      {
        get: (_target, path): Route =>
          path === '/robots.txt'
            ? ''
            : (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(serveCase(String(path))),
      },
    ),
)
const longText = 'Ferries to the islands leave at nine and at five. '.repeat(3)
const about = '<p><a href="/about">About the ferries</a></p>'
/** A page rendered in advance for every address, and a router that shows another one where `routes` has one. */
const buildApplication = (routes: string) =>
  `<!doctype html><html lang="en"><head><title>Ferries</title></head><body><main id="app"><h1>Ferries</h1><img src="data:,"><p>${longText}</p>${about}</main>
  <script>const routes = ${routes}; const page = routes[location.pathname] ?? routes['*']
  if (location.pathname !== '/' && page) app.innerHTML = page</script></body></html>`

const applications: Record<string, Serve> = {
  'a router that knows no such address': () => buildApplication(`{ '*': '<h1>There is no such page</h1>' }`),
  'a router that shows its start page instead': () =>
    buildApplication(`{ '/about': '<h1>About</h1><p>Since the year of the great storm.</p>' }`),
  'a menu of files, and a start page for all other addresses': (path) =>
    path === '/about' || path === '/islands'
      ? html(path, '<p>Since the year of the great storm.</p>')
      : buildApplication('{}').replace(about, `${about}<p><a href="/islands">Islands</a></p>`),
  'a router with a menu': () =>
    buildApplication(`{ '/about': '<h1>About</h1>', '/islands': '<h1>Islands</h1>' }`).replace(
      about,
      `${about}<p><a href="/islands">Islands</a></p>`,
    ),
  'links to other sites alone': (path) =>
    path === '/about'
      ? html('About', '<p>Since the year of the great storm.</p>')
      : buildApplication('{}').replace(
          about,
          `${about}<p><a href="https://a.test/">Weather</a></p><p><a href="https://b.test/">Tides</a></p>`,
        ),
  'pages that are files, and a start page for all other addresses': (path) =>
    path === '/about' ? html('About', '<p>Since the year of the great storm.</p>') : buildApplication('{}'),
}
test.each(Object.entries(applications))('is no wall: %s', async (_name, serve) => {
  serveCase = serve
  const { pages } = await tryScan(pool, site, { urls: ['/'] })
  expect(pages['/']).toMatchObject({ kind: 'completed', health: 'critical', notices: [] })
  expect(listRules(pages['/'])).toEqual(['image-alt'])
  expect(pages['/about']).toMatchObject({ kind: 'completed', notices: [] })
})

test('a drawing without words, for every address, is no wall', async () => {
  serveCase = () => '<!doctype html><html lang="en"><head><title>Map</title></head><body><canvas></canvas></body></html>'
  expect((await tryScan(pool, site, { urls: ['/'] })).pages['/']).toMatchObject({ kind: 'completed', notices: [] })
})

let visitCount = 0
const walls: Record<string, Serve> = {
  'maintenance, with a link to try again': () => html('Maintenance', '<p>We will be back soon. <a href="/">Try again</a></p>'),
  'maintenance, with a link to its reasons': () => html('Maintenance', '<p>We will be back soon. <a href="/why">Why?</a></p>'),
  'a challenge that names the address, a number and a time': (path) =>
    html(
      'Access check',
      `<p>${path} is protected. Ray ${(visitCount += 1)}f3a9c21b. <span id="s"></span></p>
      <script>s.textContent = 'Retry in ' + Math.round(Math.random() * 60) + ' seconds'</script>`,
    ),
  'an application that shows nothing': () =>
    '<!doctype html><html lang="en"><head><title>Ferries</title></head><body><div id="root" aria-busy="true"></div></body></html>',
  'maintenance within the menu of its site': (path) =>
    html('Maintenance', `<p>Back soon.</p>${['/', '/about', '/islands'].map((to) => `<a href="${to}">${path}</a>`).join(' ')}`),
  'maintenance within the menu of two pages': () =>
    html('Maintenance', '<p>Back soon.</p><p><a href="/">Start</a></p><p><a href="/about">About</a></p>'),
  'a consent page with a privacy policy': (path) =>
    path === '/privacy'
      ? html('Privacy', `<p>${longText}</p>`)
      : html('Your choice', '<p>We use cookies. <a href="/privacy">Privacy</a></p><button>Yes</button><button>No</button>'),
}
test.each(Object.entries(walls))('is a wall: %s', async (_name, serve) => {
  serveCase = serve
  const { pages } = await tryScan(pool, site, { urls: ['/'], advanced: { closeBanners: false } })
  expect(pages['/']).toMatchObject({ kind: 'completed', health: null, notices: ['same-as-other-pages'] })
})

test('pages that are tiny and have a long timer are waited for a few times only', async () => {
  let firedCount = 0
  serveCase = (path) => {
    if (path === '/fired') firedCount += 1
    return html(path, '<p>Hello</p><script>setTimeout(() => fetch("/fired"), 3500)</script>')
  }
  const urls = Array.from({ length: 8 }, (_, number) => `/${number}`)
  await tryScan(pool, site, { urls, plan: { concurrency: 1 } })
  expect(firedCount).toBe(3)
})
