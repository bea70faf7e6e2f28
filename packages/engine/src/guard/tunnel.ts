import type http from 'node:http'
import type net from 'node:net'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { findCertificateProblem } from './certificate.ts'
import type { GuardContext, GuardProblem } from './context.ts'

const byteWindowMs = 60_000

/** Opens a tunnel (HTTPS, WebSocket) to a checked address. Limits its bytes per minute and its idle time. */
export async function openTunnel(
  context: GuardContext,
  request: http.IncomingMessage,
  client: net.Socket,
  head: Buffer,
): Promise<void> {
  // The URL parser normalizes decimal, hexadecimal and short forms of an address.
  const targetUrl = URL.parse(`https://${request.url ?? ''}`)
  if (!targetUrl) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  const port = Number(targetUrl.port || 443)
  const hostAuthority = authorityOf(targetUrl)
  const refuseTunnel = (problem: GuardProblem, detail: string) => {
    context.report(hostAuthority, problem, detail)
    client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  }
  if (context.verify && !context.verify(targetUrl)) {
    const certificateIssue = await findCertificateProblem(context.dial, targetUrl.hostname, port)
    if (certificateIssue !== null) return refuseTunnel('bad-certificate', certificateIssue)
  }
  const dialResult = await context.dial(targetUrl.hostname, port)
  if (!dialResult.ok) return refuseTunnel(dialResult.problem, dialResult.detail)
  const upstreamSocket = dialResult.socket
  if (client.destroyed) return void upstreamSocket.destroy()
  const closeTunnel = () => {
    client.destroy()
    upstreamSocket.destroy()
  }
  let windowStartedAt = performance.now()
  let windowBytes = 0
  upstreamSocket.on('data', (chunk: Buffer) => {
    context.received(chunk.length)
    if (performance.now() - windowStartedAt > byteWindowMs) {
      windowStartedAt = performance.now()
      windowBytes = 0
    }
    windowBytes += chunk.length
    if (windowBytes <= context.limits.responseBytes) return
    context.report(hostAuthority, 'too-large', `more than ${context.limits.responseBytes} bytes within a minute`)
    closeTunnel()
  })
  for (const socket of [client, upstreamSocket]) {
    socket.setTimeout(context.limits.idleMs, closeTunnel)
    socket.on('error', closeTunnel)
    socket.on('close', closeTunnel)
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) upstreamSocket.write(head)
  client.pipe(upstreamSocket)
  upstreamSocket.pipe(client)
}
