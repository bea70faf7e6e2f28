/** @module-tag slow */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { buildFormSession, html, serve, tryScan, useTestPool, type Route } from '../../test/harness.ts'

// Sessions that a script keeps, and sign-ins on another host: tokens in the storage that work once, and renewals without a form.

const pool = useTestPool()
const paths = ['/', ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `/case/${name}`)]
const readBody = (request: IncomingMessage, use: (body: string) => void) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => use(body))
}
const scanAs = (site: { origin: string }, url: string, password = 'right') =>
  tryScan(pool, site, {
    plan: {
      session: buildFormSession(url, { username: 'eve', password }),
      concurrency: 2,
    },
  })
const listTitles = ({ pages }: Awaited<ReturnType<typeof scanAs>>) =>
  Object.fromEntries(
    Object.entries(pages).map(([path, outcome]) => [
      path,
      outcome.kind === 'completed' ? [outcome.title, outcome.isProved] : outcome.kind,
    ]),
  )
const allCases = Object.fromEntries(paths.map((path) => [path, [`Case ${path}`, true]]))

/** Access tokens live for some requests; a renewal token that is used twice ends the session. */
async function serveStorageApplication(usesPerToken: number) {
  const counts = { signIns: 0, refusals: 0, renewals: 0, reused: 0 }
  const access = new Map<string, { family: number; usesLeft: number }>()
  const renewals = new Map<string, { family: number; isUsed: boolean }>()
  const endedFamilies = new Set<number>()
  const sendJson = (response: ServerResponse, status: number, value: object = {}) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const issue = (family: number) => {
    const number = access.size + 1
    access.set(`a${number}`, { family, usesLeft: usesPerToken })
    renewals.set(`r${number}`, { family, isUsed: false })
    return { access: `a${number}`, renewal: `r${number}` }
  }
  const shell = `<!doctype html><html lang="en"><head><title>…</title></head><body><main id="app"></main><script>
    const read = () => JSON.parse(localStorage.getItem('tokens') ?? 'null')
    const post = (url, value) => fetch(url, { method: 'POST', body: JSON.stringify(value) })
    const showForm = () => { document.title = 'Einloggen'; app.innerHTML = '<h1>Einloggen</h1><label>Name <input id="n"></label><label>Kennwort <input id="k" type="password"></label><button>Los</button>'
      document.querySelector('button').onclick = async () => { const reply = await post('/api/in', { k: k.value }); if (!reply.ok) return showForm(); localStorage.setItem('tokens', JSON.stringify(await reply.json())); show() } }
    async function show(isAgain) {
      const tokens = read(); if (!tokens) return showForm()
      const reply = await fetch('/api/case', { headers: { authorization: tokens.access } })
      if (reply.ok) { document.title = 'Case ' + location.pathname; app.innerHTML = '<h1>Case</h1><p>Eve is here</p>' + (location.pathname === '/' ? ${JSON.stringify(paths.map((path) => `<p><a href="${path}">${path}</a></p>`).join(''))} : ''); return }
      await navigator.locks.request('renew', async () => { if (read()?.access !== tokens.access) return
        const renewed = await post('/api/renew', tokens); if (renewed.ok) localStorage.setItem('tokens', JSON.stringify(await renewed.json())); else localStorage.removeItem('tokens') })
      return isAgain ? showForm() : show(true)
    }
    show()</script></body></html>`
  const site = await serve({
    ...Object.fromEntries(paths.map((path) => [path, shell])),
    '/api/in': (request, response) =>
      readBody(request, (body) => {
        if ((JSON.parse(body) as { k: string }).k !== 'right') return ((counts.refusals += 1), sendJson(response, 401))
        return sendJson(response, 200, issue((counts.signIns += 1)))
      }),
    '/api/case': (request, response) => {
      const token = access.get(request.headers.authorization ?? '')
      if (!token || endedFamilies.has(token.family) || token.usesLeft-- <= 0) return sendJson(response, 401)
      return sendJson(response, 200)
    },
    '/api/renew': (request, response) =>
      readBody(request, (body) => {
        const token = renewals.get((JSON.parse(body) as { renewal: string }).renewal)
        if (!token || endedFamilies.has(token.family)) return sendJson(response, 401)
        if (token.isUsed) {
          counts.reused += 1
          endedFamilies.add(token.family)
          return sendJson(response, 401)
        }
        token.isUsed = true
        counts.renewals += 1
        return sendJson(response, 200, issue(token.family))
      }),
  })
  return { ...site, counts }
}

test('tokens in the storage are renewed by the pages, once each, and no page is lost', { timeout: 60_000 }, async () => {
  const site = await serveStorageApplication(4)
  expect(listTitles(await scanAs(site, `${site.origin}/`))).toEqual(allCases)
  expect(site.counts).toMatchObject({ signIns: 1, refusals: 0, reused: 0 })
  expect(site.counts.renewals).toBeGreaterThan(0)
  const refused = await scanAs(site, `${site.origin}/`, 'wrong')
  expect([refused.end.kind, refused.pages, site.counts.refusals]).toEqual(['problem', {}, 1])
  await site.close()
})

