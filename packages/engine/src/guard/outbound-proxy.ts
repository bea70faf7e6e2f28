import net from 'node:net'
import tls from 'node:tls'

/** An HTTP proxy that connections to public addresses go through. */
export type OutboundProxy = {
  url: URL
  /** Hosts that are reached directly: `host` or `*.domain`. */
  directHosts: readonly string[]
  /** The proxy gets names, and resolves those that this machine cannot resolve. Otherwise it gets checked addresses. */
  resolvesNames: boolean
}

let outboundProxy: OutboundProxy | null = null

/** Sets the proxy of this process; null for none. */
export const setOutboundProxy = (proxy: OutboundProxy | null): void => void (outboundProxy = proxy)

const matchesHost = (pattern: string, host: string): boolean => {
  const domain = pattern.toLowerCase().replace(/^\*?\./, '')
  return domain === pattern.toLowerCase() ? host === domain : host.endsWith(`.${domain}`)
}

/** Returns the proxy for a host; null if it is reached directly. */
export function findOutboundProxy(host: string): OutboundProxy | null {
  const lowerHost = host.toLowerCase()
  return outboundProxy?.directHosts.some((pattern) => matchesHost(pattern, lowerHost)) ? null : outboundProxy
}

/** Connects to the proxy itself, with TLS for an https URL. */
function connectToProxy({ url }: OutboundProxy): net.Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port || (isSecure ? 443 : 80))
  if (!isSecure) return net.connect({ host, port, noDelay: true })
  return tls.connect({ host, port, ...(net.isIP(host) ? {} : { servername: host }) })
}

function buildConnectRequest({ url }: OutboundProxy, host: string, port: number): string {
  const authority = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const authorization = url.username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`
}

const maxReplyBytes = 16 * 1024
const replyEnd = '\r\n\r\n'

/** Reasons by status of the proxy. They name no credentials. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['403', 'the outbound proxy refuses this target (403)'],
  ['407', 'the outbound proxy refuses its user name or password (407)'],
])

/**
 * Opens a tunnel through the proxy to a target that was judged before.
 * @param target.host address, or name that the proxy resolves
 * @returns the socket behind the tunnel, or the reason in English
 */
export function openProxyTunnel(
  proxy: OutboundProxy,
  target: { host: string; port: number },
  timeoutMs: number,
): Promise<{ socket: net.Socket } | { reason: string; isTimeout: boolean }> {
  return new Promise((resolve) => {
    const proxySocket = connectToProxy(proxy)
    let reply = Buffer.alloc(0)
    const finish = (result: { socket: net.Socket } | { reason: string; isTimeout: boolean }) => {
      clearTimeout(replyTimer)
      proxySocket.removeAllListeners()
      // Until the caller attaches a listener, an error must not end the process.
      proxySocket.on('error', () => {})
      if ('reason' in result) proxySocket.destroy()
      resolve(result)
    }
    const fail = (reason: string, isTimeout = false) => finish({ reason, isTimeout })
    const replyTimer = setTimeout(() => fail('the outbound proxy does not respond', true), timeoutMs)
    proxySocket.once(proxy.url.protocol === 'https:' ? 'secureConnect' : 'connect', () =>
      proxySocket.write(buildConnectRequest(proxy, target.host, target.port)),
    )
    proxySocket.on('data', (chunk: Buffer) => {
      reply = Buffer.concat([reply, chunk])
      const endAt = reply.indexOf(replyEnd)
      if (endAt < 0 && reply.length <= maxReplyBytes) return
      const [, status = ''] = /^HTTP\/1\.[01] (\d{3})/.exec(reply.subarray(0, 100).toString('latin1')) ?? []
      if (endAt < 0 || status !== '200') return fail(refusals.get(status) ?? `the outbound proxy answers ${status || 'no HTTP'}`)
      proxySocket.pause()
      const followingBytes = reply.subarray(endAt + replyEnd.length)
      if (followingBytes.length > 0) proxySocket.unshift(followingBytes)
      finish({ socket: proxySocket })
    })
    proxySocket.once('error', (error: NodeJS.ErrnoException) =>
      fail(`the outbound proxy cannot be reached (${error.code ?? error.message})`),
    )
    proxySocket.once('close', () => fail('the outbound proxy closes the connection'))
  })
}
