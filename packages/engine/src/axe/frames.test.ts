/** @module-tag slow */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, useTestPool, listRules, serve, tryScan, type Route, type TestScan, type TestSite } from '../../test/harness.ts'

// Frames without content of the page: substitutes shown by the browser or the guard are not the page's fault.

const serveBody =
  (contentType: string, bodyContent: string | Buffer, headers: Record<string, string> = {}): Route =>
  (_, response) =>
    response.writeHead(200, { 'content-type': contentType, ...headers }).end(bodyContent)
const gifPixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
const faultyImage = '<img src="data:,">'
const tallSpacer = '<div style="height:20000px"></div>'
/** A document whose landmarks have unique names, because all frames are part of one page. */
const buildFramed = (frameName: string, body: string) => html(frameName, body).replace('<main', `<main aria-label="${frameName}"`)
const busyScript = `<script>onload = () => {
  const { port1, port2 } = new MessageChannel()
  let times = 0
  port1.onmessage = () => {
    const endsAt = performance.now() + 150
    while (performance.now() < endsAt);
    if (++times < 4) port2.postMessage('')
  }
  port2.postMessage('')
}</script>`
let frameCount = 0
let requestCount = 0
const buildFrame = (sourceUrl: string, extraAttributes = '') =>
  `<iframe title="Frame ${++frameCount}" src="${sourceUrl}" ${extraAttributes}></iframe>`

