/** @module-tag slow */
import { expect, it } from 'vitest'
import { describeOutcome, html, listRules, type Route, serve, tryScan, useTestPool, useTestSite } from '../../../test/harness.ts'

// Documents that leave their address for a check, and come back to it.

const pool = useTestPool()
const redirect =
  (location: string): Route =>
  (_, response) =>
    void response.writeHead(302, { location }).end()
const content = '<h1>Harbor</h1><img src="data:,"><p>Boats leave twice a day.</p>'
/** Their analysis takes longer than the delay, also on a fast machine. Pages that stay have none of them. */
const leavingParagraphs = 10_000
/**
 * A page that is left `count` times, each after `delayMs`, before it shows its content.
 * @param leave code that leaves it, with the number of the visit in `n`
 */
const leaveTimes = (count: number, delayMs: number, leave: string) =>
  html(
    'Harbor',
    `<div id="view"></div>${'<p>Boats</p>'.repeat(leavingParagraphs)}<script>
      const n = Number(sessionStorage[location.pathname] ?? 0)
      if (n < ${count}) { sessionStorage[location.pathname] = n + 1; setTimeout(() => { ${leave} }, ${delayMs}) }
      else document.querySelector('main').innerHTML = '${content}'
    </script>`,
  )
/** A page that loads itself again while it is analyzed, and then has no content any longer. */
function reloadOnce(end: Exclude<Route, string>): Route {
  let count = 0
  return (request, response) => {
    count += 1
    if (count > 1) return end(request, response)
    const body = `${'<p>Boats</p>'.repeat(leavingParagraphs)}<script>setTimeout(() => location.reload(), 2050)</script>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(html('Harbor', body))
  }
}
/** No visit waits for the delay. */
const buildRoutes = (): Record<string, Route> => ({
  '/session': (request, response) =>
    void response.writeHead(302, { location: new URL(request.url ?? '', site.origin).searchParams.get('back') ?? '/' }).end(),
  '/token': leaveTimes(2, 2050, `location.href = '/answer'`),
  '/answer': redirect('/token#state=1&code=2'),
  '/host': leaveTimes(2, 2050, `location.href = '/to-host'`),
  // Another host leads back by a form that it sends by itself.
  '/to-host': (_, response) => void response.writeHead(302, { location: `${otherOrigin}/bounce?back=${site.origin}/host` }).end(),
  '/endless': leaveTimes(Infinity, 2050, 'location.reload()'),
  '/leaves': leaveTimes(3, 2050, `location.href = n < 2 ? '/session?back=/leaves' : '/elsewhere'`),
  '/busy': reloadOnce((_, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(html('Error', ''))),
  '/dropped': reloadOnce((request) => void request.socket.destroy()),
  '/elsewhere': html('Elsewhere', '<img src="data:,">'),
})
let otherOrigin = ''
const site = useTestSite(buildRoutes)

it('waits for a document that comes back to its address', async () => {
  const other = await serve({
    '/bounce': (request, response) => {
      const back = new URL(request.url ?? '', 'http://x').searchParams.get('back')
      const body = `<form action="${back}"></form><script>document.forms[0].submit()</script>`
      response.writeHead(200, { 'content-type': 'text/html' }).end(body)
    },
  })
  otherOrigin = other.origin
  const urls = ['/token', '/host', '/endless', '/leaves', '/busy', '/dropped']
  const { pages } = await tryScan(pool, site, { urls, advanced: { pageTimeoutMs: 60_000 }, plan: { depth: 0, concurrency: 3 } })
  await other.close()
  const outcomes = Object.fromEntries(
    Object.entries(pages).map(([path, outcome]) => [path, [describeOutcome(outcome), ...listRules(outcome)].join(' ')]),
  )
  expect(outcomes).toEqual({
    '/token': 'completed image-alt',
    '/host': 'completed image-alt',
    '/endless': 'failed client-redirect',
    '/leaves': 'excluded redirect',
    '/elsewhere': 'completed image-alt',
    '/busy': 'failed http-error',
    '/dropped': 'failed connection-failed',
  })
}, 300_000)
