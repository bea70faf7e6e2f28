/** @module-tag slow */
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
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

const text = Array.from({ length: 2000 }, (_, index) => `http://site.test/${index * 7919}`).join('\n')
const halve = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)
const cut = { ok: false, reason: 'connection-failed', detail: 'The answer is cut off: its compressed data has no end' }
it.each<[string, string, Buffer, object]>([
  ['gzip', 'gzip', gzipSync(text), { ok: true }],
  ['gzip with other data behind it', 'gzip', Buffer.concat([gzipSync(text), Buffer.from('<!-- cached -->')]), { ok: true }],
  ['brotli', 'br', brotliCompressSync(text), { ok: true }],
  ['deflate', 'deflate', deflateSync(text), { ok: true }],
  ['gzip twice', 'gzip, gzip', gzipSync(gzipSync(text)), { ok: true }],
  ['an unknown encoding', 'utf-8', Buffer.from(text), { ok: true }],
  ['half of gzip', 'gzip', halve(gzipSync(text)), cut],
  ['gzip without its checksum', 'gzip', gzipSync(text).subarray(0, -8), cut],
  ['half of brotli', 'br', halve(brotliCompressSync(text)), cut],
  ['half of gzip twice', 'gzip, gzip', gzipSync(halve(gzipSync(text))), cut],
  ['what is not compressed', 'gzip', Buffer.from(text), { ok: false, reason: 'connection-failed' }],
])('reads a body whole or not at all: %s', async (_, encoding, body, expected) => {
  const server = createServer((__, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { fetchFile, fetchText, close } = openFetch(() => Promise.resolve({ ok: true, socket: net.connect(port, '127.0.0.1') }))
  const fetchedFile = await fetchFile('http://site.test/urls.txt', 1_000_000)
  expect(fetchedFile).toMatchObject(expected)
  if (fetchedFile.ok) expect(fetchedFile.bytes.toString()).toBe(text)
  expect((await fetchText('http://site.test/robots.txt', 'Test')).ok).toBe(fetchedFile.ok)
  expect((await fetchFile('http://site.test/urls.txt', 1000)).ok).toBe(false)
  await close()
  server.close()
})
