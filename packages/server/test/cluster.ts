import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isProcessAlive } from '../src/kit/running-process.ts'
import { startEmbedded } from '../src/kit/postgres/embedded.ts'

/** Runs a throw-away cluster for one test run: until the process that runs the tests exits. */
async function main(folder: string, parent: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const cluster = await startEmbedded({ data: join(folder, 'data'), throwAway: true })
  writeFileSync(join(folder, 'url'), cluster.url)
  while (isProcessAlive(parent)) await sleep(300)
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

const [folder = '', parent = ''] = process.argv.slice(2)
await main(folder, Number(parent))
