import ipaddr from 'ipaddr.js'

/** Returns true if a connection to an IP address (no brackets, no port) is allowed. */
export type AddressRule = (address: string) => boolean

/** Registered as unicast, but internal: Azure serves a machine's secrets there. */
const internalAddresses = new Set(['168.63.129.16'])

/** The only public addresses of IPv6. Others embed or translate IPv4 addresses, or are local. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

type AddressBlock = [ipaddr.IPv4 | ipaddr.IPv6, number]

function parseBlock(blockText: string): AddressBlock | null {
  if (ipaddr.isValidCIDR(blockText)) {
    const [networkAddress, prefixBits] = ipaddr.parseCIDR(blockText)
    return [networkAddress, prefixBits]
  }
  if (!ipaddr.isValid(blockText)) return null
  const parsedAddress = ipaddr.process(blockText)
  return [parsedAddress, parsedAddress.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Creates the rule for one run: allows public addresses, and those in `allowPrivate` (CIDR blocks, addresses, or
 * `all`). IPv4 inside IPv6 is unwrapped first, so `::ffff:127.0.0.1` is loopback. Invalid addresses are refused.
 */
export function createAddressRule(allowPrivate: readonly string[]): AddressRule {
  if (allowPrivate.includes('all')) return (address) => ipaddr.isValid(address)
  const allowedBlocks = allowPrivate.map(parseBlock).filter((block) => block !== null)
  return (addressText) => {
    if (!ipaddr.isValid(addressText)) return false
    const parsedAddress = ipaddr.process(addressText)
    const isAllowed = allowedBlocks.some(([blockAddress, prefixBits]) => {
      if (blockAddress.kind() !== parsedAddress.kind()) return false
      return parsedAddress.match(blockAddress as ipaddr.IPv6, prefixBits)
    })
    if (isAllowed) return true
    if (parsedAddress.kind() === 'ipv6' && !(parsedAddress as ipaddr.IPv6).match(publicIpv6)) return false
    return parsedAddress.range() === 'unicast' && !internalAddresses.has(parsedAddress.toString())
  }
}

/** Returns an IPv4 address, or the first half of an IPv6 address, which usually identifies one customer of a provider. */
export function getNetwork(address: string): string {
  const parsedAddress = ipaddr.isValid(address) ? ipaddr.process(address) : null
  if (parsedAddress?.kind() !== 'ipv6') return parsedAddress?.toString() ?? address
  return `${(parsedAddress as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((addressPart) => addressPart.toString(16))
    .join(':')}::/64`
}
