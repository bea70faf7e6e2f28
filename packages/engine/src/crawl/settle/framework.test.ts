import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildFrameworks } from '../../../../../fixtures/framework/build.ts'
import {
  serve,
  tryScan,
  type Route,
  type TestScan,
  type TestSite,
  poolOfFile,
} from '../../../test/harness.ts'

// Apps of two frameworks, with parts that come later: a slow answer, and a chunk that is asked for after it.

const late =
  (ms: number, type: string, body: string): Route =>
  (_, response) =>
    void setTimeout(() => response.writeHead(200, { 'content-type': type }).end(body), ms)
const page = (script: string): string =>
  `<!doctype html><html lang="en"><title>App</title>
   <style>.fade-enter-active { transition: opacity 400ms } .fade-enter-from { opacity: 0 }</style>
   <main></main><script type="module" src="${script}"></script></html>`

const pool = poolOfFile()
let site: TestSite
const scans: TestScan[] = []
beforeAll(async () => {
  const code = await buildFrameworks()
  const parts = Object.entries(code).map(([path, text]) => [path, late(300, 'text/javascript', text)])
  site = await serve({
    ...(Object.fromEntries(parts) as Record<string, Route>),
    '/react': page('/react.js'),
    '/vue': page('/vue.js'),
    '/framework-data': late(500, 'text/plain', 'answer'),
  })
  const urls = ['/react', '/vue']
  for (let run = 0; run < 3; run++) scans.push(await tryScan(pool, site, { urls, plan: { depth: 0 } }))
}, 120_000)
afterAll(async () => {
  await site.close()
})

it.each(['/react', '/vue'])('%s is seen whole, three times alike', (path) => {
  const seen = scans.map(({ pages }) => {
    const outcome = pages[path]
    return outcome?.kind === 'completed'
      ? outcome.findings.flatMap(({ rule, html }) =>
          rule === 'image-alt' ? (/data:,\w+/.exec(html) ?? []) : [],
        )
      : outcome
  })
  expect(seen).toHaveLength(3)
  for (const faults of seen) expect(faults).toEqual(['data:,answer', 'data:,part'])
})
