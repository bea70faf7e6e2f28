import { expect, it } from 'vitest'
import { html, poolOfFile, rulesOf, serve, tryScan } from '../../../test/harness.ts'

const pool = poolOfFile()

it('a page that sends its tab on while the next is coming takes nothing from that one', async () => {
  let push: (() => void) | undefined
  const blocks = Promise.withResolvers<void>()
  const site = await serve({
    '/first': html(
      'First',
      `<script>new EventSource('/tell').onmessage = () => {
        navigator.sendBeacon('/blocks')
        for (const end = performance.now() + 1000; performance.now() < end;);
        location.replace('/elsewhere')
      }</script>`,
    ),
    '/tell': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      push = () => response.write('data: now\n\n')
    },
    '/blocks': (_, response) => {
      blocks.resolve()
      response.writeHead(204).end()
    },
    // Its answer is there as soon as the page before is too busy to be replaced by it.
    '/next': (_, response) => {
      push?.()
      void blocks.promise.then(() =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(html('Next', '<img src="data:,">')),
      )
    },
    '/elsewhere': html('Elsewhere', ''),
  })
  const { pages, order } = await tryScan(pool, site, {
    urls: ['/first', '/next'],
    plan: { depth: 0, concurrency: 1 },
  })
  expect(order).toEqual(['/first', '/next'])
  expect(rulesOf(pages['/next'])).toEqual(['image-alt'])
  await site.close()
})
