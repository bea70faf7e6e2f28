import { expect, it } from 'vitest'
import { createHttpServer } from './server.ts'
import { mountProbeRoutes } from './probe.ts'

const singleCallRates = { perNetwork: 1, perPerson: 1, perNetworkSignIn: 1 }

it.each([
  ['cannot work yet', () => Promise.resolve(false)],
  ['has lost its database', () => Promise.reject(new Error('gone'))],
  ['gets no reply from its database', () => new Promise<boolean>(() => undefined)],
])(
  'reports that a process is alive and %s, regardless of how often it is probed',
  { timeout: 20_000 },
  async (_description, isReady) => {
    const app = await createHttpServer({
      logLevel: 'silent',
      connect: [],
      rates: singleCallRates,
      downloads: { perPerson: 1, idleSeconds: 1, wholeSeconds: 60 },
    })
    let checkCount = 0
    mountProbeRoutes(app, () => {
      checkCount += 1
      return isReady()
    })
    const startedAt = Date.now()
    for (const [url, statusCode] of [
      ['/health/live', 200],
      ['/health/live', 200],
      ['/health/ready', 503],
    ] as const)
      expect((await app.inject({ url })).statusCode).toBe(statusCode)
    expect(Date.now() - startedAt).toBeLessThan(8000)
    expect(checkCount).toBe(1)
    await app.close()
  },
)

it('logs when readiness is lost and comes back, not each probe', { timeout: 20_000 }, async () => {
  const lines: { level: number; msg: string }[] = []
  const write = process.stderr.write.bind(process.stderr)
  process.stderr.write = ((chunk: string | Uint8Array) => {
    for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line) as (typeof lines)[number])
    return true
  }) as typeof process.stderr.write
  const app = await createHttpServer({
    logLevel: 'info',
    connect: [],
    rates: singleCallRates,
    downloads: { perPerson: 1, idleSeconds: 1, wholeSeconds: 60 },
  })
  try {
    let isUp = false
    mountProbeRoutes(app, () => Promise.resolve(isUp))
    const probe = async () => (await app.inject({ url: '/health/ready' })).statusCode
    // It starts, is ready, loses that, and has it again.
    for (const state of [false, true, false, true]) {
      isUp = state
      await expect.poll(probe, { timeout: 10_000 }).toBe(state ? 200 : 503)
      await probe()
    }
  } finally {
    process.stderr.write = write
    await app.close()
  }
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, 'not ready for work'],
    [30, 'ready for work again'],
  ])
})
