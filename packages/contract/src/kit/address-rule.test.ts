import { expect, it } from 'vitest'
import { getNetwork } from './address-rule.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:bbbb::2', '2001:db8:1:2::/64'],
  ['not an address', 'not an address'],
])('%s is one of %s', (address, network) => expect(getNetwork(address)).toBe(network))
