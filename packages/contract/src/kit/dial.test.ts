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

it('tells nobody who reads of a failed page which addresses the names of the network have', async () => {
  const addresses: Record<string, string[]> = {
    'intranet.test': ['10.1.2.3'],
    'half.test': ['192.0.2.1', 'fd00::17'],
    // Nothing listens on this port.
    'closed.test': ['127.0.0.1'],
  }
  const rule = (address: string) => address.startsWith('1') && !address.startsWith('10.')
  const dial = openDialler({ rule, lookup: (host) => Promise.resolve(addresses[host]!) })
  const details = []
  for (const host of Object.keys(addresses)) {
    const dialled = await dial(host, 1)
    details.push(dialled.ok ? 'connected' : dialled.detail)
  }
  expect(details).toEqual([
    'intranet.test leads to an address of a private or reserved network, which this scan may not visit',
    'half.test leads to an address of a private or reserved network, which this scan may not visit',
    'closed.test port 1: ECONNREFUSED',
  ])
})
