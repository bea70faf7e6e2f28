import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  html,
  poolOfFile,
  rulesOf,
  serve,
  tryScan,
  type Route,
  type TestScan,
  type TestSite,
} from '../../test/harness.ts'

// Frames that hold no content of the page: what a browser or the guard shows in their place is nobody's fault.

const sending =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(body)
const pixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
const fault = '<img src="data:,">'
const far = '<div style="height:20000px"></div>'
/** A document whose landmarks have names of their own: they are part of one page. */
const framed = (name: string, body: string) => html(name, body).replace('<main', `<main aria-label="${name}"`)
const busy = `<script>onload = () => {
  const { port1, port2 } = new MessageChannel()
  let times = 0
  port1.onmessage = () => {
    const end = performance.now() + 150
    while (performance.now() < end);
    if (++times < 4) port2.postMessage('')
  }
  port2.postMessage('')
}</script>`
let frames = 0
let counted = 0
const frame = (src: string, more = '') => `<iframe title="Frame ${++frames}" src="${src}" ${more}></iframe>`

/** Each page with the frames that it says were not tested, and the rules of what is found on it. */
const pages: Record<string, { body: string; not?: string[]; rules: string[] }> = {
  '/refused': {
    body: ['/deny', '/ancestors', 'http://10.1.2.3/in', 'https://10.1.2.3/in', 'http://127.0.0.1:1/']
      .map((src) => frame(src))
      .join(''),
    not: [
      '/deny: it could not be loaded',
      '/ancestors: it could not be loaded',
      'http://10.1.2.3/in: it is of type text/plain',
      'https://10.1.2.3/in: it could not be loaded',
      'http://127.0.0.1:1/: it could not be loaded',
    ],
    rules: ['frame-tested'],
  },
  '/no-html': {
    body: ['/plain', '/data', '/tree', '/pixel', '/none', '/none?a\nb', '/archive']
      .map((src) => frame(src))
      .join(''),
    not: [
      '{site}/plain: it is of type text/plain',
      '{site}/data: it is of type application/json',
      '{site}/tree: it is of type application/xml',
      '{site}/pixel: it is of type image/gif',
      '/none: it was not loaded',
      '/none?a b: it was not loaded',
      '/archive: it was not loaded',
    ],
    rules: ['frame-tested'],
  },
  '/lazy': { body: far + frame('/faulty', 'loading="lazy"'), rules: ['image-alt'] },
  '/lazy-within': { body: frame('/wrapper'), rules: ['image-alt'] },
  // Where the page works for long after it has loaded, as each does on a slow machine, nothing is under way yet when it is looked at.
  '/lazy-within-busy': { body: frame('/wrapper') + busy, rules: ['image-alt'] },
  '/lazy-busy': { body: far + frame('/faulty', 'loading="lazy"') + busy, rules: ['image-alt'] },
  '/lazy-late': {
    body: `${far}<script>onload = () => document.querySelector('main').insertAdjacentHTML('beforeend', '${frame('/faulty', 'loading=lazy')}')</script>`,
    rules: ['image-alt'],
  },
  '/lazy-many': {
    body: far + Array.from({ length: 33 }, (_, n) => frame(`/clean?${n}`, 'loading="lazy"')).join(''),
    not: [...Array.from({ length: 10 }, (_, n) => `/clean?${n + 20}: it was not loaded`), 'and 3 more'],
    rules: ['frame-tested'],
  },
  // An error page of the site's own is what people see there.
  '/content': {
    body: `${frame('')}${frame('about:blank')}${frame('about:blank', 'id="f"')}<script>f.contentDocument.write('<p>${fault}')</script>
      <iframe title="Inline" srcdoc='${framed('Inline', fault)}'></iframe>${frame('/missing')}${frame('/drawing')}`,
    // axe looks for `html` in a frame to know that it was tested; a drawing has none.
    rules: ['frame-tested', 'image-alt', 'svg-img-alt'],
  },
}
const inner: Record<string, Route> = {
  '/deny': sending('text/html', fault, { 'x-frame-options': 'DENY' }),
  '/ancestors': sending('text/html', fault, { 'content-security-policy': "frame-ancestors 'none'" }),
  '/plain': sending('text/plain', 'Words'),
  '/data': sending('application/json', '{}'),
  '/drawing': sending(
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg"><circle role="img" r="9"/></svg>',
  ),
  '/tree': sending('application/xml', '<a><b>c</b></a>'),
  '/pixel': sending('image/gif', pixel),
  '/archive': sending('application/zip', 'PK'),
  '/none': (_, response) => void response.writeHead(204).end(),
  '/clean': ({ url }, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(framed(`Clean ${url}`, '')),
  '/wrapper': sending('text/html', framed('Wrapper', far + frame('/faulty', 'loading="lazy"'))),
  '/faulty': sending('text/html', framed('Inner', fault)),
  '/links-only': html('Links', far + frame('/counted', 'loading="lazy"')),
  '/counted': (_, response) => {
    counted += 1
    response.writeHead(200, { 'content-type': 'text/html' }).end(framed('Counted', ''))
  },
  '/missing': (_, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end(framed('Missing', fault)),
}

const pool = poolOfFile()
let site: TestSite
let scanned: TestScan
beforeAll(async () => {
  const outer = Object.entries(pages).map(([path, { body }]) => [path, html('Frames', body)] as const)
  site = await serve({ ...Object.fromEntries(outer), ...inner })
  scanned = await tryScan(pool, site, {
    urls: Object.keys(pages),
    plan: { depth: 0, allowPrivate: ['127.0.0.1'] },
  })
}, 120_000)
afterAll(() => site.close())

it.each(Object.keys(pages))('%s', (path) => {
  const outcome = scanned.pages[path]!
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome))
  const { not, rules } = pages[path]!
  expect(outcome.detail?.replaceAll(site.origin, '{site}').split('\n')).toEqual(not)
  expect(outcome.notices.includes('frame-not-tested')).toBe(not !== undefined)
  expect(rulesOf(outcome)).toEqual(rules)
  for (const { severity, rule } of outcome.findings)
    if (rule === 'frame-tested') expect(severity).toBe('needs review')
})

it('lazy frames load for what is tested, not for a page that is opened for its links', async () => {
  const options = { urls: ['/links-only'], plan: { depth: 0 } }
  await tryScan(pool, site, { ...options, advanced: { mimeTypes: ['application/pdf'] } })
  expect(counted).toBe(0)
  await tryScan(pool, site, options)
  expect(counted).toBe(1)
})
