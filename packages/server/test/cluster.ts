import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../src/kit/running-process.ts'
import { startEmbedded } from '../src/kit/postgres/embedded.ts'

/** Keeps a throw-away cluster for one test run: up as long as the process that runs the tests, then gone. */
async function main(folder: string, parent: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const cluster = await startEmbedded({ data: join(folder, 'data'), throwAway: true })
  writeFileSync(join(folder, 'url'), cluster.url)
  while (isAlive(parent)) await sleep(300)
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

const [folder = '', parent = ''] = process.argv.slice(2)
await main(folder, Number(parent))
