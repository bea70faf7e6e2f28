import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Dial } from '@clearway/contract/kit/dial.ts'
import { certificateProblem } from './certificate.ts'
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
it('a server that accepts and then never shakes hands does not keep a worker waiting', async () => {
  const file = await fetchFrom(() => undefined)
  expect(file).toMatchObject({
    reason: 'timeout-download',
    detail: 'site.test: no TLS connection within 10000 ms',
  })
}, 30_000)
it('a certificate that never comes is none, and is not waited for', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    // A byte a second is not silence.
    const drip = setInterval(() => socket.write('\x16'), 1000)
    socket.on('close', () => clearInterval(drip))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dial: Dial = () => Promise.resolve({ ok: true, socket: net.connect(port, '127.0.0.1') })
  expect(await certificateProblem(dial, 'site.test', 443)).toBe(null)
  server.close()
}, 30_000)
