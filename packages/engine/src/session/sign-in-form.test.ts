/** @module-tag slow */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  buildFormSession,
  describeOutcome,
  html,
  serve,
  tryScan,
  useTestPool,
  type Route,
  type TestSite,
} from '../../test/harness.ts'

// Sign-in by a form without a script, on pages of many kinds.

const pool = useTestPool()
let site: TestSite
let otherSite: TestSite
const attempts: string[] = []
beforeEach(() => {
  for (const list of [attempts, codes]) list.splice(0)
})

const readBody = (request: Parameters<Exclude<Route, string>>[0], use: (body: URLSearchParams) => void) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => use(new URLSearchParams(text)))
}
const form = (fields: string, action = '/enter') => `<form method="post" action="${action}">${fields}<button>Go</button></form>`
const hidden = '<input type="search" aria-label="Search" name="q"> <input type="hidden" name="t" value="1">'
const plain = form('<label>Name <input name="a"></label><label>Word <input type="password" name="b"></label>')

const codeSecret = 'JBSW Y3DP EHPK 3PXP'
const codes: string[] = []
// RFC 6238 by hand, so that the library is compared with something else.
function currentCode(): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', Buffer.from('48656c6c6f21deadbeef', 'hex')).update(counter).digest()
  const code = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7f_ff_ff_ff
  return String(code % 1_000_000).padStart(6, '0')
}
const codeForm = (fields: string) => form(fields, '/enter-with-code')
const askCode =
  (fields: string): Route =>
  (request, response) =>
    request.method === 'POST'
      ? response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(html('Second factor', `<a href="/plain">Sign in</a>${codeForm(fields)}`))
      : response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            html(
              'Plain',
              form('<label>Name <input name="a"></label><label>Word <input type="password" name="b"></label>', request.url),
            ),
          )
