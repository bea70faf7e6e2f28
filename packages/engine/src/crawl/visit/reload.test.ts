/** @module-tag slow */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { overrideAxeRelease } from '../../axe/version.ts'
import { onEngineEvent } from '../../engine-event.ts'
import { describeOutcome, html, listRules, type Route, serve, tryScan, useTestPool, useTestSite } from '../../../test/harness.ts'

// Documents that leave their address for a check, and come back to it.

const pool = useTestPool()
const redirect =
  (location: string): Route =>
  (_, response) =>
    void response.writeHead(302, { location }).end()
/** Event streams of the open pages, by which they are told that the engine has found them idle. */
const streams = new Set<ServerResponse>()
const respond = (response: ServerResponse, status: number, body: string) =>
  void response.writeHead(status, { 'content-type': 'text/html' }).end(html('Harbor', body))
/** A page leaves well before the end of its analysis, which waits for two seconds here. */
const leaveWhenAnalyzed = (leave: string) => `new EventSource('/idle').onmessage = () => setTimeout(() => { ${leave} }, 300)`
const slowAxe =
  ';{ const { run } = axe; axe.run = (...options) => new Promise((resolve) => setTimeout(() => resolve(run(...options)), 2000)) }'

const folder = mkdtempSync(join(tmpdir(), 'clearway-reload-'))
const { axeVersion } = defaultRuleSet
beforeAll(() => {
  const file = join(folder, 'axe.js')
  const axeFile = createRequire(import.meta.url).resolve(`axe-core-${axeVersion}/axe.min.js`)
  writeFileSync(file, `${readFileSync(axeFile, 'utf8')}${slowAxe}`)
  overrideAxeRelease(axeVersion, file)
})
afterAll(() => {
  overrideAxeRelease(axeVersion, null)
  rmSync(folder, { recursive: true })
})

/**
 * A page that is left `count` times, each while it is analyzed, before it shows its content.
 * @param leave code that leaves it, with the number of the visit in `n`
 */
const leaveTimes =
  (count: number, leave: string): Route =>
  (_, response) =>
    respond(
      response,
      200,
      `<h1>Harbor</h1><p>Boats leave twice a day.</p><script>
        const n = Number(sessionStorage[location.pathname] ?? 0)
        sessionStorage[location.pathname] = n + 1
        if (n < ${count}) ${leaveWhenAnalyzed(leave)}
        else document.querySelector('p').outerHTML = '<img src="data:,">'
      </script>`,
    )
/** A page that loads itself again while it is analyzed, and then has no content any longer. */
function reloadOnce(end: Exclude<Route, string>): Route {
  let count = 0
  return (request, response) => {
    count += 1
    if (count > 1) return end(request, response)
    respond(response, 200, `<h1>Harbor</h1><p>Boats</p><script>${leaveWhenAnalyzed('location.reload()')}</script>`)
  }
}
const buildRoutes = (): Record<string, Route> => ({
  '/idle': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    streams.add(response)
    response.on('close', () => streams.delete(response))
  },
  '/session': (request, response) =>
    void response.writeHead(302, { location: new URL(request.url ?? '', site.origin).searchParams.get('back') ?? '/' }).end(),
  '/token': leaveTimes(2, `location.href = '/answer'`),
  '/answer': redirect('/token#state=1&code=2'),
  '/host': leaveTimes(2, `location.href = '/to-host'`),
  // Another host leads back by a form that it sends by itself.
  '/to-host': (_, response) => void response.writeHead(302, { location: `${otherOrigin}/bounce?back=${site.origin}/host` }).end(),
  '/endless': leaveTimes(Infinity, 'location.reload()'),
  '/leaves': leaveTimes(3, `location.href = n < 2 ? '/session?back=/leaves' : '/elsewhere'`),
  '/busy': reloadOnce((_, response) => respond(response, 500, '')),
  '/dropped': reloadOnce((request) => void request.socket.destroy()),
  '/elsewhere': (_, response) => respond(response, 200, '<h1>Elsewhere</h1><img src="data:,">'),
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
  const unsubscribe = onEngineEvent((event) => {
    if (event.kind === 'part' && event.part === 'settle') for (const stream of streams) stream.write('data: now\n\n')
  })
  const { pages } = await tryScan(pool, site, { urls, advanced: { pageTimeoutMs: 60_000 }, plan: { depth: 0, concurrency: 1 } })
  unsubscribe()
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
}, 180_000)
