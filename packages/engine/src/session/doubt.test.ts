/** @module-tag slow */
import { expect, test } from 'vitest'
import { describeOutcome, html, serve, tryScan, useTestPool, type Route } from '../../test/harness.ts'

// Pages that tell nothing about the session: the start page is asked, a few times only.

const pool = useTestPool()

const form = html(
  'Enter',
  '<form method="post" action="/enter"><label>Name <input name="u"></label><label>Secret <input type="password" name="p"></label><button>Go</button></form>',
)

test(
  'the last page that is opened does not count if it ends the session, and pages of their own kind cost little',
  { timeout: 60_000 },
  async () => {
    let signIns = 0
    const sessions = new Set<string>()
    let startViews = 0
    const getId = (header: string | undefined) => /sid=(\w+)/.exec(header ?? '')?.[1] ?? ''
    const bare = Array.from({ length: 6 }, (_, index) => `/leaflet/${'abcdef'[index]}`)
    const buildPage =
      (title: string, body: string, isLast = false): Route =>
      (request, response) => {
        const id = getId(request.headers.cookie)
        if (!sessions.has(id)) return response.writeHead(302, { location: '/enter' }).end()
        if (title === 'Desk') startViews += 1
        if (isLast) sessions.delete(id)
        return response.writeHead(200, { 'content-type': 'text/html' }).end(html(title, body))
      }
    const links = [...bare, '/zzz'].map((path) => `<a href="${path}">${path}</a>`).join('<br>')
    const site = await serve({
      '/': buildPage('Desk', `<p>Signed in as ana</p>${links}`),
      ...Object.fromEntries(
        bare.map((path) => [path, buildPage(`Leaflet ${path}`, `<p>About ${path}</p><p>Back to the desk</p>`)]),
      ),
      '/zzz': buildPage('Bis bald', '<p>Schönen Tag noch</p>', true),
      '/enter': (request, response) => {
        if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(form)
        sessions.add(`s${(signIns += 1)}`)
        return response.writeHead(302, { location: '/', 'set-cookie': `sid=s${signIns}; path=/` }).end()
      },
    })
    const session = {
      connection: null,
      script: null,
      form: { url: `${site.origin}/enter`, username: 'ana', password: 'p' },
      mark: null,
    }
    const learned: string[] = []
    const onSignOutLearned = async (pattern: string) => void learned.push(pattern.replace(site.origin, ''))
    const first = await tryScan(pool, site, { plan: { session, concurrency: 1 }, onSignOutLearned })
    expect(learned).toEqual(['/zzz'])
    expect(describeOutcome(first.pages['/zzz'])).toBe('excluded acting-link')
    for (const path of bare) expect(first.pages[path]).toMatchObject({ kind: 'completed', isProved: true })
    startViews = 0
    const signOutUrls = [`${site.origin}/zzz`]
    const second = await tryScan(pool, site, { plan: { session, concurrency: 1, signOutUrls }, onSignOutLearned })
    expect(Object.keys(second.pages).length).toBe(bare.length + 1)
    // The landing, the proof of the sign-in, the page itself, and at most six doubts.
    expect(startViews).toBeLessThanOrEqual(9)
    await site.close()
  },
)

test('pages that share the navigation of their section leave no doubt', { timeout: 60_000 }, async () => {
  const sections = ['harbour', 'meadow'].map((section) => ({
    paths: Array.from({ length: 9 }, (_, index) => `/${section}/${index}`),
    navigation: ['maps', 'crew', 'tools', 'rules', 'store'].map((name) => `<p>${section} ${name}</p>`).join(''),
  }))
  const isMember = (header: string | undefined) => header?.includes('sid=ana') === true
  const show =
    (title: string, body: string): Route =>
    (request, response) =>
      isMember(request.headers.cookie)
        ? response.writeHead(200, { 'content-type': 'text/html' }).end(html(title, body))
        : response.writeHead(302, { location: '/enter' }).end()
  const links = sections.flatMap(({ paths }) => paths.map((path) => `<a href="${path}">${path}</a>`)).join('<br>')
  const site = await serve({
    '/': show('Desk', `<p>Your desk</p>${links}`),
    ...Object.fromEntries(
      sections.flatMap(({ paths, navigation }) => paths.map((path) => [path, show(path, `${navigation}<p>About ${path}</p>`)])),
    ),
    '/enter': (request, response) =>
      request.method === 'POST'
        ? response.writeHead(302, { location: '/', 'set-cookie': 'sid=ana; path=/' }).end()
        : response.setHeader('content-type', 'text/html').end(form),
  })
  const session = {
    connection: null,
    script: null,
    form: { url: `${site.origin}/enter`, username: 'ana', password: 'p' },
    mark: null,
  }
  const { pages } = await tryScan(pool, site, { plan: { session, concurrency: 1 } })
  const unproved = Object.entries(pages).filter(([, page]) => page.kind !== 'completed' || page.isProved !== true)
  expect([Object.keys(pages).length, unproved.map(([path]) => path)]).toEqual([19, []])
  await site.close()
})

