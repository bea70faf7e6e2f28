/** @module-tag slow */
import net, { type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { DialHost } from './dial.ts'
import { findCertificateProblem } from './certificate.ts'
import { openFetch } from './fetch.ts'

/** Fetches over TLS from a server that runs `respond` for each connection. */
async function fetchFrom(respond: (socket: net.Socket) => void) {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => respond(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fakeDial: DialHost = () => Promise.resolve({ ok: true, socket: net.connect(port, '127.0.0.1') })
  const { fetchFile, close } = openFetch(fakeDial)
  const fetchedFile = await fetchFile('https://site.test/paper.pdf', 1000)
  await close()
  server.close()
  return fetchedFile
}

it('reports a connection that breaks during the handshake as failed, not as a bad certificate', async () => {
  expect(await fetchFrom((socket) => socket.destroy())).toMatchObject({ reason: 'connection-failed' })
})
it('reports a non-TLS response as a bad certificate', async () => {
  expect(await fetchFrom((socket) => socket.end('no TLS here'))).toMatchObject({ reason: 'bad-certificate' })
})
it('a server that never completes the handshake times out', async () => {
  const fetchedFile = await fetchFrom(() => undefined)
  expect(fetchedFile).toMatchObject({ reason: 'timeout-download', detail: 'site.test: no TLS connection within 10000 ms' })
}, 30_000)
it('stops waiting for a certificate that never arrives', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined)
    // One byte per second is not silence.
    const dripTimer = setInterval(() => socket.write('\x16'), 1000)
    socket.on('close', () => clearInterval(dripTimer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const fakeDial: DialHost = () => Promise.resolve({ ok: true, socket: net.connect(port, '127.0.0.1') })
  expect(await findCertificateProblem(fakeDial, 'site.test', 443)).toBe(null)
  server.close()
}, 30_000)
