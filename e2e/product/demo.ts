import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort, type Product, startProduct } from './start.ts'

export const demoAdmin = { username: 'dana', password: 'demo for everybody' }

/** Starts the product with the demo data in a folder; creates them at the first call. */
export async function startDemo(dataFolder: string): Promise<Product> {
  if (!existsSync(dataFolder)) {
    const env = { ...process.env, CLEARWAY_DATA: dataFolder }
    const seedProcess = spawnSync(process.execPath, [join(import.meta.dirname, '../seed.ts')], { env, stdio: 'inherit' })
    if (seedProcess.status !== 0) throw new Error('The demo data could not be created')
  }
  return startProduct({ data: dataFolder, port: await findFreePort() })
}
