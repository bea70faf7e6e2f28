import { afterAll, beforeAll } from 'vitest'
import { startSuite, type Suite } from './suite.ts'

/** One product for all tests of a file; `prepare` comes before the first. */
export function suiteOfFile(prepare?: (suite: Suite) => Promise<void>): () => Suite {
  let started: Suite | null = null
  beforeAll(async () => {
    started = await startSuite()
    await prepare?.(started)
  })
  afterAll(() => started?.close())
  return () => {
    if (!started) throw new Error('The product did not start')
    return started
  }
}
