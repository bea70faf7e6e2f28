import { html, serve, type Route, type TestSite } from './harness.ts'

/** What the site does with a request without a session. */
export type GateKind = 'redirect' | 'other-host' | 'notice' | 'form-in-place' | 'unauthorized'

export type MemberSite = TestSite & {
  /** Requests for pages of members that were answered with the page, by path. */
  served: string[]
  counts: { signIns: number; refusals: number }
  /** A script that signs in with the given password. */
  buildScript: (password?: string) => { name: string; text: string; variables: { name: string; value: string }[] }
}

const memberPaths = Array.from({ length: 8 }, (_, index) => `/room/${index}`)
const signInForm = (message: string) =>
  `${message && `<p role="alert">${message}</p>`}<form method="post" action="/enter"><label>Name <input name="who"></label>
   <label>Secret <input type="password" name="secret"></label><button>Enter</button></form>`

/**
 * Starts a site for members with sessions that end after a number of pages.
 * @param pagesPerSession pages that a session lives for
 */
export async function serveMemberSite(gateKind: GateKind, pagesPerSession = Infinity): Promise<MemberSite> {
  const sessions = new Map<string, number>()
  const served: string[] = []
  const counts = { signIns: 0, refusals: 0 }
  const write = (response: Parameters<Route & ((...args: never[]) => unknown)>[1], status: number, title: string, body: string) =>
    (response as { writeHead: (status: number, headers: object) => { end: (text: string) => void } })
      .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
      .end(html(title, body))
  const gates: Record<GateKind, Route> = {
    redirect: (_, response) => response.writeHead(302, { location: '/enter?from=here' }).end(),
    'other-host': (_, response) => response.writeHead(302, { location: `${gateSite.origin}/gate` }).end(),
    notice: (_, response) => write(response, 200, 'Session over', '<p>Time is up.</p><a href="/enter">Enter again</a>'),
    'form-in-place': (_, response) => write(response, 200, 'Enter', signInForm('')),
    unauthorized: (_, response) => write(response, 401, 'Unauthorized', signInForm('')),
  }
  const servePage =
    (path: string): Route =>
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
  const enter: Route = (request, response) => {
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
    '/enter': enter,
  })
  const gateSite = await serve({
    '/gate': html(
      'Gate',
      `<form method="post" action="${site.origin}/enter"><label>Name <input name="who"></label>
      <label>Secret <input type="password" name="secret"></label><button>Enter</button></form>`,
    ),
  })
  const signInUrl = gateKind === 'other-host' ? `${gateSite.origin}/gate` : `${site.origin}/enter`
  return {
    ...site,
    served,
    counts,
    buildScript: (password = 'open sesame') => ({
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
    }),
    close: async () => {
      await Promise.all([site.close(), gateSite.close()])
    },
  }
}