test('a host of its own renews sessions without a form, and no page is lost', { timeout: 60_000 }, async () => {
  const counts = { signIns: 0, silent: 0 }
  const tickets = new Set<string>()
  const sessions = new Map<string, number>()
  const redirect = (response: ServerResponse, location: string, cookie?: string) =>
    response.writeHead(302, { location, ...(cookie ? { 'set-cookie': cookie } : {}) }).end()
  const showCase =
    (path: string): Route =>
    (request, response) => {
      const id = /case=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
      const usesLeft = sessions.get(id) ?? 0
      if (usesLeft <= 0) return redirect(response, `${gate.origin}/start?to=${path}`)
      sessions.set(id, usesLeft - 1)
      response.setHeader('content-type', 'text/html')
      const links = path === '/' ? paths.map((other) => `<p><a href="${other}">${other}</a></p>`).join('') : ''
      return response.end(html(`Case ${path}`, `<p>Eve is here</p>${links}`))
    }
  const site = await serve({
    ...Object.fromEntries(paths.map((path) => [path, showCase(path)])),
    '/back': (request, response) => {
      const { searchParams } = new URL(request.url!, 'http://site')
      if (!tickets.delete(searchParams.get('ticket') ?? '')) return redirect(response, '/')
      sessions.set(`s${sessions.size + 1}`, 3)
      return redirect(response, searchParams.get('to') ?? '/', `case=s${sessions.size}; path=/`)
    },
  })
  const giveTicket = (response: ServerResponse, request: IncomingMessage, cookie?: string) => {
    const ticket = `t${counts.signIns}x${counts.silent}`
    tickets.add(ticket)
    const to = new URL(request.url!, 'http://gate').searchParams.get('to') ?? '/'
    return redirect(response, `${site.origin}/back?ticket=${ticket}&to=${to}`, cookie)
  }
  const gate = await serve({
    '/start': (request, response) => redirect(response, `/choose${new URL(request.url!, 'http://gate').search}`),
    '/choose': (request, response) => {
      if (request.method === 'POST')
        return readBody(request, (body) => {
          if (!body.includes('right')) return redirect(response, '/choose')
          counts.signIns += 1
          return giveTicket(response, request, 'gate=open; path=/')
        })
      if (request.headers.cookie?.includes('gate=open')) {
        counts.silent += 1
        return giveTicket(response, request)
      }
      response.setHeader('content-type', 'text/html')
      return response.end(
        html(
          'Company gate',
          `<form method="post"><label>Name <input name="n"></label><label>Secret <input name="p" type="password"></label><button>In</button></form>`,
        ),
      )
    },
  })
  expect(listTitles(await scanAs(site, `${site.origin}/`))).toEqual(allCases)
  expect(counts.signIns).toBe(1)
  expect(counts.silent).toBeGreaterThan(0)
  await Promise.all([site.close(), gate.close()])
})

test('a session whose cookie is replaced at each visit outlives a tab that is given up', { timeout: 60_000 }, async () => {
  const counts = { signIns: 0, lost: 0 }
  let currentCookie = ''
  const setCookie = (response: ServerResponse) => {
    currentCookie = `c${Math.random().toString(36).slice(2)}`
    response.setHeader('set-cookie', `studio=${currentCookie}; path=/`)
  }
  const show =
    (path: string, body = ''): Route =>
    (request, response) => {
      if (currentCookie === '' || !request.headers.cookie?.includes(`studio=${currentCookie}`)) {
        if (counts.signIns > 0 && request.headers.cookie) counts.lost += 1
        return response.writeHead(302, { location: '/admin/login' }).end()
      }
      setCookie(response)
      const links =
        path === '/' ? ['/case/b-dialogs', ...paths].map((other) => `<p><a href="${other}">${other}</a></p>`).join('') : ''
      return response.setHeader('content-type', 'text/html').end(html(`Case ${path}`, `<p>Eve is here</p>${links}${body}`))
    }
  const site = await serve({
    ...Object.fromEntries(paths.map((path) => [path, show(path)])),
    // Its tab is given up, and the context with it.
    '/case/b-dialogs': show('/case/b-dialogs', '<script>for (;;) alert(1)</script>'),
    '/admin/login': (request, response) => {
      if (request.method !== 'POST')
        return response
          .setHeader('content-type', 'text/html')
          .end(
            html(
              'Sign in',
              '<form method="post"><label>Email <input type="email"></label><input type="password" name="p"><button>Sign in</button></form>',
            ),
          )
      counts.signIns += 1
      setCookie(response)
      return response.writeHead(302, { location: '/' }).end()
    },
  })
  const session = buildFormSession(`${site.origin}/admin/login`, { username: 'eve@example.org', password: 'right' })
  const titles = listTitles(await tryScan(pool, site, { plan: { session, concurrency: 1 } }))
  expect(titles).toEqual({ ...allCases, '/case/b-dialogs': 'failed' })
  expect(counts).toEqual({ signIns: 1, lost: 0 })
  await site.close()
})
