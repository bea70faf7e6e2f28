import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A site of five pages with known faults, and walls in front of it: everything that swallows content without an error.

export const walledPaths = ['/', '/boats', '/times', '/prices', '/islands']

type Served = { path: string; cookie: string; respond: (status: number, body: string, headers?: Record<string, string>) => void }
/** Attributes of the content and further markup, or null if the response was sent. */
type Wall = (served: Served) => { main?: string; after?: string } | null

const buildDocument = (title: string, body: string, { main = '', after = '' } = {}) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body><main ${main}>${body}</main>${after}</body></html>`

const getName = (path: string) => (path === '/' ? 'Harbor' : path.slice(1))
const buildNav = () =>
  `<nav aria-label="Site"><ul>${walledPaths.map((target) => `<li><a href="${target}">Go to ${target.slice(1) || 'start'}</a></li>`).join('')}</ul></nav>`
const buildContent = (path: string) => {
  const name = getName(path)
  return `<h1>All about ${name}</h1>${buildNav()}
<p>${`The ${name} of the bay: ferries leave twice a day, in winter once, and take bicycles along. `.repeat(4)}</p>
<p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" width="40" height="40"></p>`
}

const buildDialog = (markup: string) =>
  `<div role="dialog" aria-modal="true" aria-label="Privacy" style="position:fixed;bottom:0;left:0;right:0;background:#fff">${markup}</div>`
const consentMarkup =
  '<h2>Your privacy</h2><p>We use cookies.</p><button type="button">Refuse all</button><button type="button">Accept all</button>'
const respondAlways =
  (title: string, body: string, after = ''): Wall =>
  ({ respond }) => {
    respond(200, buildDocument(title, body, { after }))
    return null
  }

export const walls = {
  'modal dialog': () => ({
    after: `<dialog id="d" aria-label="Privacy">${consentMarkup}</dialog><script>d.showModal()</script>`,
  }),
  'inert content': () => ({ main: 'inert', after: buildDialog(consentMarkup) }),
  'content hidden from assistive technology': () => ({ main: 'aria-hidden="true"', after: buildDialog(consentMarkup) }),
  'content not displayed': () => ({ main: 'style="display:none"', after: buildDialog(consentMarkup) }),
  'dialog in a frame': ({ path, respond }) => {
    if (path === '/cmp') return (respond(200, buildDocument('Privacy', consentMarkup)), null)
    return {
      main: 'inert',
      after: '<iframe title="Privacy" src="/cmp" style="position:fixed;inset:0;width:100%;height:100%;background:#fff"></iframe>',
    }
  },
  'dialog in a closed root': () => ({
    main: 'inert',
    after: `<div id="h"></div><script>h.attachShadow({ mode: 'closed' }).innerHTML = ${JSON.stringify(buildDialog(consentMarkup))}</script>`,
  }),
  'content after consent': respondAlways('Harbor', '', buildDialog(consentMarkup)),
  'redirect to a consent page': ({ path, respond }) => {
    if (path === '/consent') respond(200, buildDocument('Your choice', consentMarkup))
    else respond(302, '', { location: `/consent?return=${path}` })
    return null
  },
  'redirect to a consent page by a script': ({ path, respond }) => {
    if (path === '/consent/choice') respond(200, buildDocument('Your choice', consentMarkup))
    else
      respond(
        200,
        buildDocument('Redirecting', '', { after: `<script>location.replace('/consent/choice?return=${path}')</script>` }),
      )
    return null
  },
  'an empty page': respondAlways('', ''),
  'an empty page with status 202': ({ respond }) => {
    respond(202, buildDocument('', ''))
    return null
  },
  'challenge with 200': respondAlways('Just a moment...', '<h1>example.org</h1><p>Verifying you are human</p>'),
  captcha: respondAlways(
    'Access check',
    '<h1>Are you a robot?</h1><form><label>Letters <input></label><button>Go</button></form>',
  ),
  maintenance: respondAlways('Maintenance', '<h1>We will be right back</h1>'),
  'update your browser': respondAlways('Please update your browser', '<h1>Please update your browser</h1>'),
  'default page of a server': respondAlways(
    'Welcome!',
    '<h1>Welcome to the server!</h1><p>Further configuration is required.</p>',
  ),
  'a refusal that names the address': ({ path, respond }) => {
    const name = `<p>You may not open ${path} from here. Reference ${path.length * 317}.</p>`
    respond(200, buildDocument('Access denied', `<h1>Access denied</h1>${name}`))
    return null
  },
  'interface down': ({ path, respond }) => {
    if (path === '/api') respond(500, '')
    else
      respond(
        200,
        buildDocument(
          'Harbor',
          '<div id="app"></div><script>fetch("/api").then((r) => { if (!r.ok) throw 0 }).catch(() => { app.innerHTML = "<h1>Something went wrong</h1><p>Please try again later.</p>" })</script>',
        ),
      )
    return null
  },
} satisfies Record<string, Wall>

