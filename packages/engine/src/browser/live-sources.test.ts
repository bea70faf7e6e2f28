import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { html, useTestPool, useTestSite, useTestTab } from '../../test/harness.ts'

const pool = useTestPool()
const site = useTestSite(() => ({ '/': html('Sockets', '') }))
const opened = useTestTab(pool)

it('the sockets of a previous page neither end nor prolong the wait of the next page', async () => {
  const sockets: Duplex[] = []
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  site.server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
  })
  const { page, traffic } = opened.tab
  await page.goto(site.origin)
  const openSocket = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const socket = new WebSocket(`ws://${location.host}/socket`)
          socket.addEventListener('open', resolve)
          socket.addEventListener('close', () => (document.title += ' closed'))
        }),
    )
  await openSocket()
  traffic.reset()
  await openSocket()
  await vi.waitFor(() => expect(traffic.getSocketWaitMs()).toBeGreaterThan(1500))
  sockets[0]!.destroy()
  await vi.waitFor(async () => expect(await page.title()).toContain('closed'))
  expect(traffic.getSocketWaitMs()).toBeGreaterThan(1000)
})
