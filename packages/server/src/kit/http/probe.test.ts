import { expect, it } from 'vitest'
import { openServer } from './server.ts'
import { probeRoutes } from './probe.ts'

const one = { perNetwork: 1, perPerson: 1, perNetworkSignIn: 1 }

it.each([
  ['cannot work yet', () => Promise.resolve(false)],
  ['has lost its database', () => Promise.reject(new Error('gone'))],
  ['gets no answer of its database', () => new Promise<boolean>(() => undefined)],
])(
  'says that a process lives and %s, however often it is asked',
  { timeout: 20_000 },
  async (_what, isReady) => {
    const app = await openServer({
      logLevel: 'silent',
      connect: [],
      rates: one,
      downloads: { perPerson: 1, idleSeconds: 1, wholeSeconds: 60 },
    })
    let asked = 0
    probeRoutes(app, () => {
      asked += 1
      return isReady()
    })
    const began = Date.now()
    for (const [url, statusCode] of [
      ['/health/live', 200],
      ['/health/live', 200],
      ['/health/ready', 503],
    ] as const)
      expect((await app.inject({ url })).statusCode).toBe(statusCode)
    expect(Date.now() - began).toBeLessThan(8000)
    expect(asked).toBe(1)
    await app.close()
  },
)
