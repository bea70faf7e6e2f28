/** @module-tag slow */
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import {
  describeOutcome,
  html,
  listRules,
  type Route,
  type TestScan,
  tryScan,
  useTestPool,
  useTestSite,
} from '../../../test/harness.ts'

// Walls in front of pages that can be passed: choices behind a redirect, and challenges.

const pool = useTestPool()

const content = (path: string) =>
  html(
    `Harbor ${path}`,
    `<img src="data:,"><p>${'Boats leave twice a day. '.repeat(10)}</p><p><a href="${path.split('/two')[0]!}/two">Two</a></p>`,
  )
const hasCookie = (request: IncomingMessage, name: string) => (request.headers.cookie ?? '').includes(`${name}=1`)
/** A page and its second page; `wall` is served until the cookie with its name is set. */
const guard = (name: string, wall: Route): Record<string, Route> =>
  Object.fromEntries(
    [`/${name}`, `/${name}/two`].map((path): [string, Route] => [
      path,
      (request, response) => {
        if (!hasCookie(request, name) && typeof wall === 'function') return wall(request, response)
        response.writeHead(200, { 'content-type': 'text/html' }).end(content(path))
      },
    ]),
  )
const serveHtml =
  (status: number, body: string, headers: Record<string, string> = {}): Route =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
const setCookie = (name: string) => `document.cookie = '${name}=1;path=/'`
const challenge = (script: string) => html('Just a moment...', `<p>Verifying you are human</p><script>${script}</script>`)
const afterTimer = (name: string) => challenge(`setTimeout(() => { ${setCookie(name)}; location.reload() }, 2500)`)
const afterWork = (name: string) =>
  challenge(`const work = new Blob(['const end = Date.now() + 1500; while (Date.now() < end); postMessage(1)'])
    new Worker(URL.createObjectURL(work)).onmessage = () => { ${setCookie(name)}; location.reload() }`)
/** Its timer is due before the page responds. */
const afterComputing = (name: string) =>
  challenge(`setTimeout(() => { ${setCookie(name)}; location.reload() }, 2100)
    setTimeout(() => { const end = Date.now() + 6000; while (Date.now() < end); }, 0)`)
const afterShortTimer = (name: string) => challenge(`setTimeout(() => { ${setCookie(name)}; location.reload() }, 1200)`)
const requestCounts = new Map<string, number>()
/** Counts the requests of a route. */
const count =
  (name: string, route: Route): Route =>
  (request, response) => {
    requestCounts.set(name, (requestCounts.get(name) ?? 0) + 1)
    if (typeof route === 'function') route(request, response)
  }
const leaveTo = (name: string) => (request: IncomingMessage) => `/${name}-choice?return=${encodeURIComponent(request.url ?? '')}`
const redirectTo =
  (name: string): Route =>
  (request, response) =>
    void response.writeHead(302, { location: leaveTo(name)(request) }).end()
const buildChoice = (name: string, buttons: string) =>
  html(
    'Your privacy',
    `<h2>Your privacy</h2>${buttons}<script>
    for (const button of document.querySelectorAll('button')) button.onclick = () => { ${setCookie(name)}; location.replace(new URLSearchParams(location.search).get('return')) }</script>`,
  )
const isMitigated = { 'cf-mitigated': 'challenge' }

