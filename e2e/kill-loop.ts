import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import { signIn } from './product/client.ts'
import { adminPassword, findFreePort, startProduct } from './product/start.ts'
import { compareRun, buildFixtureScan, waitForRunEnd } from './product/results.ts'

/**
 * Kills the product with -9 in the middle of a run, repeatedly, and restarts it on the same data. The run must end with each
 * page exactly once and every finding, as without interruption.
 *
 * With `worker` only the worker is killed, and the API must respond all the time.
 *
 *   node scripts/node24.mjs e2e/kill-loop.ts [times] [worker]
 */
const times = Number(process.argv[2] ?? 10)
const workerOnly = process.argv[3] === 'worker'
const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-kill-'))
const site = await startSite()
const port = await findFreePort()
let product = await startProduct({ data: dataFolder, port })
let client = await signIn(product.url, 'admin', adminPassword)
const { id } = await client<{ id: string }>('POST', '/scans', buildFixtureScan('Killed', site.url))
await client('POST', `/scans/${id}/startRun`)
let callCount = 0
let maxCallMs = 0
/** Calls the API continuously; a failed call ends the loop. */
async function callContinuously(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now()
    await client('GET', '/scans')
    maxCallMs = Math.max(maxCallMs, performance.now() - startedAt)
    callCount += 1
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const stopCalls = new AbortController()
const asking = workerOnly ? callContinuously(stopCalls.signal) : Promise.resolve()
type Runs = { content: { status: string; pages: { completed: number; failed: number } }[] }
const readProgress = async () => {
  const { content } = await client<Runs>('GET', `/scans/${id}/runs`)
  return { status: content[0]!.status, pages: content[0]!.pages.completed + content[0]!.pages.failed }
}
for (let life = 1; life <= times; life++) {
  // Each process makes some progress and dies at a random point of the next page.
  const initialProgress = await readProgress()
  let previousProgress = initialProgress
  for (
    const start = performance.now();
    previousProgress.pages < initialProgress.pages + 3 && performance.now() - start < 60_000;
    previousProgress = await readProgress()
  )
    await new Promise((resolve) => setTimeout(resolve, 100))
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 800))
  previousProgress = await readProgress()
  const killedAt = performance.now()
  if (workerOnly) await product.killWorker()
  else {
    await product.kill()
    product = await startProduct({ data: dataFolder, port })
    client = await signIn(product.url, 'admin', adminPassword)
  }
  const nextProgress = await readProgress()
  const recoveryMs = Math.round(performance.now() - killedAt)
  console.log(
    `life ${life}: killed at ${previousProgress.pages} pages (${previousProgress.status}), back after ${recoveryMs} ms with ${nextProgress.pages}`,
  )
  assert.equal(previousProgress.status, 'running', 'the run was to be killed in its middle')
  assert.ok(nextProgress.pages >= previousProgress.pages, 'a committed page is lost')
}
const run = await waitForRunEnd(client, id, 300_000)
stopCalls.abort()
await asking
if (workerOnly) console.log(`the API answered ${callCount} calls, the slowest in ${Math.round(maxCallMs)} ms`)
const { duplicateUrls, actualResult, expectedResult } = await compareRun(client, id, 1, site.url)
assert.equal(run.number, 1)
assert.equal(run.status, 'completed')
assert.deepEqual(duplicateUrls, [])
assert.deepEqual(actualResult, expectedResult)
console.log(
  `killed ${times} times: run ${run.status}, ${Object.keys(actualResult.completed).length} pages, each once, all as planted`,
)
await product.stop()
await site.close()
rmSync(dataFolder, { recursive: true, force: true })
