import http from 'node:http'
import type net from 'node:net'
import type { GuardContext, GuardProblem } from './context.ts'

/** Headers that belong to one connection, not to the message. */
const perConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function passable(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!
    const value = raw[i + 1]!
    if (perConnection.has(name.toLowerCase())) continue
    try {
      http.validateHeaderName(name)
      http.validateHeaderValue(name, value)
    } catch {
      continue
    }
    kept.push(name, value)
  }
  return kept
}

/**
 * One agent for each socket of the browser: a connection that a site has tied to one client's sign-in (NTLM) is never
 * used for another.
 */
const agents = new WeakMap<net.Socket, http.Agent>()

function agentFor(context: GuardContext, client: net.Socket): http.Agent {
  const known = agents.get(client)
  if (known) return known
  const agent = new http.Agent({
    keepAlive: true,
    maxSockets: 1,
    maxFreeSockets: 1,
    timeout: context.limits.idleMs,
  })
  agent.createConnection = ((
    options: { host: string; port: number },
    done: (error: Error | null, socket?: net.Socket) => void,
  ) => {
    void context.dial(options.host, options.port).then((dialled) => {
      if (dialled.ok) return done(null, dialled.socket)
      done(Object.assign(new Error(dialled.detail), { guard: dialled.problem }))
    })
  }) as typeof agent.createConnection
  agents.set(client, agent)
  client.once('close', () => agent.destroy())
  return agent
}

function refuse(
  context: GuardContext,
  response: http.ServerResponse,
  authority: string,
  problem: GuardProblem,
  detail: string,
): void {
  context.report(authority, problem, detail)
  if (response.headersSent) return void response.destroy()
  response.writeHead(502, { [context.mark]: problem, 'content-type': 'text/plain' }).end(problem)
}

/** Passes one plain-HTTP request on and its answer back, both bounded. */
export function forward(
  context: GuardContext,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const url = URL.parse(request.url ?? '')
  if (!url || url.protocol !== 'http:') return void response.writeHead(400).end()
  const port = Number(url.port || 80)
  const authority = `${url.hostname}:${port}`
  const upstream = http.request({
    host: url.hostname,
    port,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: passable(request.rawHeaders) as unknown as http.OutgoingHttpHeaders,
    agent: agentFor(context, request.socket),
    // Chromium reads what servers really send; the strict parser of Node would turn some of it into failures.
    insecureHTTPParser: true,
    maxHeaderSize: 256 * 1024,
  })
  upstream.setTimeout(context.limits.idleMs, () => {
    refuse(
      context,
      response,
      authority,
      'timeout',
      `${url.host} sent nothing for ${context.limits.idleMs} ms`,
    )
    upstream.destroy()
  })
  upstream.on('error', (error) => {
    const problem = 'guard' in error ? (error.guard as GuardProblem) : 'connection-failed'
    refuse(context, response, authority, problem, error.message)
  })
  upstream.on('response', (answer) => relay(context, answer, response, url.href))
  request.on('error', () => upstream.destroy())
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  request.pipe(upstream)
}

function relay(
  context: GuardContext,
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  address: string,
): void {
  let left = context.limits.responseBytes
  answer.on('data', (chunk: Buffer) => {
    context.received(chunk.length)
    left -= chunk.length
    if (left >= 0) return
    context.report(address, 'too-large', `more than ${context.limits.responseBytes} bytes in one response`)
    answer.destroy()
    response.destroy()
  })
  answer.on('error', () => response.destroy())
  answer.on('aborted', () => response.destroy())
  const status = answer.statusCode ?? 502
  response.writeHead(status, answer.statusMessage?.replace(/[^\x20-\x7e]/g, ''), passable(answer.rawHeaders))
  answer.pipe(response)
}
