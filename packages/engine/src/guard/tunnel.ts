import type http from 'node:http'
import type net from 'node:net'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { certificateProblem } from './certificate.ts'
import type { GuardContext, GuardProblem } from './context.ts'

const windowMs = 60_000

/** Opens a tunnel (HTTPS, WebSocket) to a checked address, and bounds its bytes a minute and its idle time. */
export async function tunnel(
  context: GuardContext,
  request: http.IncomingMessage,
  client: net.Socket,
  head: Buffer,
): Promise<void> {
  // The URL parser turns decimal, hexadecimal and short forms of an address into the usual one.
  const url = URL.parse(`https://${request.url ?? ''}`)
  if (!url) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  const port = Number(url.port || 443)
  const authority = authorityOf(url)
  const refuse = (problem: GuardProblem, detail: string) => {
    context.report(authority, problem, detail)
    client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  }
  if (context.verify && !context.verify(url)) {
    const wrong = await certificateProblem(context.dial, url.hostname, port)
    if (wrong !== null) return refuse('bad-certificate', wrong)
  }
  const dialled = await context.dial(url.hostname, port)
  if (!dialled.ok) return refuse(dialled.problem, dialled.detail)
  const upstream = dialled.socket
  if (client.destroyed) return void upstream.destroy()
  const end = () => {
    client.destroy()
    upstream.destroy()
  }
  let windowStart = performance.now()
  let inWindow = 0
  upstream.on('data', (chunk: Buffer) => {
    context.received(chunk.length)
    if (performance.now() - windowStart > windowMs) {
      windowStart = performance.now()
      inWindow = 0
    }
    inWindow += chunk.length
    if (inWindow <= context.limits.responseBytes) return
    context.report(authority, 'too-large', `more than ${context.limits.responseBytes} bytes within a minute`)
    end()
  })
  for (const socket of [client, upstream]) {
    socket.setTimeout(context.limits.idleMs, end)
    socket.on('error', end)
    socket.on('close', end)
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  client.pipe(upstream)
  upstream.pipe(client)
}