/** Walls that come in place of content that was seen before. */
export const laterWalls = {
  'an error within the layout': ({ path, respond }) => {
    const error = '<div role="alert"><h2>Oops! Something went wrong.</h2><p>Reference 8f3a2b</p><button>Try again</button></div>'
    respond(200, buildDocument(getName(path), buildNav() + error))
    return null
  },
  'an empty page within the layout': ({ path, respond }) => {
    respond(200, buildDocument(getName(path), `<h1>All about ${getName(path)}</h1>${buildNav()}`))
    return null
  },
  'a teaser': ({ path, respond }) => {
    const plans =
      '<h2>Subscribe to read on</h2><p>Choose a plan from 9.99 a month. You may cancel whenever you like, without any reason, and keep what was paid for until its last day, on every device. Students read for half of that price.</p><button>Subscribe</button>'
    respond(200, buildDocument(getName(path), `<h1>${getName(path)}</h1>${buildNav()}<p>Read on…</p>${plans}`))
    return null
  },
  'a queue': ({ path, respond }) => {
    respond(200, buildDocument('Waiting room', `<h1>You are number ${300 + path.length} in line</h1><p>Please wait.</p>`))
    return null
  },
  'a blank page': respondAlways('Harbor', ''),
  'a choice of languages': () => ({
    after:
      '<dialog id="d" aria-label="Language"><button>English</button><button>Deutsch</button></dialog><script>d.showModal()</script>',
  }),
} satisfies Record<string, Wall>

/** Walls in front of some pages of a run. */
export const partialWalls = {
  /** The counter belongs to one run. */
  'a captcha after three pages': (): Wall => {
    let documentCount = 0
    return (served) => {
      if (!walledPaths.includes(served.path)) return {}
      documentCount += 1
      return documentCount <= 3 ? {} : walls.captcha(served)
    }
  },
  'dead links that answer 200': (): Wall => (served) => {
    if (!served.path.startsWith('/dead')) return { after: served.path === '/' ? deadLinks : '' }
    served.respond(200, buildDocument('Not found', '<h1>Page not found</h1>'))
    return null
  },
} satisfies Record<string, () => Wall>
const deadLinks = `<nav aria-label="Old"><ul>${[1, 2, 3].map((number) => `<li><a href="/dead${number}">Old ${number}</a></li>`).join('')}</ul></nav>`

const longText = (seed: string, length = 6) =>
  `<p>${`${seed} of the coast, told by those who sail along it every day. `.repeat(length)}</p>`
