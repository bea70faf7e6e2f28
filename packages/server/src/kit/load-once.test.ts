import { expect, it } from 'vitest'
import { loadOnce } from './load-once.ts'

it('loads once for all calls, and again only after a failure', async () => {
  let loadCount = 0
  const load = loadOnce(() => (++loadCount === 1 ? Promise.reject(new Error('away')) : Promise.resolve(loadCount)))
  await expect(load()).rejects.toThrow('away')
  expect(await Promise.all([load(), load()])).toEqual([2, 2])
  expect(await load()).toBe(2)
})
