import { expect, it } from 'vitest'
import { openServer } from './server.ts'

const limits = {
  rates: { perNetwork: 100, perPerson: 100, perNetworkSignIn: 100 },
  downloads: { perPerson: 1, idleSeconds: 1 },
}
it('tells browsers to stay with https where people come by it, and only there', async () => {
  for (const [https, said] of [
    [true, 'max-age=31536000'],
    [false, undefined],
  ] as const) {
    const app = await openServer({ logLevel: 'silent', connect: [], https, ...limits })
    const { headers } = await app.inject({ url: '/' })
    expect(headers['strict-transport-security']).toBe(said)
    await app.close()
  }
})