const routes: Record<string, Route> = {
  ...guard('http', redirectTo('http')),
  '/http-choice': buildChoice('http', '<button>Refuse all</button><button>Accept all</button>'),
  ...guard(
    'script',
    (request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(html('', `<script>location.replace('${leaveTo('script')(request)}')</script>`)),
  ),
  '/script-choice': buildChoice('script', '<button>Alle ablehnen</button><button>Alle akzeptieren</button>'),
  ...guard('age', redirectTo('age')),
  '/age-choice': buildChoice('age', '<p>Are you 18?</p><button id="enter">Enter</button>'),
  ...guard('accepting', redirectTo('accepting')),
  '/accepting-choice': buildChoice('accepting', '<button>Accept all</button>'),
  ...guard('timer', serveHtml(200, afterTimer('timer'))),
  ...guard('work', serveHtml(200, afterWork('work'))),
  ...guard('forbidden', serveHtml(403, afterTimer('forbidden'), isMitigated)),
  ...guard('busy', serveHtml(503, afterTimer('busy'), isMitigated)),
  ...guard('waf', serveHtml(202, afterTimer('waf'), { 'x-amzn-waf-action': 'challenge' })),
  ...guard('accepted', serveHtml(202, afterTimer('accepted'))),
  ...guard('plain-403', serveHtml(403, afterTimer('plain-403'))),
  ...guard('computing', serveHtml(403, afterComputing('computing'))),
  ...guard('short-timer', serveHtml(403, afterShortTimer('short-timer'))),
  '/leaves-at-once': count('leaves', serveHtml(404, html('Gone', `<script>location.replace('/tiny')</script>`))),
  '/checks-once': count(
    'checks',
    serveHtml(
      200,
      html('Checked', `<p>Hello</p><script>if (!sessionStorage.x) { sessionStorage.x = 1; location.reload() }</script>`),
    ),
  ),
  '/unsolved-403': serveHtml(403, challenge(''), isMitigated),
  '/unsolved-503': serveHtml(503, challenge(''), isMitigated),
  '/unsolved-200': serveHtml(200, challenge(''), { 'x-amzn-waf-action': 'captcha' }),
  '/refused': serveHtml(403, html('Forbidden', '')),
  '/tiny': html('Tiny', `<p>Hello</p><script>setTimeout(() => {}, 2500)</script>`),
  '/login-first': (_, response) => void response.writeHead(302, { location: '/login?next=/login-first' }).end(),
  '/login': html('Sign in', '<form><label>Name <input></label><button>Sign in</button></form>'),
}
const site = useTestSite(() => routes)

const scanWall = (name: string, advanced: object = {}) =>
  tryScan(pool, site, { urls: [`/${name}`], advanced, plan: { concurrency: 1 } })
const describePages = ({ pages }: TestScan) =>
  Object.fromEntries(
    Object.entries(pages).map(([path, outcome]) => [path, [describeOutcome(outcome), ...listRules(outcome)].join(' ')]),
  )
const both = (name: string) => ({ [`/${name}`]: 'completed image-alt', [`/${name}/two`]: 'completed image-alt' })

test.each(['http', 'script'])('a choice by redirect (%s) is refused once, and the pages behind it are visited', async (name) => {
  const testScan = await scanWall(name)
  const { ['/#consent-dialog Consent dialog']: banner, ...pages } = describePages(testScan)
  expect(banner).toMatch('completed')
  expect(pages).toEqual(both(name))
  expect(testScan.pages[`/${name}`]).toMatchObject({
    detail: expect.stringMatching(/clicked “(Refuse all|Alle ablehnen)” \(refuses\)/) as string,
  })
})

test('a button of the scan opens an age gate behind a redirect', async () => {
  expect(describePages(await scanWall('age', { bannerSelectors: ['#enter'], closeBanners: false }))).toEqual(both('age'))
  expect(describePages(await scanWall('age'))).toMatchObject({ '/age': 'excluded redirect' })
})

test('a choice without a refusal is not accepted', async () => {
  expect(describePages(await scanWall('accepting'))).toMatchObject({ '/accepting': 'excluded redirect' })
  expect(describePages(await scanWall('accepting', { acceptBanners: true }))).toMatchObject(both('accepting'))
})

test.each(['timer', 'work', 'forbidden', 'busy', 'waf', 'accepted', 'plain-403', 'computing', 'short-timer'])(
  'a challenge that solves itself (%s) is waited for, and the page is visited again',
  async (name) => {
    expect(describePages(await scanWall(name))).toEqual(both(name))
  },
)

test('a challenge that stays fails as bot protection, and a plain refusal does not', async () => {
  const urls = ['/unsolved-403', '/unsolved-503', '/unsolved-200', '/refused']
  const advanced = { pageTimeoutMs: 5000, includeErrorPages: false }
  expect(describePages(await tryScan(pool, site, { urls, advanced }))).toEqual({
    '/unsolved-403': 'failed bot-protection',
    '/unsolved-503': 'failed bot-protection',
    '/unsolved-200': 'failed bot-protection',
    '/refused': 'failed http-403',
  })
  const errorPageScan = await tryScan(pool, site, { urls: ['/unsolved-403'], advanced: { ...advanced, includeErrorPages: true } })
  expect(describePages(errorPageScan)).toEqual({ '/unsolved-403': 'failed bot-protection' })
})

test('pages that are no walls keep their results', async () => {
  expect(describePages(await tryScan(pool, site, { urls: ['/tiny', '/login-first'] }))).toMatchObject({
    '/tiny': 'completed',
    '/login-first': 'excluded redirect',
    '/login?next=/login-first': 'completed',
  })
})

test('pages that leave or reload by themselves are no challenges', async () => {
  const { '/leaves-at-once': left, '/checks-once': checked } = describePages(
    await tryScan(pool, site, { urls: ['/leaves-at-once', '/checks-once'], plan: { concurrency: 1, depth: 0 } }),
  )
  expect([left, checked]).toEqual(['failed http-404', 'completed'])
  expect(requestCounts.get('checks')).toBe(2)
  // The second one if the page left before it was judged.
  expect(requestCounts.get('leaves')).toBeLessThanOrEqual(2)
})
