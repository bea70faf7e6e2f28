/** @module-tag slow */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildFrameworks } from '../../../../../fixtures/framework/build.ts'
import { serve, tryScan, type Route, type TestScan, type TestSite, useTestPool } from '../../../test/harness.ts'

// Apps of two frameworks with late parts: a slow response, and a chunk requested after it.

const delayedRoute =
  (delayMs: number, contentType: string, bodyText: string): Route =>
  (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': contentType }).end(bodyText), delayMs)
const buildPage = (scriptPath: string): string =>
  `<!doctype html><html lang="en"><title>App</title>
   <style>.fade-enter-active { transition: opacity 400ms } .fade-enter-from { opacity: 0 }</style>
   <main></main><script type="module" src="${scriptPath}"></script></html>`

const pool = useTestPool()
let site: TestSite
const testScans: TestScan[] = []
beforeAll(async () => {
  const scriptSources = await buildFrameworks()
  const scriptRoutes = Object.entries(scriptSources).map(([path, text]) => [path, delayedRoute(300, 'text/javascript', text)])
  site = await serve({
    ...(Object.fromEntries(scriptRoutes) as Record<string, Route>),
    '/react': buildPage('/react.js'),
    '/vue': buildPage('/vue.js'),
    '/framework-data': delayedRoute(500, 'text/plain', 'answer'),
  })
  const urls = ['/react', '/vue']
  for (let run = 0; run < 3; run++) testScans.push(await tryScan(pool, site, { urls, plan: { depth: 0 } }))
}, 120_000)
afterAll(async () => {
  await site.close()
})

it.each(['/react', '/vue'])('%s is complete in three identical runs', (path) => {
  const imageFaults = testScans.map(({ pages }) => {
    const outcome = pages[path]
    return outcome?.kind === 'completed'
      ? outcome.findings.flatMap(({ rule, html }) => (rule === 'image-alt' ? (/data:,\w+/.exec(html) ?? []) : []))
      : outcome
  })
  expect(imageFaults).toHaveLength(3)
  for (const scanFaults of imageFaults) expect(scanFaults).toEqual(['data:,answer', 'data:,part'])
})
