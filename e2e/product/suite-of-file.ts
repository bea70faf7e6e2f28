import { afterAll, beforeAll } from 'vitest'
import { startSuite, type Suite } from './suite.ts'

/** Returns one product for all tests of a file; `prepare` runs before the first. */
export function useSuite(prepare?: (suite: Suite) => Promise<void>): () => Suite {
  let startedSuite: Suite | null = null
  beforeAll(async () => {
    startedSuite = await startSuite()
    await prepare?.(startedSuite)
  })
  afterAll(() => startedSuite?.close())
  return () => {
    if (!startedSuite) throw new Error('The product did not start')
    return startedSuite
  }
}
