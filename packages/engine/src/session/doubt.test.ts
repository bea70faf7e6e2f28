/** @module-tag slow */
import { expect, test } from 'vitest'
import { buildFormSession, describeOutcome, html, serve, tryScan, useTestPool, type Route } from '../../test/harness.ts'

// Pages that tell nothing about the session: the start page is opened to find out, a few times only.

const pool = useTestPool()
const timeout = 60_000

const form = html(
  'Enter',
  '<form method="post" action="/enter"><label>Name <input name="u"></label><label>Secret <input type="password" name="p"></label><button>Go</button></form>',
)

type Visit = { isMember: boolean; signInCount: number; endSession: () => void }
/** Title and body of a page, or null to lead to the form. */
type Page = readonly [title: string, body: string] | null
/** A page for members only, or what a visit shows. */
type MemberPage = Page | ((visit: Visit) => Page)

/** Serves pages behind a form at `/enter`, which begins a new session each time. */
async function serveMembers(pages: Readonly<Record<string, MemberPage>>) {
  const sessions = new Set<string>()
  const counts = { signIns: 0 }
  const show =
    (page: MemberPage): Route =>
    (request, response) => {
      const id = /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
      const isMember = sessions.has(id)
      const visit = { isMember, signInCount: counts.signIns, endSession: () => void sessions.delete(id) }
      const view = typeof page === 'function' ? page(visit) : isMember ? page : null
      if (view === null) return response.writeHead(302, { location: '/enter' }).end()
      return response.writeHead(200, { 'content-type': 'text/html' }).end(html(...view))
    }
  const enter: Route = (request, response) => {
    if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(form)
    const id = `s${(counts.signIns += 1)}`
    sessions.add(id)
    return response.writeHead(302, { location: '/', 'set-cookie': `sid=${id}; path=/` }).end()
  }
  const routes = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, show(page)]))
  const site = await serve({ ...routes, '/enter': enter })
  return { ...site, counts, plan: { session: buildFormSession(`${site.origin}/enter`), concurrency: 1 } }
}
const buildPages = (paths: readonly string[], buildPage: (path: string) => MemberPage) =>
  Object.fromEntries(paths.map((path) => [path, buildPage(path)]))
const linkTo = (paths: readonly string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join('<br>')
const userLine = '<p>Signed in as ana</p>'

test(
  'the last page that is opened does not count if it ends the session, and pages of their own kind cost little',
  {
    timeout,
  },
  async () => {
    let startViews = 0
    const leaflets = Array.from({ length: 6 }, (_, index) => `/leaflet/${'abcdef'[index]}`)
    const site = await serveMembers({
      '/': ({ isMember }) => {
        if (!isMember) return null
        startViews += 1
        return ['Desk', `${userLine}${linkTo([...leaflets, '/zzz'])}`]
      },
      ...buildPages(leaflets, (path) => [`Leaflet ${path}`, `<p>About ${path}</p><p>Back to the desk</p>`]),
      '/zzz': ({ isMember, endSession }) => {
        endSession()
        return isMember ? ['Bis bald', '<p>Schönen Tag noch</p>'] : null
      },
    })
    const learned: string[] = []
    const onSignOutLearned = async (pattern: string) => void learned.push(pattern.replace(site.origin, ''))
    const first = await tryScan(pool, site, { plan: site.plan, onSignOutLearned })
    expect(learned).toEqual(['/zzz'])
    expect(describeOutcome(first.pages['/zzz'])).toBe('excluded acting-link')
    for (const path of leaflets) expect(first.pages[path]).toMatchObject({ kind: 'completed', isProved: true })
    startViews = 0
    const signOutUrls = [`${site.origin}/zzz`]
    const second = await tryScan(pool, site, { plan: { ...site.plan, signOutUrls }, onSignOutLearned })
    expect(Object.keys(second.pages).length).toBe(leaflets.length + 1)
    // The landing, the proof of the sign-in, the page itself, and at most six doubts.
    expect(startViews).toBeLessThanOrEqual(9)
    await site.close()
  },
)

test('pages that share the navigation of their section leave no doubt', { timeout }, async () => {
  const sections = ['harbour', 'meadow'].map((section) => ({
    paths: Array.from({ length: 9 }, (_, index) => `/${section}/${index}`),
    navigation: ['maps', 'crew', 'tools', 'rules', 'store'].map((name) => `<p>${section} ${name}</p>`).join(''),
  }))
  const site = await serveMembers({
    '/': ['Desk', `<p>Your desk</p>${linkTo(sections.flatMap(({ paths }) => paths))}`],
    ...Object.assign(
      {},
      ...sections.map(({ paths, navigation }) => buildPages(paths, (path) => [path, `${navigation}<p>About ${path}</p>`])),
    ),
  })
  const { pages } = await tryScan(pool, site, { plan: site.plan })
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
  { timeout },
  async (_name, extra) => {
    const navigation = Array.from({ length: 16 }, (_, index) => `<p>Chapter on ${'abcdefghijklmnop'[index]}</p>`).join('')
    const paths = Array.from({ length: 8 }, (_, index) => `/manual/${'abcdefgh'[index]}`)
    const site = await serveMembers({
      '/': ['Desk', `${userLine}${linkTo(paths)}`],
      ...buildPages(paths, (path) => ({ isMember, signInCount, endSession }) => {
        // The session ends behind the fourth page, once.
        if (path === paths[3] && signInCount === 1) endSession()
        return [isMember ? `Manual ${path}` : 'Enter', `${navigation}<p>About ${path}</p>${isMember ? userLine : extra}`]
      }),
    })
    const { pages } = await tryScan(pool, site, { plan: site.plan })
    const views = paths.map((path) => pages[path]?.kind === 'completed' && [pages[path].title, pages[path].isProved])
    expect(views).toEqual(paths.map((path) => [`Manual ${path}`, true]))
    expect(site.counts.signIns).toBe(2)
    await site.close()
  },
)

test('pages that leave a doubt count as not proved after too many false alarms', { timeout }, async () => {
  const memberPaths = Array.from({ length: 9 }, (_, index) => `/a-desk/${index}`)
  const barePaths = ['salt', 'rope', 'tide', 'gull', 'mast', 'kelp', 'buoy', 'reef', 'dune', 'spit'].map((word) => `/b-${word}`)
  const site = await serveMembers({
    '/': ['Desk', `${userLine}${linkTo([...memberPaths, ...barePaths])}`],
    ...buildPages(memberPaths, (path) => [path, userLine]),
    ...buildPages(barePaths, (path) => [path, `<p>About ${path.slice(3)}</p>`]),
  })
  const { pages } = await tryScan(pool, site, { plan: site.plan })
  const isProved = (path: string) => pages[path]?.kind === 'completed' && pages[path].isProved
  expect(memberPaths.map(isProved)).toEqual(memberPaths.map(() => true))
  // Five doubts are free, and one more for eight pages.
  expect(barePaths.map(isProved)).toEqual(barePaths.map((_, index) => index < 8))
  await site.close()
})
