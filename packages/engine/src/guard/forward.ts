import http from 'node:http'
import type net from 'node:net'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import type { GuardContext, GuardProblem } from './context.ts'

/** Headers that apply to one connection, not to the message. */
const hopByHopHeaders = new Set([
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

function filterHeaders(rawHeaders: readonly string[]): string[] {
  const keptHeaders: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const headerName = rawHeaders[i]!
    const headerValue = rawHeaders[i + 1]!
    if (hopByHopHeaders.has(headerName.toLowerCase())) continue
    try {
      http.validateHeaderName(headerName)
      http.validateHeaderValue(headerName, headerValue)
    } catch {
      continue
    }
    keptHeaders.push(headerName, headerValue)
  }
  return keptHeaders
}

/**
 * One agent per browser socket: a connection that a site has bound to one client's sign-in (NTLM) is never reused for
 * another client.
 */
const agentsBySocket = new WeakMap<net.Socket, http.Agent>()

function getOrCreateAgent(context: GuardContext, client: net.Socket): http.Agent {
  const existingAgent = agentsBySocket.get(client)
  if (existingAgent) return existingAgent
  const newAgent = new http.Agent({ keepAlive: true, maxSockets: 1, maxFreeSockets: 1, timeout: context.limits.idleMs })
  newAgent.createConnection = ((
    connectOptions: { host: string; port: number },
    onConnected: (error: Error | null, socket?: net.Socket) => void,
  ) => {
    context.dial(connectOptions.host, connectOptions.port).then(
      (dialResult) =>
        dialResult.ok
          ? onConnected(null, dialResult.socket)
          : onConnected(Object.assign(new Error(dialResult.detail), { guard: dialResult.problem })),
      (error: unknown) => onConnected(error instanceof Error ? error : new Error(String(error))),
    )
  }) as typeof newAgent.createConnection
  agentsBySocket.set(client, newAgent)
  client.once('close', () => newAgent.destroy())
  return newAgent
}

type Refuse = (problem: GuardProblem, detail: string) => void

/**
 * Creates the function that sends the guard's own response. Only the first reason counts, because closing the
 * connection causes further errors.
 */
function createRefuser(context: GuardContext, response: http.ServerResponse, authority: string): Refuse {
  let isRefused = false
  return (problem, detail) => {
    // The browser is gone, so resulting errors are not the site's fault.
    if (isRefused || response.destroyed) return
    isRefused = true
    context.report(authority, problem, detail)
    if (response.headersSent) return void response.destroy()
    response.writeHead(502, { [context.mark]: problem, 'content-type': 'text/plain' }).end(problem)
  }
}

/** Maximum number of interim (1xx) responses. Sites need a few at most. */
const maxInterimResponses = 100

/** Forwards one plain-HTTP request and its response, both bounded. Never throws, regardless of the response. */
export function forwardRequest(context: GuardContext, request: http.IncomingMessage, response: http.ServerResponse): void {
  const targetUrl = URL.parse(request.url ?? '')
  if (!targetUrl || targetUrl.protocol !== 'http:') return void response.writeHead(400).end()
  const refuseRequest = createRefuser(context, response, authorityOf(targetUrl))
  let upstreamRequest: http.ClientRequest
  try {
    upstreamRequest = sendUpstream(context, request, targetUrl)
  } catch (error) {
    // Node rejects requests that it cannot serialize.
    return refuseRequest('connection-failed', error instanceof Error ? error.message : String(error))
  }
  upstreamRequest.setTimeout(context.limits.idleMs, () => {
    refuseRequest('timeout', `${targetUrl.host} sent nothing for ${context.limits.idleMs} ms`)
    upstreamRequest.destroy()
  })
  upstreamRequest.on('error', (error) =>
    refuseRequest('guard' in error ? (error.guard as GuardProblem) : 'connection-failed', error.message),
  )
  let interimCount = 0
  upstreamRequest.on('information', () => {
    interimCount += 1
    if (interimCount <= maxInterimResponses) return
    refuseRequest('connection-failed', `${targetUrl.host} sent more than ${maxInterimResponses} interim answers`)
    upstreamRequest.destroy()
  })
  upstreamRequest.on('upgrade', (_answer, socket) => {
    socket.destroy()
    refuseRequest('connection-failed', `${targetUrl.host} switched protocols without being asked to`)
  })
  upstreamRequest.on('response', (upstreamResponse) =>
    relayResponse(context, upstreamResponse, response, { url: targetUrl, refuse: refuseRequest }),
  )
  request.on('error', () => upstreamRequest.destroy())
  response.on('error', () => upstreamRequest.destroy())
  response.on('close', () => {
    if (!response.writableFinished) upstreamRequest.destroy()
  })
  request.pipe(upstreamRequest)
}

const sendUpstream = (context: GuardContext, request: http.IncomingMessage, url: URL): http.ClientRequest =>
  http.request({
    host: url.hostname,
    port: Number(url.port || 80),
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: filterHeaders(request.rawHeaders) as unknown as http.OutgoingHttpHeaders,
    agent: getOrCreateAgent(context, request.socket),
    // Lenient like Chromium. Node's strict parser would reject some real servers' responses.
    insecureHTTPParser: true,
    maxHeaderSize: 256 * 1024,
  })

function relayResponse(
  context: GuardContext,
  upstreamResponse: http.IncomingMessage,
  response: http.ServerResponse,
  { url, refuse }: { url: URL; refuse: Refuse },
): void {
  // Handled by `aborted`; without an error listener the process would end.
  upstreamResponse.on('error', () => {})
  const statusCode = upstreamResponse.statusCode ?? 0
  const statusText = upstreamResponse.statusMessage?.replace(/[^\x20-\x7e]/g, '')
  try {
    if (response.headersSent || response.destroyed) return void upstreamResponse.destroy()
    response.writeHead(statusCode, statusText, filterHeaders(upstreamResponse.rawHeaders))
  } catch {
    // A status below 100 or contradictory headers cannot be forwarded to a browser.
    refuse('connection-failed', `${url.host} sent an answer that is not HTTP (status ${statusCode})`)
    return void upstreamResponse.destroy()
  }
  let remainingBytes = context.limits.responseBytes
  upstreamResponse.on('data', (chunk: Buffer) => {
    context.received(chunk.length)
    remainingBytes -= chunk.length
    if (remainingBytes >= 0) return
    context.report(url.href, 'too-large', `more than ${context.limits.responseBytes} bytes in one response`)
    upstreamResponse.destroy()
    response.destroy()
  })
  upstreamResponse.on('aborted', () => response.destroy())
  if (statusCode === 204 || statusCode === 304) {
    // Ignores bytes that follow a response without content.
    upstreamResponse.resume()
    return void response.end()
  }
  upstreamResponse.pipe(response)
}
