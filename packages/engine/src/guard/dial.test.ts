import { expect, it } from 'vitest'
import { openDialer } from './dial.ts'

it('an unresponsive name server does not block', async () => {
  const dialHost = openDialer({ rule: () => true, hostLookup: () => new Promise(() => undefined), connectTimeoutMs: 100 })
  const startedAt = performance.now()
  expect(await dialHost('silent.test', 80)).toEqual({
    ok: false,
    problem: 'timeout',
    detail: 'The name silent.test could not be resolved (ETIMEOUT)',
  })
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

it('does not reveal internal addresses of host names', async () => {
  const addresses: Record<string, string[]> = {
    'intranet.test': ['10.1.2.3'],
    'half.test': ['192.0.2.1', 'fd00::17'],
    // Nothing listens on this port.
    'closed.test': ['127.0.0.1'],
  }
  const isAllowed = (address: string) => address.startsWith('1') && !address.startsWith('10.')
  const dialHost = openDialer({ rule: isAllowed, hostLookup: (host) => Promise.resolve(addresses[host]!) })
  const dialDetails = []
  for (const host of Object.keys(addresses)) {
    const dialResult = await dialHost(host, 1)
    dialDetails.push(dialResult.ok ? 'connected' : dialResult.detail)
  }
  expect(dialDetails).toEqual([
    'intranet.test leads to an address of a private or reserved network, which this scan may not visit',
    'half.test leads to an address of a private or reserved network, which this scan may not visit',
    'closed.test port 1: ECONNREFUSED',
  ])
})