/** Pages that look like walls to one signal or another, and are none. */
export const harmless = {
  'maintenance that is announced': () => ({
    after: '<p role="status">Maintenance on Sunday from 2 to 4: some services are down.</p>',
  }),
  'a carousel': () => ({
    after: `<section aria-label="Pictures" style="width:300px;overflow:hidden;display:flex">${['Sun', 'Rain', 'Fog', 'Snow']
      .map(
        (name, number) =>
          `<div style="flex:0 0 300px" ${number ? 'aria-hidden="true"' : ''}><h2>${name}</h2>${longText(name, 10)}</div>`,
      )
      .join('')}</section>`,
  }),
  'a window-filling application': () => ({
    after: `<div style="position:fixed;inset:0;background:#fff;overflow:auto"><h2>Chart</h2><button type="button">Zoom in</button>${longText('Depths')}</div>`,
  }),
  'a chat': () => ({
    after: `<div role="dialog" aria-label="Chat" style="position:fixed;right:0;bottom:0;width:200px;background:#fff"><p>May we help you?</p><button type="button">Yes</button></div>`,
  }),
  'a newsletter that comes late': () => ({
    after: `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-label="Newsletter" style="position:fixed;inset:30%;background:#fff"><p>News of the bay?</p><button type="button">No thanks</button></div>'), 3000)</script>`,
  }),
  'a banner that hides its details': () => ({
    after: `${buildDialog(consentMarkup).replace('aria-modal="true"', '')}<div style="display:none"><h2>Services</h2>${longText('Cookies', 20)}</div>`,
  }),
  'icons hidden from assistive technology': () => ({
    after: `<p>${'<span aria-hidden="true">arrow_forward keyboard_arrow_down more_horiz </span>'.repeat(60)}</p>`,
  }),
  'statistics that fail': ({ path, respond }) => {
    if (path === '/statistics') return (respond(500, ''), null)
    return { after: '<script>fetch("/statistics").catch(() => {})</script>' }
  },
  'short pages': ({ path, respond }) => {
    respond(
      200,
      buildDocument(
        `Short ${path}`,
        `<h1>${path.slice(1) || 'start'}</h1><p>${walledPaths.map((to) => `<a href="${to}">${to}</a>`).join(' ')}</p>`,
      ),
    )
    return null
  },
  'numbered pages with a link': ({ path, respond }) => {
    if (!walledPaths.includes(path)) return {}
    const number = walledPaths.indexOf(path)
    respond(
      200,
      buildDocument(
        'Timetable',
        `<h1>Timetable</h1><p>${number + 1}/2026: none. <a href="${walledPaths[number + 1] ?? '/'}">Next</a></p>`,
      ),
    )
    return null
  },
  'numbered pages without a link': ({ path, respond }) => {
    if (path === '/' || !walledPaths.includes(path)) return {}
    const number = 4711 + walledPaths.indexOf(path)
    respond(200, buildDocument(`Certificate ${number}`, `<h1>Certificate ${number}</h1><p>Boat ${number * 3} is safe.</p>`))
    return null
  },
  'tables of numbers without a link': ({ path, respond }) => {
    if (path === '/' || !walledPaths.includes(path)) return {}
    const number = walledPaths.indexOf(path)
    respond(200, buildDocument('Tides', `<h1>Tides</h1><table><tr><th>High</th><td>${number + 310}</td></tr></table>`))
    return null
  },
  'copies under other queries': ({ respond }) => {
    respond(
      200,
      buildDocument('Start', `<h1>Start</h1><p><a href="/?sort=a">A</a> <a href="/?sort=b">B</a> <a href="/?sort=c">C</a></p>`),
    )
    return null
  },
} satisfies Record<string, Wall>

export type WalledSite = {
  origin: string
  /** Puts a wall, a harmless change or nothing in front of the content. */
  setWall(wall: Wall | null): void
  close(): Promise<void>
}

/** Serves the site of five pages on this machine. */
export async function serveWalledSite(): Promise<WalledSite> {
  let currentWall: Wall | null = null
  const server = createServer((request, response: ServerResponse) => {
    const { pathname: path } = new URL(request.url ?? '/', 'http://site')
    const respond: Served['respond'] = (status, body, headers = {}) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...headers })
      response.end(body)
    }
    if (path === '/robots.txt' || path === '/favicon.ico') return respond(404, '')
    const front = currentWall ? currentWall({ path, cookie: request.headers.cookie ?? '', respond }) : {}
    if (front === null) return
    if (!walledPaths.includes(path)) return respond(404, buildDocument('Not found', '<h1>Not found</h1>'))
    respond(200, buildDocument(path === '/' ? 'Harbor' : path.slice(1), buildContent(path), front))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setWall: (wall) => (currentWall = wall),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
