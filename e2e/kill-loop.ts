import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import { signIn } from './product/client.ts'
import { adminPassword, freePort, startProduct } from './product/start.ts'
import { compareRun, fixtureScan, runEnded } from './product/results.ts'

/**
 * Kills the product with -9 in the middle of a run, again and again, and starts it on the same data: the run must end, with each page
 * exactly once and every finding as if nothing had happened.
 *
 * With `worker` only the worker is killed, and the API must answer all the while.
 *
 *   node scripts/node24.mjs e2e/kill-loop.ts [times] [worker]
 */
const times = Number(process.argv[2] ?? 10)
const workerOnly = process.argv[3] === 'worker'
const data = mkdtempSync(join(tmpdir(), 'clearway-kill-'))
const site = await startSite()
const port = await freePort()
let product = await startProduct({ data, port })
let client = await signIn(product.url, 'admin', adminPassword)
const { id } = await client<{ id: string }>('POST', '/scans', fixtureScan('Killed', site.url))
await client('POST', `/scans/${id}/startRun`)
let calls = 0
let slowest = 0
/** Asks the API all the time; a call that fails ends the loop. */
async function askOn(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const asked = performance.now()
    await client('GET', '/scans')
    slowest = Math.max(slowest, performance.now() - asked)
    calls += 1
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const quiet = new AbortController()
const asking = workerOnly ? askOn(quiet.signal) : Promise.resolve()
type Runs = { content: { status: string; pages: { completed: number; failed: number } }[] }
const done = async () => {
  const { content } = await client<Runs>('GET', `/scans/${id}/runs`)
  return { status: content[0]!.status, pages: content[0]!.pages.completed + content[0]!.pages.failed }
}
for (let life = 1; life <= times; life++) {
  // Each life does some work and dies at no particular point of the next page.
  const born = await done()
  let before = born
  for (
    const start = performance.now();
    before.pages < born.pages + 3 && performance.now() - start < 60_000;
    before = await done()
  )
    await new Promise((resolve) => setTimeout(resolve, 100))
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 800))
  before = await done()
  const killed = performance.now()
  if (workerOnly) await product.killWorker()
  else {
    await product.kill()
    product = await startProduct({ data, port })
    client = await signIn(product.url, 'admin', adminPassword)
  }
  const after = await done()
  const back = Math.round(performance.now() - killed)
  console.log(
    `life ${life}: killed at ${before.pages} pages (${before.status}), back after ${back} ms with ${after.pages}`,
  )
  assert.equal(before.status, 'running', 'the run was to be killed in its middle')
  assert.ok(after.pages >= before.pages, 'a committed page is lost')
}
const run = await runEnded(client, id, 300_000)
quiet.abort()
await asking
if (workerOnly) console.log(`the API answered ${calls} calls, the slowest in ${Math.round(slowest)} ms`)
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
