import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import { signIn } from './client.ts'
import { adminPassword, freePort, startProduct } from './product.ts'
import { compareRun, fixtureScan, runEnded } from './results.ts'

/**
 * Kills the server with -9 in the middle of a run, again and again, and starts it on the same data: the run must end, with each page
 * exactly once and every finding as if nothing had happened.
 *
 *   node scripts/node24.mjs e2e/kill-loop.ts [times]
 */
const times = Number(process.argv[2] ?? 10)
const data = mkdtempSync(join(tmpdir(), 'clearway-kill-'))
const site = await startSite()
const port = await freePort()
// Slow enough that ten lives do not suffice by accident.
const pace = { pagesPerMinute: 120 }

let product = await startProduct({ data, port })
let client = await signIn(product.url, 'admin', adminPassword)
const { id } = await client<{ id: string }>('POST', '/scans', fixtureScan('Killed', site.url, pace))
await client('POST', `/scans/${id}/startRun`)
for (let life = 1; life <= times; life++) {
  await new Promise((resolve) => setTimeout(resolve, 1500 + Math.random() * 2000))
  const before = await client<{ content: { status: string; pages: { completed: number } }[] }>(
    'GET',
    `/scans/${id}/runs`,
  )
  await product.kill()
  const killed = performance.now()
  product = await startProduct({ data, port })
  client = await signIn(product.url, 'admin', adminPassword)
  const after = await client<typeof before>('GET', `/scans/${id}/runs`)
  console.log(
    `life ${life}: killed at ${before.content[0]!.pages.completed} pages (${before.content[0]!.status}), back after ${Math.round(performance.now() - killed)} ms with ${after.content[0]!.pages.completed}`,
  )
  assert.ok(
    after.content[0]!.pages.completed >= before.content[0]!.pages.completed,
    'a committed page is lost',
  )
}
const run = await runEnded(client, id, 300_000)
const { twice, found, expected } = await compareRun(client, id, 1, site.url)
assert.equal(run.number, 1)
assert.equal(run.status, 'completed')
assert.deepEqual(twice, [])
assert.deepEqual(found, expected)
console.log(
  `killed ${times} times: run ${run.status}, ${Object.keys(found.completed).length} pages, each once, all as planted`,
)
await product.stop()
await site.close()
rmSync(data, { recursive: true, force: true })
