/** @module-tag slow */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { buildFormSession, describeOutcome, html, serve, tryScan, useTestPool, type TestScan } from '../../test/harness.ts'

// Sites that end a session in mid-run, each in its own way: no page is lost, and no page that asks for a password counts.

const pool = useTestPool()

const password = 'right'
const pageCount = 3
const paths = ['/', ...Array.from({ length: pageCount }, (_, index) => `/desk/${index}`)]

const form = (notice = '') =>
  `${notice}<form method="post" action="/enter"><label>Name <input name="n"></label><label>Secret <input type="password" name="p"></label><button>Go</button></form>`
const send = (response: ServerResponse, title: string, body: string, status = 200) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end(html(title, body))

type Refusal = (response: ServerResponse, request: IncomingMessage) => void
/** Replies of a site to requests without a session. */
const refusals: Record<string, Refusal> = {
  'leads to its sign-in page': (response) => response.writeHead(302, { location: '/enter' }).end(),
  'leads to its sign-in page with the address to return to': (response, request) =>
    response.writeHead(302, { location: `/enter?next=${encodeURIComponent(request.url!)}` }).end(),
  'says in a page of its own that the session has ended': (response) =>
    send(response, 'Session over', '<p>You were away for too long.</p><a href="/enter">Enter again</a>'),
  'shows the form in place': (response) => send(response, 'Enter', form()),
  'shows the form in place, with an error': (response) => send(response, 'Enter', form(), 401),
  'refuses the page': (response) => send(response, 'Forbidden', '<p>Only for members.</p>', 403),
  'refuses each page by its name': (response, { url }) => send(response, 'Forbidden', `<p>${url} is for members.</p>`, 403),
  'hides the page': (response, { url }) => send(response, 'Nothing here', `<p>There is no ${url}.</p>`, 404),
  'asks under the title of the page to sign in': (response, { url }) =>
    send(response, `Desk ${url}`, `<p>To see ${url}, <a href="/enter">enter</a>.</p>`),
  'leads to a farewell': (response, { url }) => response.writeHead(303, { location: `/farewell?from=${url}` }).end(),
  'leads there by a refresh': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', refresh: '0; url=/enter' })
      .end(html('Un momento', '<p>Se le redirige.</p>')),
  'leads to a form with an address of its own': (response, { url }) =>
    response.writeHead(307, { location: `/enter/${url!.length}${Date.now()}` }).end(),
  'shows the form in a frame': (response, { url }) =>
    send(response, `Portail ${url}`, '<p>Votre session a expiré.</p><iframe title="Connexion" src="/enter"></iframe>'),
  'shows another form, by the name of the page': (response, { url }) =>
    send(response, `Sitzung für ${url}`, form(`<p>${url}</p>`)),
  'leads there by a script': (response) => send(response, 'Wait', '<script>location.replace("/enter")</script>'),
}

type Office = { refuse: Refusal; usesPerSession?: number; isSingle?: boolean; asksHuman?: boolean; locksAfter?: number }
async function serveOffice({ refuse, usesPerSession = Infinity, isSingle, asksHuman, locksAfter = Infinity }: Office) {
  const sessions = new Map<string, number>()
  const counts = { signIns: 0, wrong: 0 }
  const enter = (body: string, response: ServerResponse) => {
    if (counts.wrong >= locksAfter) return send(response, 'Locked', '<p>Your account is locked.</p>')
    if (asksHuman && counts.signIns > 0) return send(response, 'Enter', form('<p>Type what you hear.</p>'))
    if (new URLSearchParams(body).get('p') !== password) {
      counts.wrong += 1
      return send(response, 'Enter', form('<p role="alert">This is not right.</p>'))
    }
    counts.signIns += 1
    if (isSingle) sessions.clear()
    sessions.set(`k${counts.signIns}`, usesPerSession)
    return response.writeHead(302, { location: '/', 'set-cookie': `key=k${counts.signIns}; path=/` }).end()
  }
  const showDesk = (request: IncomingMessage, response: ServerResponse) => {
    const key = /key=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const usesLeft = sessions.get(key) ?? 0
    if (usesLeft <= 0) return refuse(response, request)
    sessions.set(key, usesLeft - 1)
    const links = request.url === '/' ? paths.map((path) => `<a href="${path}">${path}</a>`).join(' ') : ''
    return send(response, `Desk ${request.url}`, `<p>Signed in as n.</p>${links}`)
  }
  const routes = Object.fromEntries(paths.map((path) => [path, showDesk]))
  const site = await serve({
    ...routes,
    '/farewell': html('Good bye', '<p>See you soon.</p>'),
    '/enter': (request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => (request.method === 'POST' ? enter(body, response) : send(response, 'Enter', form())))
    },
  })
  const [handleKnown] = site.server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  site.server.removeAllListeners('request')
  site.server.on('request', (request, response) =>
    request.url?.startsWith('/enter/') ? send(response, 'Enter', form()) : handleKnown!(request, response),
  )
  return { ...site, counts }
}

