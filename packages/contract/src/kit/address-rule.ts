import ipaddr from 'ipaddr.js'

/** Whether a connection to an IP address (no brackets, no port) is allowed. */
export type AddressRule = (address: string) => boolean

/** Unicast by the registries, yet internal: Azure answers with a machine's secrets there. */
const internal = new Set(['168.63.129.16'])

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number]

function blockOf(text: string): Block | null {
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text)
    return [address, bits]
  }
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * The rule for one run: public addresses, and those that `allowPrivate` names (CIDR blocks, addresses, or `all`).
 * IPv4 inside IPv6 is unwrapped first, so `::ffff:127.0.0.1` is loopback. What is no address is refused.
 */
export function addressRule(allowPrivate: readonly string[]): AddressRule {
  if (allowPrivate.includes('all')) return (address) => ipaddr.isValid(address)
  const blocks = allowPrivate.map(blockOf).filter((block) => block !== null)
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    const allowed = blocks.some(([base, bits]) => {
      if (base.kind() !== address.kind()) return false
      return address.match(base as ipaddr.IPv6, bits)
    })
    if (allowed) return true
    return address.range() === 'unicast' && !internal.has(address.toString())
  }
}

/** What one customer of a provider has: an IPv4 address, or the first half of an IPv6 one, of which everybody has many. */
export function networkOf(address: string): string {
  const parsed = ipaddr.isValid(address) ? ipaddr.process(address) : null
  if (parsed?.kind() !== 'ipv6') return parsed?.toString() ?? address
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
