import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Receiver = { url: string; close: () => Promise<unknown> }

/** Another program on this machine: hands on what it is sent, and thanks for it. */
export async function startReceiver(
  received: (headers: IncomingHttpHeaders, body: string) => void,
): Promise<Receiver> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received(request.headers, Buffer.concat(parts).toString('utf8'))
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) }
}
