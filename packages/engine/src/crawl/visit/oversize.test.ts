import { expect, it } from 'vitest'
import { html, poolOfFile, siteOfFile, tryScan } from '../../../test/harness.ts'

const pool = poolOfFile()
const intoRoot = (mode: string) =>
  `document.querySelector('x-box').attachShadow({ mode: '${mode}' }).innerHTML = '<i></i>'.repeat(160_000)`
let asked = 0
// The picture holds `load` back until somebody has seen how large the page is.
const large = (script: string) =>
  html('Large', `${'<i></i>'.repeat(21_000)}<img alt="" src="/slow"><script>${script}</script>`)
const hanging = large('addEventListener("load", () => { for (;;); })')
// It moves for as long as a first look waits, which it ends with few elements; the second sees many.
const site = siteOfFile(() => ({
  '/': html(
    'Grows',
    `<p></p><div></div><script>
      setInterval(() => document.querySelector('p').append('x'), 30)
      setTimeout(() => { document.querySelector('div').innerHTML = '<i></i>'.repeat(200_000) }, 12_000)
    </script>`,
  ),
  '/shadow': html('Shadow', `<x-box></x-box><script>${intoRoot('open')}</script>`),
  '/closed': html('Closed', `<x-box></x-box><script>${intoRoot('closed')}</script>`),
  '/frames': html(
    'Frames',
    '<iframe title="A" src="/part?10"></iframe><iframe title="B" src="/part?149990"></iframe>',
  ),
  '/part': (request, response) => {
    const many = Number(request.url!.split('?')[1])
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('Part', '<i></i>'.repeat(many)))
  },
  '/slow': (_, response) => void setTimeout(() => response.writeHead(404).end(), 2000),
  '/hangs': hanging,
  '/once': (_, response) => {
    asked += 1
    response.writeHead(200, { 'content-type': 'text/html' }).end(asked === 1 ? hanging : large(''))
  },
  '/later': html(
    'Later',
    `<div></div><script>
      setTimeout(() => { document.querySelector('div').innerHTML = '<i></i>'.repeat(160_000) }, 4000)
    </script>`,
  ),
}))

it('a page that grows beyond all measure after it was looked at is not looked at again', async () => {
  const { pages } = await tryScan(pool, site)
  expect(pages['/']).toMatchObject({ kind: 'failed', reason: 'too-large' })
  expect(pages['/']).toHaveProperty('detail', expect.stringContaining('up to 150000 are analyzed'))
})

it.each(['/shadow', '/closed', '/frames'])(
  'what lies in shadow roots and frames counts: %s',
  async (path) => {
    const { pages } = await tryScan(pool, site, { urls: [path], plan: { depth: 0 } })
    expect(pages[path]).toMatchObject({ kind: 'failed', reason: 'too-large' })
    expect(pages[path]).toHaveProperty('detail', expect.stringContaining('up to 150000 are analyzed'))
  },
)

it('what comes in the pause before the test counts', async () => {
  const { pages } = await tryScan(pool, site, {
    urls: ['/later'],
    advanced: { preScanWaitMs: 6000 },
    plan: { depth: 0 },
  })
  expect(pages['/later']).toMatchObject({ kind: 'failed', reason: 'too-large' })
})

it('a large page that does not answer in time is tried again before it is called too large', async () => {
  const advanced = { pageTimeoutMs: 15_000 }
  const { pages, order } = await tryScan(pool, site, {
    urls: ['/hangs', '/once'],
    advanced,
    plan: { depth: 0 },
  })
  expect(order).toHaveLength(2)
  expect(pages['/hangs']).toMatchObject({
    kind: 'failed',
    reason: 'too-large',
    detail: expect.stringMatching(/21\d\d\d elements so far did not answer in time$/),
  })
  expect(asked).toBe(2)
  expect(pages['/once']).toMatchObject({ kind: 'completed' })
})
