/** @module-tag slow */
import { expect, it } from 'vitest'
import { allowForSlowness, html, useTestPool, useTestSite, tryScan } from '../../../test/harness.ts'

const pool = useTestPool()
/** Little above the maximum of 150,000: inserting elements is slow on a busy machine. */
const manyElements = `'<i></i>'.repeat(151_000)`
const fillShadowRoot = (shadowMode: string) =>
  `document.querySelector('x-box').attachShadow({ mode: '${shadowMode}' }).innerHTML = ${manyElements}`
const tooLarge = { kind: 'failed', reason: 'too-large', detail: expect.stringContaining('up to 150000 are analyzed') }
let requestCount = 0
// The image delays `load` until the page's size has been read. A start page without text would be requested once more.
const buildLargePage = (scriptCode: string) =>
  html(
    'Large',
    `<p>${'Enough to read. '.repeat(120)}</p>${'<i></i>'.repeat(21_000)}<img alt="" src="/slow"><script>${scriptCode}</script>`,
  )
const hangingPage = buildLargePage('addEventListener("load", () => { for (;;); })')
// Changes, and waits for an answer that never comes, so that both waits take their whole time. The first one, of 10 s, ends with
// few elements; the second one, of 6 s, sees many. They are hidden because their layout may take longer than the wait.
const site = useTestSite(() => ({
  '/': html(
    'Grows',
    `<p></p><div hidden></div><script>
      fetch('/silent')
      setInterval(() => document.querySelector('p').append('x'), 30)
      setTimeout(() => { document.querySelector('div').innerHTML = ${manyElements} }, 13_000)
    </script>`,
  ),
  '/silent': () => undefined,
  '/shadow': html('Shadow', `<x-box hidden></x-box><script>${fillShadowRoot('open')}</script>`),
  '/closed': html('Closed', `<x-box hidden></x-box><script>${fillShadowRoot('closed')}</script>`),
  '/frames': html('Frames', '<iframe title="A" src="/part?10"></iframe><iframe title="B" src="/part?149990"></iframe>'),
  '/part': (request, response) => {
    const elementCount = Number(request.url!.split('?')[1])
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('Part', '<i></i>'.repeat(elementCount)))
  },
  '/slow': (_, response) => void setTimeout(() => response.writeHead(404).end(), 2000),
  '/hangs': hangingPage,
  '/once': (_, response) => {
    requestCount += 1
    response.writeHead(200, { 'content-type': 'text/html' }).end(requestCount === 1 ? hangingPage : buildLargePage(''))
  },
  '/later': html(
    'Later',
    `<div hidden></div><script>
      setTimeout(() => { document.querySelector('div').innerHTML = ${manyElements} }, 4000)
    </script>`,
  ),
}))

it('a page that grows too large after its first analysis is not analyzed again', async () => {
  const { pages } = await tryScan(pool, site)
  expect(pages['/']).toMatchObject(tooLarge)
})

it.each(['/shadow', '/closed', '/frames'])('elements in shadow roots and frames count: %s', async (path) => {
  const { pages } = await tryScan(pool, site, { urls: [path], plan: { depth: 0 } })
  expect(pages[path]).toMatchObject(tooLarge)
})

it('elements added during the wait before the test count', async () => {
  const { pages } = await tryScan(pool, site, { urls: ['/later'], advanced: { preScanWaitMs: 6000 }, plan: { depth: 0 } })
  expect(pages['/later']).toMatchObject(tooLarge)
})

it('a large page that times out is retried before it fails as too large', async () => {
  const advanced = { pageTimeoutMs: allowForSlowness(15_000) }
  // One at a time: next to an endless loop, the second visit of the other page may not end in its time.
  const plan = { depth: 0, concurrency: 1 }
  const { pages, order } = await tryScan(pool, site, { urls: ['/hangs', '/once'], advanced, plan })
  expect(order).toHaveLength(2)
  expect(pages['/hangs']).toMatchObject({
    kind: 'failed',
    reason: 'too-large',
    detail: expect.stringMatching(/21\d\d\d elements so far did not answer in time$/),
  })
  expect(requestCount).toBe(2)
  expect(pages['/once']).toMatchObject({ kind: 'completed' })
})
