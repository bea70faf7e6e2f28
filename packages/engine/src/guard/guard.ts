import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type net from 'node:net'
import type { DialHost } from './dial.ts'
import { maxResponseBytes, type GuardContext, type GuardLimits, type GuardProblem } from './context.ts'
import { forwardRequest } from './forward.ts'
import { openTunnel } from './tunnel.ts'

/** A run's only network access from the browser. */
export type Guard = {
  /** Proxy address for the browser's context. */
  server: string
  /** Proxy credentials; null if only this machine can reach the guard. */
  access: { username: string; password: string } | null
  /** Name of the header that marks the guard's own responses; its value is a `GuardProblem`. */
  mark: string
  /**
   * Returns the latest problem since a time (`performance.now()` scale) with a host (`host:port`), or with a URL if a
   * plain response was too large.
   */
  findProblem(authority: string, since: number): { problem: GuardProblem; detail: string } | null
  bytesReceived(): number
  close(): Promise<void>
}

const defaultLimits: GuardLimits = { responseBytes: maxResponseBytes, idleMs: 60_000 }

/** Creates the proxy. With `access`, clients must send the password. */
function createProxyServer(context: GuardContext, access: Guard['access'], sockets: Set<net.Socket>): http.Server {
  const expectedAuthorization = access && `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`
  const isAuthorized = (request: http.IncomingMessage): boolean =>
    expectedAuthorization === null || request.headers['proxy-authorization'] === expectedAuthorization
  const server = http.createServer({ maxHeaderSize: 256 * 1024, keepAliveTimeout: 65_000 })
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('request', (request, response) => {
    // A disconnecting browser is not an error.
    response.on('error', () => {})
    if (isAuthorized(request)) return forwardRequest(context, request, response)
    return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="guard"' }).end()
  })
  server.on('connect', (request, socket: net.Socket, head) => {
    if (isAuthorized(request)) return void openTunnel(context, request, socket, head).catch(() => socket.destroy())
    return void socket.end(
      'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="guard"\r\nContent-Length: 0\r\n\r\n',
    )
  })
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const hasLargeHeaders = error.code === 'HPE_HEADER_OVERFLOW' && socket.writable
    if (hasLargeHeaders) socket.end('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n')
    else socket.destroy()
  })
  return server
}

/**
 * Opens a forward proxy on a free port. All browser traffic of a run passes through it: pages, redirects, sub-resources, workers
 * and WebSockets. It refuses addresses that `dial` refuses, and limits bytes and idle time. `verify`: see `GuardContext`. `host`:
 * name under which a browser on another machine reaches the guard, which then requires a password.
 * @throws if no port can be opened.
 */
export async function openGuard(
  dial: DialHost,
  limits: Partial<GuardLimits> = {},
  { verify = null, host = null }: { verify?: GuardContext['verify']; host?: string | null } = {},
): Promise<Guard> {
  const problems = new Map<string, { reportedAt: number; problem: GuardProblem; detail: string }>()
  const sockets = new Set<net.Socket>()
  let totalBytes = 0
  const context: GuardContext = {
    dial,
    verify,
    limits: { ...defaultLimits, ...limits },
    mark: `x-guard-${randomUUID()}`,
    report(authority, problem, detail) {
      if (problems.size > 2000) problems.clear()
      problems.set(authority, { reportedAt: performance.now(), problem, detail })
    },
    received(chunkBytes) {
      totalBytes += chunkBytes
    },
  }
  const access = host === null ? null : { username: 'guard', password: randomUUID() }
  const server = createProxyServer(context, access, sockets)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host === null ? '127.0.0.1' : '::', () => resolve())
  })
  const serverAddress = server.address() as net.AddressInfo
  return {
    server: `http://${host ?? '127.0.0.1'}:${serverAddress.port}`,
    access,
    mark: context.mark,
    findProblem(authority, since) {
      const latestProblem = problems.get(authority)
      return latestProblem && latestProblem.reportedAt >= since
        ? { problem: latestProblem.problem, detail: latestProblem.detail }
        : null
    },
    bytesReceived: () => totalBytes,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
