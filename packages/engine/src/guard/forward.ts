import http from 'node:http'
import type net from 'node:net'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
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
    context.dial(options.host, options.port).then(
      (dialled) =>
        dialled.ok
          ? done(null, dialled.socket)
          : done(Object.assign(new Error(dialled.detail), { guard: dialled.problem })),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }) as typeof agent.createConnection
  agents.set(client, agent)
  client.once('close', () => agent.destroy())
  return agent
}

type Refuse = (problem: GuardProblem, detail: string) => void

/** Makes the guard's own answer to a request. The first reason counts: what is torn down for it fails, too. */
function refuser(context: GuardContext, response: http.ServerResponse, authority: string): Refuse {
  let refused = false
  return (problem, detail) => {
    // A browser that left gets nothing, and what ends for it is not the site's doing.
    if (refused || response.destroyed) return
    refused = true
    context.report(authority, problem, detail)
    if (response.headersSent) return void response.destroy()
    response.writeHead(502, { [context.mark]: problem, 'content-type': 'text/plain' }).end(problem)
  }
}

/** Answers that announce others; a site needs a few at most. */
const mostInformation = 100

/** Passes one plain-HTTP request on and its answer back, both bounded. Whatever the site answers, it never throws. */
export function forward(
  context: GuardContext,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const url = URL.parse(request.url ?? '')
  if (!url || url.protocol !== 'http:') return void response.writeHead(400).end()
  const refuse = refuser(context, response, authorityOf(url))
  let upstream: http.ClientRequest
  try {
    upstream = ask(context, request, url)
  } catch (error) {
    // Node refuses what it could not write as a request.
    return refuse('connection-failed', error instanceof Error ? error.message : String(error))
  }
  upstream.setTimeout(context.limits.idleMs, () => {
    refuse('timeout', `${url.host} sent nothing for ${context.limits.idleMs} ms`)
    upstream.destroy()
  })
  upstream.on('error', (error) =>
    refuse('guard' in error ? (error.guard as GuardProblem) : 'connection-failed', error.message),
  )
  let information = 0
  upstream.on('information', () => {
    information += 1
    if (information <= mostInformation) return
    refuse('connection-failed', `${url.host} sent more than ${mostInformation} interim answers`)
    upstream.destroy()
  })
  upstream.on('upgrade', (_answer, socket) => {
    socket.destroy()
    refuse('connection-failed', `${url.host} switched protocols without being asked to`)
  })
  upstream.on('response', (answer) => relay(context, answer, response, { url, refuse }))
  request.on('error', () => upstream.destroy())
  response.on('error', () => upstream.destroy())
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  request.pipe(upstream)
}

const ask = (context: GuardContext, request: http.IncomingMessage, url: URL): http.ClientRequest =>
  http.request({
    host: url.hostname,
    port: Number(url.port || 80),
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: passable(request.rawHeaders) as unknown as http.OutgoingHttpHeaders,
    agent: agentFor(context, request.socket),
    // Chromium reads what servers really send; the strict parser of Node would turn some of it into failures.
    insecureHTTPParser: true,
    maxHeaderSize: 256 * 1024,
  })

function relay(
  context: GuardContext,
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  { url, refuse }: { url: URL; refuse: Refuse },
): void {
  // What breaks off emits `aborted`; an error without a listener would end the process.
  answer.on('error', () => {})
  const status = answer.statusCode ?? 0
  const words = answer.statusMessage?.replace(/[^\x20-\x7e]/g, '')
  try {
    if (response.headersSent || response.destroyed) return void answer.destroy()
    response.writeHead(status, words, passable(answer.rawHeaders))
  } catch {
    // A status below 100, or headers that contradict each other: nothing that a browser could be sent.
    refuse('connection-failed', `${url.host} sent an answer that is not HTTP (status ${status})`)
    return void answer.destroy()
  }
  let left = context.limits.responseBytes
  answer.on('data', (chunk: Buffer) => {
    context.received(chunk.length)
    left -= chunk.length
    if (left >= 0) return
    context.report(url.href, 'too-large', `more than ${context.limits.responseBytes} bytes in one response`)
    answer.destroy()
    response.destroy()
  })
  answer.on('aborted', () => response.destroy())
  if (status === 204 || status === 304) {
    // What follows is not content, whatever the site sends.
    answer.resume()
    return void response.end()
  }
  answer.pipe(response)
}
