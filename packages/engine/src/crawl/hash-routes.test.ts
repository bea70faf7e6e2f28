/** @module-tag slow */
import { expect, test } from 'vitest'
import { writePdf } from '../../../../fixtures/pdf/write.ts'
import type { PageOutcome } from '../outcome.ts'
import {
  auditFewSettings,
  describeOutcome,
  getFingerprints,
  html,
  listRules,
  type Route,
  tryScan,
  useTestPool,
  useTestSite,
} from '../../test/harness.ts'

// Pages that differ only by their fragment: routes of an application, and anchors that the scan keeps.

const pool = useTestPool()
let routeChangeCount = 0
const site = useTestSite(() => routes)

/** Shows a picture on the route `#/a`, an unnamed button on `#!/b`, and nothing else elsewhere. */
const appScript = `<div id="view"></div><script>
  const contents = { '#/a': '<img src="data:,">', '#!/b': '<button></button>', '#part': '<img src="data:,">' }
  const show = () => { document.title = 'Route ' + location.hash; view.innerHTML = contents[location.hash] ?? '' }
  addEventListener('hashchange', show); show()</script>`
const appLinks = '<p><a href="#/a">a</a></p><p><a href="#!/b">b</a></p><p><a href="#part">part</a></p>'
const app = html('App', appLinks + appScript)
const redirectTo =
  (location: string): Route =>
  (_, response) =>
    void response.writeHead(302, { location }).end()
const pdfBytes = writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] })
const routes: Record<string, Route> = {
  '/': app,
  '/copied': app.replace('</head>', '<link rel="canonical" href="/copied"></head>'),
  '/moved': redirectTo('/'),
  '/moved-on': redirectTo('/moved'),
  '/to-route': redirectTo('/#!/b'),
  '/to-missing': redirectTo('/missing'),
  '/refreshes': html('Refreshes', '').replace('</head>', '<meta http-equiv="refresh" content="9;url=/#/a"></head>'),
  '/moves-itself': html('Moves', `<script>location.replace('/#/a')</script>`),
  '/file.pdf': (_, response) => void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdfBytes),
  '/editor': html(
    'Editor',
    `<p id="view"></p><script>
    view.textContent = location.hash
    addEventListener('hashchange', () => {
      const slowEnd = performance.now() + 100
      navigator.sendBeacon('/route-changes')
      while (performance.now() < slowEnd);
      location.hash += '-edited'
    })</script>`,
  ),
  '/route-changes': (_, response) => {
    routeChangeCount += 1
    response.writeHead(204).end()
  },
  '/token': html('Token', `<script>history.replaceState(null, '', '#access_token=secret')</script>`),
}

const hashRoutes = { hashRoutes: true }
const describePage = (outcome: PageOutcome | undefined) =>
  outcome?.kind === 'completed'
    ? [outcome.title, ...listRules(outcome)].join(' ')
    : [describeOutcome(outcome), outcome?.kind === 'excluded' ? outcome.leadsTo : ''].join(' ').replace(site.origin, '').trim()
const describePages = (pages: Record<string, PageOutcome>) =>
  Object.fromEntries(Object.entries(pages).map(([path, outcome]) => [path, describePage(outcome)]))

const appPages = { '/': 'Route', '/#/a': 'Route #/a image-alt', '/#!/b': 'Route #!/b button-name' }

test.each([2, 1])('routes are pages with their own content, with %i at once', async (concurrency) => {
  const { pages } = await tryScan(pool, site, { advanced: hashRoutes, plan: { concurrency } })
  expect(describePages(pages)).toEqual(appPages)
  expect(pages['/#/a']).toMatchObject({ finalUrl: `${site.origin}/#/a` })
})

test('kept anchors are pages, and discarded ones are not', async () => {
  const keptScan = await tryScan(pool, site, { advanced: { discardAnchors: false } })
  expect(describePages(keptScan.pages)).toEqual({ ...appPages, '/#part': 'Route #part image-alt' })
  const discardedScan = await tryScan(pool, site, { urls: ['/#/a', '/token'] })
  expect(describePages(discardedScan.pages)).toEqual({ '/': 'Route', '/token': 'Token' })
  expect(discardedScan.pages['/token']).toMatchObject({ finalUrl: `${site.origin}/token` })
})

