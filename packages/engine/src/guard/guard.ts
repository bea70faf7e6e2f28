import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type net from 'node:net'
import type { Dial } from '@clearway/contract/kit/dial.ts'
import { responseBytes, type GuardContext, type GuardLimits, type GuardProblem } from './context.ts'
import { forward } from './forward.ts'
import { tunnel } from './tunnel.ts'

/** The only way from the browser to the network, for one run. */
export type Guard = {
  /** Proxy address for the browser's context. */
  server: string
  /** Name and password that it asks for; null where only this machine can reach it. */
  access: { username: string; password: string } | null
  /** Name of the header that marks the guard's own answers; its value is a `GuardProblem`. */
  mark: string
  /**
   * The newest problem since a moment (`performance.now()` scale) with a host (`host:port`), or, for a plain answer that was too
   * large, with a URL.
   */
  problemOf(authority: string, since: number): { problem: GuardProblem; detail: string } | null
  bytesReceived(): number
  close(): Promise<void>
}

const defaultLimits: GuardLimits = { responseBytes, idleMs: 60_000 }

/** The proxy itself; with `access` it lets nobody pass who does not know the password. */
function proxyServer(context: GuardContext, access: Guard['access'], sockets: Set<net.Socket>): http.Server {
  const wanted = access && `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`
  const mayPass = (request: http.IncomingMessage): boolean =>
    wanted === null || request.headers['proxy-authorization'] === wanted
  const server = http.createServer({ maxHeaderSize: 256 * 1024, keepAliveTimeout: 65_000 })
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => {
    // A browser that leaves is no fault of ours.
    response.on('error', () => {})
    if (mayPass(request)) return forward(context, request, response)
    return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="guard"' }).end()
  })
  server.on('connect', (request, socket: net.Socket, head) => {
    if (mayPass(request)) return void tunnel(context, request, socket, head).catch(() => socket.destroy())
    return void socket.end(
      'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="guard"\r\nContent-Length: 0\r\n\r\n',
    )
  })
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW' && socket.writable
    if (tooLarge) socket.end('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n')
    else socket.destroy()
  })
  return server
}

/**
 * Opens a forward proxy on a free loopback port. Everything that the browser of a run sends passes it: pages,
 * redirects, sub-resources, workers and WebSockets alike. It refuses addresses that `dial` refuses, and bounds bytes and
 * idle time. `verify`: see `GuardContext`. `host`: the name by which a browser of another machine
 * reaches it; it then asks for a password. Errors: rejects when no port can be opened.
 */
export async function openGuard(
  dial: Dial,
  limits: Partial<GuardLimits> = {},
  { verify = null, host = null }: { verify?: GuardContext['verify']; host?: string | null } = {},
): Promise<Guard> {
  const problems = new Map<string, { at: number; problem: GuardProblem; detail: string }>()
  const sockets = new Set<net.Socket>()
  let bytes = 0
  const context: GuardContext = {
    dial,
    verify,
    limits: { ...defaultLimits, ...limits },
    mark: `x-guard-${randomUUID()}`,
    report(authority, problem, detail) {
      if (problems.size > 2000) problems.clear()
      problems.set(authority, { at: performance.now(), problem, detail })
    },
    received(count) {
      bytes += count
    },
  }
  const access = host === null ? null : { username: 'guard', password: randomUUID() }
  const server = proxyServer(context, access, sockets)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host === null ? '127.0.0.1' : '::', () => resolve())
  })
  const address = server.address() as net.AddressInfo
  return {
    server: `http://${host ?? '127.0.0.1'}:${address.port}`,
    access,
    mark: context.mark,
    problemOf(authority, since) {
      const entry = problems.get(authority)
      return entry && entry.at >= since ? { problem: entry.problem, detail: entry.detail } : null
    },
    bytesReceived: () => bytes,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