/** Each page with its untested frames, and the rules of its findings. */
const framePages: Record<string, { body: string; not?: string[]; rules: string[] }> = {
  '/refused': {
    body: ['/deny', '/ancestors', 'http://10.1.2.3/in', 'https://10.1.2.3/in', 'http://127.0.0.1:1/']
      .map((src) => buildFrame(src))
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
    body: ['/plain', '/data', '/tree', '/pixel', '/none', '/none?a\nb', '/archive'].map((src) => buildFrame(src)).join(''),
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
  // axe sees no frames in these. Images, and elements without content or a box, are not named.
  '/embedded': {
    body: `<object type="text/html" data="/faulty?a" aria-label="A"></object><object data="/faulty?b" aria-label="B"></object>
      <embed src="/faulty?c" aria-label="C"><object id="d" aria-label="D"></object><div id="h"></div>
      <object data="/drawing" aria-label="E"></object><object type="image/gif" data="/pixel" aria-label="F"></object>
      <object data="/faulty?hidden" hidden aria-label="G"></object><object aria-label="H"></object>
      <script>d.data = 'http://localhost:' + location.port + '/faulty?d'; h.attachShadow({ mode: 'closed' }).innerHTML = '<object data="/faulty?e" aria-label="I"></object>'</script>
      ${buildFrame('/embedding')}`,
    not: [
      'http://localhost/faulty?d: axe does not test pages in <object>',
      '{site}/faulty?a: axe does not test pages in <object>',
      '{site}/faulty?b: axe does not test pages in <object>',
      '{site}/faulty?c: axe does not test pages in <embed>',
      '{site}/faulty?e: axe does not test pages in <object>',
      '{site}/faulty?f: axe does not test pages in <embed>',
    ],
    rules: [],
  },
  '/lazy': { body: tallSpacer + buildFrame('/faulty', 'loading="lazy"'), rules: ['image-alt'] },
  '/lazy-within': { body: buildFrame('/wrapper'), rules: ['image-alt'] },
  // On a page that stays busy after loading, as on a slow machine, no request is in flight yet when it is checked.
  '/lazy-within-busy': { body: buildFrame('/wrapper') + busyScript, rules: ['image-alt'] },
  '/lazy-busy': { body: tallSpacer + buildFrame('/faulty', 'loading="lazy"') + busyScript, rules: ['image-alt'] },
  '/lazy-late': {
    body: `${tallSpacer}<script>onload = () => document.querySelector('main').insertAdjacentHTML('beforeend', '${buildFrame('/faulty', 'loading=lazy')}')</script>`,
    rules: ['image-alt'],
  },
  '/lazy-many': {
    body: tallSpacer + Array.from({ length: 33 }, (_, index) => buildFrame(`/clean?${index}`, 'loading="lazy"')).join(''),
    not: [...Array.from({ length: 10 }, (_, index) => `/clean?${index + 20}: it was not loaded`), 'and 3 more'],
    rules: ['frame-tested'],
  },
  // A site's own error page is visible to users.
  '/content': {
    body: `${buildFrame('')}${buildFrame('about:blank')}${buildFrame('about:blank', 'id="f"')}<script>f.contentDocument.write('<p>${faultyImage}')</script>
      <iframe title="Inline" srcdoc='${buildFramed('Inline', faultyImage)}'></iframe>${buildFrame('/missing')}${buildFrame('/drawing')}`,
    // axe requires an `html` element to treat a frame as tested; a drawing has none.
    rules: ['frame-tested', 'image-alt', 'svg-img-alt'],
  },
}
const frameRoutes: Record<string, Route> = {
  '/embedding': serveBody('text/html', buildFramed('Embedding', '<embed src="/faulty?f" aria-label="F">')),
  '/deny': serveBody('text/html', faultyImage, { 'x-frame-options': 'DENY' }),
  '/ancestors': serveBody('text/html', faultyImage, { 'content-security-policy': "frame-ancestors 'none'" }),
  '/plain': serveBody('text/plain', 'Words'),
  '/data': serveBody('application/json', '{}'),
  '/drawing': serveBody('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><circle role="img" r="9"/></svg>'),
  '/tree': serveBody('application/xml', '<a><b>c</b></a>'),
  '/pixel': serveBody('image/gif', gifPixel),
  '/archive': serveBody('application/zip', 'PK'),
  '/none': (_, response) => void response.writeHead(204).end(),
  '/clean': ({ url }, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(buildFramed(`Clean ${url}`, '')),
  '/wrapper': serveBody('text/html', buildFramed('Wrapper', tallSpacer + buildFrame('/faulty', 'loading="lazy"'))),
  '/faulty': serveBody('text/html', buildFramed('Inner', faultyImage)),
  '/links-only': html('Links', tallSpacer + buildFrame('/counted', 'loading="lazy"')),
  '/counted': (_, response) => {
    requestCount += 1
    response.writeHead(200, { 'content-type': 'text/html' }).end(buildFramed('Counted', ''))
  },
  '/missing': (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end(buildFramed('Missing', faultyImage)),
}

const pool = useTestPool()
let site: TestSite
let testScan: TestScan
beforeAll(async () => {
  const pageRoutes = Object.entries(framePages).map(([path, { body }]) => [path, html('Frames', body)] as const)
  site = await serve({ ...Object.fromEntries(pageRoutes), ...frameRoutes })
  testScan = await tryScan(pool, site, { urls: Object.keys(framePages), plan: { depth: 0, allowPrivate: ['127.0.0.1'] } })
}, 120_000)
afterAll(() => site.close())

it.each(Object.keys(framePages))('%s', (path) => {
  const outcome = testScan.pages[path]!
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome))
  const { not: untested, rules: expectedRules } = framePages[path]!
  const untestedLines = outcome.detail
    ?.replaceAll(site.origin, '{site}')
    .replace(/localhost:\d+/, 'localhost')
    .split('\n')
  // Embedded documents are named in the order in which they loaded.
  expect(path === '/embedded' ? untestedLines?.toSorted() : untestedLines).toEqual(untested)
  expect(outcome.notices.includes('frame-not-tested')).toBe(untested !== undefined)
  expect(listRules(outcome)).toEqual(expectedRules)
  for (const { severity, rule } of outcome.findings) if (rule === 'frame-tested') expect(severity).toBe('needs review')
})

it('lazy frames load on tested pages, not on pages opened for their links', async () => {
  const options = { urls: ['/links-only'], plan: { depth: 0 } }
  await tryScan(pool, site, { ...options, advanced: { mimeTypes: ['application/pdf'] } })
  expect(requestCount).toBe(0)
  await tryScan(pool, site, options)
  expect(requestCount).toBe(1)
})
