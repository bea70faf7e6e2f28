/** @module-tag slow */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildTestPlan, html, serve, useTestPool, type Route, type TestSite } from '../../test/harness.ts'
import type { PlannedSession } from '../settings.ts'
import { trySignIn } from './try-sign-in.ts'

// Sign-ins as the person who sets them up sees them.

const pool = useTestPool()
let site: TestSite
let attemptCount = 0
beforeEach(() => void (attemptCount = 0))

const door = html(
  'Door',
  '<form method="post" action="/door"><label>User <input name="a"></label><label>Password <input type="password" name="b"></label><button>In</button></form>',
)
const isMember: (request: Parameters<Exclude<Route, string>>[0]) => boolean = (request) =>
  request.headers.cookie?.includes('in=1') === true
const send = (
  response: Parameters<Exclude<Route, string>>[1],
  status: number,
  body: string,
  headers: Record<string, string> = {},
) => response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
const routes: Record<string, Route> = {
  '/': (request, response) =>
    isMember(request)
      ? send(response, 200, html('Rooms', '<p>News</p><p>Hello ali</p><a href="/bye">Abmelden</a>'))
      : send(response, 200, html('Rooms', '<p>News</p><a href="/door">Enter</a>')),
  '/same': html('Same', '<p>For all</p>'),
  '/busy': (request, response) =>
    send(
      response,
      200,
      isMember(request)
        ? html('Desk', `<p>Hello ali</p><script>fetch('/note?key=1', { method: 'POST' }).catch(() => {})</script>`)
        : html('Desk', '<p>For members</p>'),
    ),
  '/door': (request, response) => {
    if (request.method !== 'POST') return send(response, 200, door)
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      attemptCount += 1
      if (body === 'a=ali&b=open+sesame') send(response, 302, '', { location: '/', 'set-cookie': 'in=1; Path=/' })
      else send(response, 200, door)
    })
  },
  '/basic': (request, response) => {
    const [, encoded = ''] = (request.headers.authorization ?? '').split(' ')
    if (encoded !== '') attemptCount += 1
    if (Buffer.from(encoded, 'base64').toString() === 'ali:open sesame') send(response, 200, html('Vault', '<p>Gold</p>'))
    else send(response, 401, html('Stop', '<p>Who are you?</p>'), { 'www-authenticate': 'Basic realm="x"' })
  },
}
beforeAll(async () => {
  site = await serve(routes)
})
afterAll(() => site.close())

const tryWith = (path: string, session: Partial<PlannedSession>) =>
  trySignIn(
    { pool },
    buildTestPlan(site, { urls: [path], plan: { session: { connection: null, script: null, mark: null, ...session } } }),
    new AbortController().signal,
  )
const form = (password: string) => ({ form: { url: `${site.origin}/door`, username: 'ali', password } })
const basic = (password: string) => ({ connection: { authType: 'basic' as const, username: 'ali', password } })

test('shows both start pages and what only the signed-in one has', async () => {
  const result = await tryWith('/', form('open sesame'))
  expect(result).toMatchObject({
    kind: 'signed-in',
    signedInAs: 'ali',
    memberTexts: ['Hello ali', 'Abmelden'],
    changingRequests: [],
    visitorPage: { title: 'Rooms', status: 200 },
    memberPage: { title: 'Rooms', status: 200 },
  })
  if (result.kind !== 'signed-in' && result.kind !== 'unproved') throw new Error(result.kind)
  const { visitorPage, memberPage } = result
  for (const { screenshot } of [visitorPage, memberPage])
    expect(Buffer.from(screenshot!).subarray(0, 2).toString('hex')).toBe('ffd8')
  expect(Buffer.compare(visitorPage.screenshot!, memberPage.screenshot!)).not.toBe(0)
  expect(attemptCount).toBe(1)
})

test('lists the requests of the start page that may change something', async () => {
  expect(await tryWith('/busy', form('open sesame'))).toMatchObject({
    kind: 'signed-in',
    changingRequests: [{ method: 'POST', address: `${site.origin}/note`, count: 1, held: 0 }],
  })
})

test('says that a start page looks the same with the session', async () => {
  expect(await tryWith('/same', form('open sesame'))).toMatchObject({ kind: 'unproved', memberTexts: [] })
})

test('shows the page that refused the password, which is sent once', async () => {
  const result = await tryWith('/', form('close sesame'))
  expect(result).toMatchObject({
    kind: 'refused',
    detail: 'The site asks for the password again',
    lastPage: { title: 'Door', url: `${site.origin}/door` },
  })
  expect((result as { lastPage: { screenshot: unknown } }).lastPage.screenshot).toBeInstanceOf(Uint8Array)
  expect(JSON.stringify({ ...result, lastPage: null })).not.toContain('close sesame')
  expect(attemptCount).toBe(1)
})

test('asks the site whether it accepts Basic credentials', async () => {
  expect(await tryWith('/basic', basic('open sesame'))).toMatchObject({
    kind: 'signed-in',
    signedInAs: null,
    memberTexts: ['Vault', 'Gold'],
    visitorPage: { status: 401 },
    memberPage: { status: 200 },
  })
  expect(await tryWith('/basic', basic('close sesame'))).toMatchObject({
    kind: 'refused',
    detail: expect.stringContaining('401'),
  })
})
