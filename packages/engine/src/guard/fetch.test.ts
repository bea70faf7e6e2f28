import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Dial } from '@clearway/contract/kit/dial.ts'
import { openFetch } from './fetch.ts'

/** Fetches over TLS from a server that does so with each connection. */
async function fetchFrom(answer: (socket: net.Socket) => void) {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dial: Dial = () => Promise.resolve({ ok: true, socket: net.connect(port, '127.0.0.1') })
  const { fetchFile, close } = openFetch(dial)
  const file = await fetchFile('https://site.test/paper.pdf', 1000)
  await close()
  server.close()
  return file
}

it('calls a connection that breaks during the handshake broken, not its certificate bad', async () => {
  expect(await fetchFrom((socket) => socket.destroy())).toMatchObject({ reason: 'connection-failed' })
})
it('calls what is no TLS a bad certificate', async () => {
  expect(await fetchFrom((socket) => socket.end('no TLS here'))).toMatchObject({ reason: 'bad-certificate' })
})