test('routes as start URLs, each in turn', async () => {
  const urls = ['/#/a', '/#!/b', '/?x=1#/a']
  const { pages } = await tryScan(pool, site, { urls, advanced: hashRoutes, plan: { depth: 0, concurrency: 1 } })
  expect(describePages(pages)).toEqual({
    '/#/a': 'Route #/a image-alt',
    '/#!/b': 'Route #!/b button-name',
    '/?x=1#/a': 'Route #/a image-alt',
  })
})

test('a document does not see the route of the next page, which would change both', async () => {
  const urls = ['/editor#/a', '/editor#/b', '/editor#/c']
  const { pages } = await tryScan(pool, site, { urls, advanced: hashRoutes, plan: { depth: 0, concurrency: 1 } })
  expect(describePages(pages)).toEqual({ '/editor#/a': 'Editor', '/editor#/b': 'Editor', '/editor#/c': 'Editor' })
  expect(routeChangeCount).toBe(0)
})

test('a redirect without a fragment inherits that of its source', async () => {
  const urls = ['/moved-on#/a', '/to-route#/a', '/to-missing#/a', '/moves-itself']
  const { pages } = await tryScan(pool, site, { urls, advanced: hashRoutes, plan: { depth: 0 } })
  expect(describePages(pages)).toEqual({
    '/moved-on#/a': 'excluded redirect /#/a',
    '/to-route#/a': 'excluded redirect /#!/b',
    '/to-missing#/a': 'excluded redirect /missing#/a',
    '/moves-itself': 'excluded redirect /#/a',
    '/#/a': 'Route #/a image-alt',
    '/#!/b': 'Route #!/b button-name',
    '/missing#/a': 'failed http-404',
  })
})

test('a later refresh leads to its route', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/refreshes'], advanced: hashRoutes, plan: { depth: 1 } })
  expect(describePages(pages)).toEqual({ '/refreshes': 'Refreshes meta-refresh', '/#/a': 'Route #/a image-alt' })
})

test('unchanged routes are recognized, each by itself', async () => {
  const settings = { ...hashRoutes, ...auditFewSettings }
  const firstScan = await tryScan(pool, site, { advanced: settings })
  const knownPrints = getFingerprints(firstScan.pages)
  expect(Object.keys(knownPrints).sort()).toEqual(Object.keys(appPages).sort())
  expect(knownPrints['/#/a']).not.toBe(knownPrints['/#!/b'])
  const { pages } = await tryScan(pool, site, { advanced: settings, knownPrints })
  const unchangedPages = Object.values(pages).filter((outcome) => outcome.kind === 'completed' && outcome.unchanged)
  expect(unchangedPages.length).toBeGreaterThan(0)
  expect(Object.values(pages).map(describeOutcome)).toEqual(['completed', 'completed', 'completed'])
})

test('a canonical URL that all routes share makes none of them a copy', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/copied'], advanced: hashRoutes })
  expect(describePages(pages)).toMatchObject({ '/copied#/a': 'Route #/a image-alt', '/copied#!/b': 'Route #!/b button-name' })
})

test('a PDF with a kept anchor is checked', async () => {
  const { pages } = await tryScan(pool, site, {
    urls: ['/file.pdf#page=2'],
    advanced: { discardAnchors: false, mimeTypes: ['text/html', 'application/pdf'] },
  })
  expect(describeOutcome(pages['/file.pdf#page=2'])).toBe('completed')
})

test('script states keep the route that they reached', async () => {
  const text = JSON.stringify({
    projects: [
      {
        name: 'App',
        id: 'a',
        pageList: [
          {
            name: 'Home',
            url: `${site.origin}/#/a`,
            actions: ['analyze with title "A"', 'click element "[href=\\"#!/b\\"]"', 'analyze with title "B"'],
          },
        ],
      },
    ],
  })
  const runScript = (advanced: object) =>
    tryScan(pool, site, { urls: [], advanced, plan: { scripts: [{ name: 'App', text, variables: [] }] } })
  expect(describePages((await runScript(hashRoutes)).pages)).toMatchObject({
    '/#/a Home-A': 'Route #/a image-alt',
    '/#!/b Home-B': 'Route #!/b button-name',
  })
  expect(Object.keys((await runScript({})).pages).sort()).toEqual(['/ Home-A', '/ Home-B', 'script:App'])
})
