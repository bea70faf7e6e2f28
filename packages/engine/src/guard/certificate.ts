import net from 'node:net'
import tls from 'node:tls'
import type { DialHost } from './dial.ts'

const handshakeTimeoutMs = 10_000

/** Returns the problem with a host's certificate in English; null if it is trusted. Null also if the host does not respond. */
export async function findCertificateProblem(dial: DialHost, host: string, port: number): Promise<string | null> {
  const dialResult = await dial(host, port)
  if (!dialResult.ok) return null
  const bareHost = host.startsWith('[') ? host.slice(1, -1) : host
  return new Promise((resolve) => {
    const tlsSocket = tls.connect({
      socket: dialResult.socket,
      ...(net.isIP(bareHost) ? { host: bareHost } : { servername: bareHost }),
      rejectUnauthorized: false,
    })
    const finish = (problem: string | null) => {
      clearTimeout(handshakeTimer)
      tlsSocket.destroy()
      resolve(problem)
    }
    // Limits the whole handshake: one byte per second does not count as a response.
    const handshakeTimer = setTimeout(() => finish(null), handshakeTimeoutMs)
    tlsSocket.once('secureConnect', () =>
      finish(tlsSocket.authorized ? null : `${host}: ${String(tlsSocket.authorizationError)}`),
    )
    // A missing TLS endpoint is reported by the browser: WebSockets also pass through here.
    tlsSocket.on('error', () => finish(null))
  })
}
