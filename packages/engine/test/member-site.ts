import type { IncomingMessage, ServerResponse } from 'node:http'
import { html, serve, type TestSite } from './harness.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Response of the site to a request without a session. */
export type GateKind = 'redirect' | 'other-host' | 'notice' | 'form-in-place' | 'unauthorized'

export type MemberSite = TestSite & {
  /** Requests for pages of members that were answered with the page, by path. */
  served: string[]
  counts: { signIns: number; refusals: number }
  /** A script that signs in with the given password. */
  buildScript: (password?: string) => { name: string; text: string; variables: { name: string; value: string }[] }
}

const memberPaths = Array.from({ length: 5 }, (_, index) => `/room/${index}`)
const signInForm = (message: string) =>
  `${message && `<p role="alert">${message}</p>`}<form method="post" action="/login"><label>Name <input name="who"></label>
   <label>Secret <input type="password" name="secret"></label><button>Enter</button></form>`

/** Most pages have a frame, and some a field named like a property. */
const furniture =
  '<iframe title="Weather" srcdoc="<p>Sunny</p>"></iframe><form name="nodeType"><input type="hidden" name="shadowRoot"></form>'
const write = (response: ServerResponse, status: number, title: string, body: string) =>
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html(title, `${body}${furniture}`))

const buildGates = (getGateOrigin: () => string): Record<GateKind, Handler> => ({
  redirect: (_, response) => response.writeHead(302, { location: '/login?from=here' }).end(),
  'other-host': (_, response) => response.writeHead(302, { location: `${getGateOrigin()}/gate` }).end(),
  notice: (_, response) => write(response, 200, 'Session over', '<p>Time is up.</p><a href="/login">Enter again</a>'),
  'form-in-place': (_, response) => write(response, 200, 'Enter', signInForm('')),
  unauthorized: (_, response) => write(response, 401, 'Unauthorized', signInForm('')),
})

const buildScript = (signInUrl: string, password: string) => ({
  name: 's',
  text: JSON.stringify({
    projects: [
      {
        name: 's',
        id: 's',
        pageList: [
          {
            name: 'Enter',
            url: signInUrl,
            actions: [
              'type "ali" into element "input[name=who]"',
              'type "<SECRET>" into element "input[name=secret]"',
              'click element "button"',
            ],
          },
        ],
      },
    ],
  }),
  variables: [{ name: 'SECRET', value: password }],
})

/**
 * Starts a site for members with sessions that end after a number of pages.
 * @param pagesPerSession pages that a session lives for
 */
export async function serveMemberSite(gateKind: GateKind, pagesPerSession = Infinity): Promise<MemberSite> {
  const sessions = new Map<string, number>()
  const served: string[] = []
  const counts = { signIns: 0, refusals: 0 }
  const gates = buildGates(() => gateSite.origin)
  const servePage =
    (path: string): Handler =>
    (request, response) => {
      const sessionId = /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
      const pagesLeft = sessions.get(sessionId) ?? 0
      if (pagesLeft <= 0) return gates[gateKind](request, response)
      sessions.set(sessionId, pagesLeft - 1)
      served.push(path)
      return write(
        response,
        200,
        `Members ${path}`,
        `<p>Welcome</p>${path === '/' ? memberPaths.map((one) => `<a href="${one}">${one}</a>`).join(' ') : ''}`,
      )
    }
  const enter: Handler = (request, response) => {
    if (request.method !== 'POST') return write(response, 200, 'Enter', signInForm(''))
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      if (new URLSearchParams(body).get('secret') !== 'open sesame') {
        counts.refusals += 1
        return write(response, 200, 'Enter', signInForm('Wrong secret'))
      }
      counts.signIns += 1
      sessions.set(`s${counts.signIns}`, pagesPerSession)
      return response.writeHead(302, { location: '/', 'set-cookie': `sid=s${counts.signIns}; HttpOnly; Path=/` }).end()
    })
    return undefined
  }
  const site = await serve({
    '/': servePage('/'),
    ...Object.fromEntries(memberPaths.map((path) => [path, servePage(path)])),
    '/login': enter,
  })
  const gateSite = await serve({
    '/gate': html(
      'Gate',
      `<form method="post" action="${site.origin}/login"><label>Name <input name="who"></label>
      <label>Secret <input type="password" name="secret"></label><button>Enter</button></form>`,
    ),
  })
  const signInUrl = gateKind === 'other-host' ? `${gateSite.origin}/gate` : `${site.origin}/login`
  return {
    ...site,
    served,
    counts,
    buildScript: (password = 'open sesame') => buildScript(signInUrl, password),
    close: async () => {
      await Promise.all([site.close(), gateSite.close()])
    },
  }
}
