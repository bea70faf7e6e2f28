import { expect, it } from 'vitest'
import { html, useTestPool, listRules, serve, tryScan } from '../../../test/harness.ts'

const pool = useTestPool()

it('a page that navigates while the next one is loading does not affect that one', async () => {
  let pushEvent: (() => void) | undefined
  const blockingStarted = Promise.withResolvers<void>()
  const site = await serve({
    '/first': html(
      'First',
      `<script>new EventSource('/tell').onmessage = () => {
        navigator.sendBeacon('/blocks')
        for (const endsAt = performance.now() + 1000; performance.now() < endsAt;);
        location.replace('/elsewhere')
      }</script>`,
    ),
    '/tell': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      pushEvent = () => response.write('data: now\n\n')
    },
    '/blocks': (_, response) => {
      blockingStarted.resolve()
      response.writeHead(204).end()
    },
    // Responds once the previous page is too busy to be replaced.
    '/next': (_, response) => {
      pushEvent?.()
      void blockingStarted.promise.then(() =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(html('Next', '<img src="data:,">')),
      )
    },
    '/elsewhere': html('Elsewhere', ''),
  })
  const { pages, order } = await tryScan(pool, site, { urls: ['/first', '/next'], plan: { depth: 0, concurrency: 1 } })
  expect(order).toEqual(['/first', '/next'])
  expect(listRules(pages['/next'])).toEqual(['image-alt'])
  await site.close()
})