const buildSession = (origin: string, usedPassword = password) =>
  buildFormSession(`${origin}/enter`, { username: 'n', password: usedPassword })
const listFates = ({ pages }: TestScan) =>
  Object.fromEntries(
    Object.entries(pages).map(([path, outcome]) => [
      path,
      outcome.kind === 'completed' ? [outcome.title, outcome.isProved] : describeOutcome(outcome),
    ]),
  )
const allProved = Object.fromEntries(paths.map((path) => [path, [`Desk ${path}`, true]]))

test.concurrent.for(Object.entries(refusals))(
  'a site that %s loses no page',
  { timeout: 90_000 },
  async ([, refuse], { expect }) => {
    const office = await serveOffice({ refuse, usesPerSession: 5 })
    const testScan = await tryScan(pool, office, { plan: { session: buildSession(office.origin), concurrency: 3 } })
    expect(listFates(testScan)).toEqual(allProved)
    expect(office.counts.signIns).toBeGreaterThan(1)
    expect(office.counts.wrong).toBe(0)
    await office.close()
  },
)

test('a site with one session for each person gets one sign-in', { timeout: 60_000 }, async () => {
  const office = await serveOffice({ refuse: refusals['shows the form in place']!, isSingle: true })
  const testScan = await tryScan(pool, office, { plan: { session: buildSession(office.origin), concurrency: 3 } })
  expect(listFates(testScan)).toEqual(allProved)
  expect(office.counts.signIns).toBe(1)
  await office.close()
})

test('a site that asks for a person at the second sign-in keeps what was proved', { timeout: 60_000 }, async () => {
  const office = await serveOffice({
    refuse: refusals['leads to its sign-in page']!,
    usesPerSession: 5,
    asksHuman: true,
  })
  const testScan = await tryScan(pool, office, { plan: { session: buildSession(office.origin), concurrency: 1 } })
  const fates = Object.values(listFates(testScan))
  expect(fates.filter((fate) => typeof fate !== 'string').every((fate) => fate[1] === true)).toBe(true)
  expect(fates.filter((fate) => typeof fate !== 'string').length).toBeGreaterThanOrEqual(3)
  expect(new Set(fates.filter((fate) => typeof fate === 'string'))).toEqual(new Set(['failed authentication']))
  expect(fates.length).toBe(paths.length)
  await office.close()
})

test('a wrong password is tried once, also on a site that locks accounts', { timeout: 60_000 }, async () => {
  const office = await serveOffice({ refuse: refusals['leads to its sign-in page']!, locksAfter: 1 })
  const plan = { session: buildSession(office.origin, 'wrong'), concurrency: 3 }
  const testScan = await tryScan(pool, office, { plan })
  expect(office.counts).toEqual({ signIns: 0, wrong: 1 })
  expect(Object.values(listFates(testScan)).filter((fate) => typeof fate !== 'string')).toEqual([])
  expect(testScan.end).toMatchObject({ kind: 'problem', problem: 'session-failed' })
  await office.close()
})