const openPages: Record<string, Route> = {
  '/plain': html('Plain', `${hidden}${plain}`),
  '/german': html(
    'Anmeldung',
    form(
      '<input type="hidden" name="removeAttribute"><input type="hidden" name="shadowRoot">Kennung <input id="kennung" name="a"> Kennwort <input type="password" id="k" name="b">',
    ),
  ),
  '/register': html(
    'Both',
    `${form('<label>Email <input type="email" name="x"></label><label>New <input type="password" autocomplete="new-password" name="y"></label>', '/register')}
     ${form('<input autocomplete="username" aria-label="u" name="a"><input type="password" autocomplete="current-password" aria-label="p" name="b">')}`,
  ),
  '/two-steps': html('First', form('<label>User name <input name="a"></label>', '/second')),
  '/second': (request, response) =>
    readBody(request, (body) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          html(
            'Second',
            form(`<input type="hidden" name="a" value="${body.get('a')}"><input type="password" aria-label="Password" name="b">`),
          ),
        ),
    ),
  '/shadow': html(
    'Shadow',
    `<x-form></x-form><script>setTimeout(() => { const root = document.querySelector('x-form').attachShadow({ mode: 'open' })
     root.innerHTML = '${plain.replaceAll("'", '&#39;')}' }, 800)</script>`,
  ),
  '/frame': html('Frame', '<iframe title="Sign in" src="/plain" width="400" height="300"></iframe>'),
  '/scripted': html(
    'Scripted',
    `<button>Help</button> <label>User <input id="u"></label><label>Password <input id="p" type="password"></label>
     <button type="button">Show</button> <button type="button" id="go">Log in</button><script>
     document.getElementById('go').onclick = () => fetch('/enter', { method: 'POST', redirect: 'manual', body: new URLSearchParams({
       a: document.getElementById('u').value, b: document.getElementById('p').value }) }).then(() => { location.href = '/' })</script>`,
  ),
  // The field for the password is there from the beginning, for password managers, but out of sight.
  '/off-screen': html(
    'First',
    form(
      '<label>User name <input name="a"></label><input type="password" name="b" aria-hidden="true" tabindex="-1" style="position:absolute;left:-5000px">',
      '/second',
    ),
  ),
  '/transparent': html(
    'First',
    form(
      '<label>User name <input name="a"></label><input type="password" name="b" aria-label="Password" style="opacity:0">',
      '/second',
    ),
  ),
  // A registration asks for the password twice, whatever the autocomplete tokens say.
  '/register-first': html(
    'Both',
    `${form('<label>Email <input type="email" name="x"></label><label>Password <input type="password" name="y"></label><label>Again <input type="password" name="z"></label>', '/register')}
     ${plain}`,
  ),
  // Without a button that submits the form, the Enter key does nothing.
  '/button-only': html(
    'Button only',
    `<form method="post" action="/enter"><label>Name <input name="a"></label><label>Word <input type="password" name="b"></label>
     <button type="button" id="show">Show</button><div role="button" tabindex="0" id="go">Log in</div></form>
     <script>document.getElementById('go').onclick = () => document.forms[0].submit()</script>`,
  ),
  '/behind-button': html(
    'Club',
    `<p>News of the club</p><input type="search" aria-label="Search"><button>Sign in with Google</button><button id="open">Sign in</button>
     <dialog>${plain}</dialog><script>document.getElementById('open').onclick = () => document.querySelector('dialog').showModal()</script>`,
  ),
  // The link of the head leads to the page itself, as on every page of the site.
  '/two-steps-with-link': html(
    'First',
    `<a href="/two-steps-with-link">Log in</a>${form('<label>User name <input name="a"></label>', '/second')}`,
  ),
  '/behind-link': html('Club', '<p>News of the club, with all dates and photos of the year.</p><a href="/german">Anmelden</a>'),
  '/newsletter': html(
    'Club',
    `${form('<label>Email <input type="email" name="x"></label>', '/register')}<a href="/german">Sign in with email</a>`,
  ),
  '/terms': html(
    'Terms',
    form(
      '<label>Name <input name="a"></label><label>Word <input type="password" name="b"></label><label><input type="checkbox" required name="c"> I accept the terms</label>',
    ),
  ),
  '/empty': html(
    'Empty',
    '<p>This page of the club has news, dates and photos, but nothing that a member could type a name or a word into.</p>',
  ),
  '/code': html(
    'Code',
    form('<label>Name <input name="a"></label><label>Word <input type="password" name="b"></label>', '/ask-code'),
  ),
  '/ask-code': html('Code', form('<label>Verification code <input name="c" autocomplete="one-time-code"></label>')),
  '/authenticator': askCode('<label>Code of your app <input name="c" inputmode="numeric"></label>'),
  '/digits': askCode(
    Array.from({ length: 6 }, (_, index) => `<input name="c" maxlength="1" aria-label="Digit ${index + 1}">`).join(''),
  ),
  '/one-page': html(
    'One page',
    form(
      '<input name="a" aria-label="User"><input type="password" name="b" aria-label="Password"><input name="c" aria-label="OTP">',
      '/enter-with-code',
    ),
  ),
  '/enter-with-code': (request, response) =>
    readBody(request, (body) => {
      const code = body.getAll('c').join('')
      codes.push(code)
      const isRight = code === currentCode() && (body.get('b') ?? 'open sesame') === 'open sesame'
      if (isRight) response.writeHead(302, { location: '/', 'set-cookie': 'member=yes; Path=/' }).end()
      else
        response.writeHead(200, { 'content-type': 'text/html' }).end(html('Code', codeForm('<input name="c" aria-label="Code">')))
    }),
}
const enter: Route = (request, response) =>
  readBody(request, (body) => {
    attempts.push(`${body.get('a')} ${body.get('b')}`)
    const isRight = body.get('a') === 'ali' && body.get('b') === 'open sesame'
    if (isRight) response.writeHead(302, { location: `${site.origin}/stay`, 'set-cookie': 'member=yes; Path=/' }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(html('Plain', `<p role="alert">Wrong</p>${plain}`))
  })
const memberForm =
  '<form><input type="email" required aria-label="Email"><input type="checkbox" required aria-label="I agree"><button>Subscribe</button></form>'
const home: Route = (request, response) => {
  const isMember = request.headers.cookie?.includes('member=yes')
  if (!isMember) return response.writeHead(302, { location: '/plain' }).end()
  return response.writeHead(200, { 'content-type': 'text/html' }).end(html('Members', `<a href="/room">Room</a>${memberForm}`))
}
beforeAll(async () => {
  site = await serve({
    ...openPages,
    '/': home,
    '/room': home,
    '/enter': enter,
    '/stay': html(
      'Stay',
      `<p>Stay signed in?</p><form action="/"><button name="stay" value="yes">Yes</button><button>No</button></form>`,
    ),
  })
  otherSite = await serve({ '/sso': html('SSO', plain.replace('/enter', `${site.origin}/enter`)) })
})
afterAll(async () => void (await Promise.all([site.close(), otherSite.close()])))

const scanWith = (url: string, password = 'open sesame', secret: string | null = null) =>
  tryScan(pool, site, {
    plan: {
      session: buildFormSession(url, { username: 'ali', password, codeSecret: secret }),
    },
  })

test.each([
  '/plain',
  '/german',
  '/register',
  '/register-first',
  '/two-steps',
  '/two-steps-with-link',
  '/off-screen',
  '/transparent',
  '/shadow',
  '/frame',
  '/scripted',
  '/button-only',
  '/behind-button',
  '/behind-link',
  '/newsletter',
  'other host',
])('signs in: %s', async (kind) => {
  const testScan = await scanWith(kind === 'other host' ? `${otherSite.origin}/sso` : `${site.origin}${kind}`)
  expect(testScan.end).toEqual({ kind: 'drained' })
  expect(attempts).toEqual(['ali open sesame'])
  expect(Object.entries(testScan.pages).map(([path, outcome]) => [path, describeOutcome(outcome)])).toEqual([
    ['/', 'completed'],
    ['/room', 'completed'],
  ])
  expect(Object.values(testScan.pages).every((outcome) => outcome.kind === 'completed' && outcome.isProved)).toBe(true)
})

test.each([
  ['/plain', 'close sesame', ['ali close sesame'], 'asks for the password again'],
  ['/two-steps', 'close sesame', ['ali close sesame'], 'asks for the password again'],
  ['/empty', 'open sesame', [], 'No sign-in form was recognized'],
  ['/terms', 'open sesame', [], 'also requires “I accept the terms”'],
  ['/code', 'open sesame', [], 'asks for a one-time code'],
])('says why it cannot sign in, after one attempt: %s with %s', async (path, password, expectedAttempts, reason) => {
  const testScan = await scanWith(`${site.origin}${path}`, password)
  expect(testScan.end).toMatchObject({ kind: 'problem', problem: 'session-failed', detail: expect.stringContaining(reason) })
  expect(JSON.stringify(testScan.end)).not.toContain(password)
  expect(attempts).toEqual(expectedAttempts)
  expect(testScan.pages).toEqual({})
})

test.each(['/authenticator', '/digits', '/one-page'])('types the code of an authenticator app: %s', async (path) => {
  const testScan = await scanWith(`${site.origin}${path}`, 'open sesame', codeSecret)
  expect(testScan.end).toEqual({ kind: 'drained' })
  expect(codes).toHaveLength(1)
  expect(Object.values(testScan.pages).every((outcome) => outcome.kind === 'completed' && outcome.isProved)).toBe(true)
})

test('says that a secret of codes is none, before anything is typed', async () => {
  const testScan = await scanWith(`${site.origin}/authenticator`, 'open sesame', 'not-1890')
  expect(testScan.end).toMatchObject({ problem: 'session-failed', detail: expect.stringContaining('Base32') })
  expect(JSON.stringify(testScan.end)).not.toContain('not-1890')
  expect(codes).toEqual([])
})
