import net from 'node:net'
import tls from 'node:tls'
import type { Dial } from '@clearway/contract/kit/dial.ts'

const timeoutMs = 10_000

/** What is wrong with a host's certificate, in English; null when it is trusted. What does not answer has none. */
export async function certificateProblem(dial: Dial, host: string, port: number): Promise<string | null> {
  const dialled = await dial(host, port)
  if (!dialled.ok) return null
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  return new Promise((resolve) => {
    const socket = tls.connect({
      socket: dialled.socket,
      ...(net.isIP(bare) ? { host: bare } : { servername: bare }),
      rejectUnauthorized: false,
    })
    const end = (problem: string | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(problem)
    }
    // Of the whole handshake: a byte a second is no answer either.
    const timer = setTimeout(() => end(null), timeoutMs)
    socket.once('secureConnect', () =>
      end(socket.authorized ? null : `${host}: ${String(socket.authorizationError)}`),
    )
    // No TLS at all is for the browser to say: WebSockets pass this way, too.
    socket.on('error', () => end(null))
  })
}