const visitorExtras = {
  'a way to sign in': '<a href="/enter">Enter now</a>',
  'the form':
    '<form method="post" action="/enter"><label>Secret <input type="password" name="p"></label><button>Go</button></form>',
}
test.each(Object.entries(visitorExtras))(
  'a section that visitors see with %s, too, shows that the session has ended',
  { timeout: 60_000 },
  async (_name, extra) => {
    let signInCount = 0
    const sessions = new Set<string>()
    const navigation = Array.from({ length: 16 }, (_, index) => `<p>Chapter on ${'abcdefghijklmnop'[index]}</p>`).join('')
    const paths = Array.from({ length: 8 }, (_, index) => `/manual/${'abcdefgh'[index]}`)
    const findSession = (header: string | undefined) => /sid=(\w+)/.exec(header ?? '')?.[1] ?? ''
    const showManual =
      (path: string): Route =>
      (request, response) => {
        const id = findSession(request.headers.cookie)
        const isMember = sessions.has(id)
        // The session ends behind the fourth page, once.
        if (isMember && path === paths[3] && signInCount === 1) sessions.delete(id)
        const body = `${navigation}<p>About ${path}</p>${isMember ? '<p>Signed in as ana</p>' : extra}`
        response.writeHead(200, { 'content-type': 'text/html' }).end(html(isMember ? `Manual ${path}` : 'Enter', body))
      }
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('<br>')
    const site = await serve({
      '/': (request, response) =>
        sessions.has(findSession(request.headers.cookie))
          ? response.writeHead(200, { 'content-type': 'text/html' }).end(html('Desk', `<p>Signed in as ana</p>${links}`))
          : response.writeHead(302, { location: '/enter' }).end(),
      ...Object.fromEntries(paths.map((path) => [path, showManual(path)])),
      '/enter': (request, response) => {
        if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(form)
        sessions.add(`s${(signInCount += 1)}`)
        return response.writeHead(302, { location: '/', 'set-cookie': `sid=s${signInCount}; path=/` }).end()
      },
    })
    const session = {
      connection: null,
      script: null,
      form: { url: `${site.origin}/enter`, username: 'ana', password: 'p' },
      mark: null,
    }
    const { pages } = await tryScan(pool, site, { plan: { session, concurrency: 1 } })
    const views = paths.map((path) => pages[path]?.kind === 'completed' && [pages[path].title, pages[path].isProved])
    expect(views).toEqual(paths.map((path) => [`Manual ${path}`, true]))
    expect(signInCount).toBe(2)
    await site.close()
  },
)

test('pages that leave a doubt count as not proved after too many false alarms', { timeout: 60_000 }, async () => {
  const memberPaths = Array.from({ length: 9 }, (_, index) => `/a-desk/${index}`)
  const barePaths = ['salt', 'rope', 'tide', 'gull', 'mast', 'kelp', 'buoy', 'reef', 'dune', 'spit'].map((word) => `/b-${word}`)
  const isMember = (header: string | undefined) => header?.includes('sid=ana') === true
  const show =
    (title: string, body: string): Route =>
    (request, response) =>
      isMember(request.headers.cookie)
        ? response.writeHead(200, { 'content-type': 'text/html' }).end(html(title, body))
        : response.writeHead(302, { location: '/enter' }).end()
  const links = [...memberPaths, ...barePaths].map((path) => `<a href="${path}">${path}</a>`).join('<br>')
  const site = await serve({
    '/': show('Desk', `<p>Signed in as ana</p>${links}`),
    ...Object.fromEntries(memberPaths.map((path) => [path, show(path, '<p>Signed in as ana</p>')])),
    ...Object.fromEntries(barePaths.map((path) => [path, show(path, `<p>About ${path.slice(3)}</p>`)])),
    '/enter': (request, response) =>
      request.method === 'POST'
        ? response.writeHead(302, { location: '/', 'set-cookie': 'sid=ana; path=/' }).end()
        : response.setHeader('content-type', 'text/html').end(form),
  })
  const session = {
    connection: null,
    script: null,
    form: { url: `${site.origin}/enter`, username: 'ana', password: 'p' },
    mark: null,
  }
  const { pages } = await tryScan(pool, site, { plan: { session, concurrency: 1 } })
  const isProved = (path: string) => pages[path]?.kind === 'completed' && pages[path].isProved
  expect(memberPaths.map(isProved)).toEqual(memberPaths.map(() => true))
  // Five doubts are free, and one more for eight pages.
  expect(barePaths.map(isProved)).toEqual(barePaths.map((_, index) => index < 8))
  await site.close()
})
