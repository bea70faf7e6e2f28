import { expect, it } from 'vitest'
import { openDialler } from './dial.ts'

it('a name server that says nothing holds nobody up', async () => {
  const dial = openDialler({
    rule: () => true,
    lookup: () => new Promise(() => undefined),
    connectTimeoutMs: 100,
  })
  const began = performance.now()
  expect(await dial('silent.test', 80)).toEqual({
    ok: false,
    problem: 'timeout',
    detail: 'The name silent.test could not be resolved (ETIMEOUT)',
  })
  expect(performance.now() - began).toBeLessThan(5000)
})
