import { expect, it, onTestFinished, vi } from 'vitest'
import { acceptSockets, html, useTestPool, useTestSite, useTestTab } from '../../test/harness.ts'

const pool = useTestPool()
const site = useTestSite(() => ({ '/': html('Sockets', '') }))
const opened = useTestTab(pool)

it('the sockets of a previous page neither end nor prolong the wait of the next page', async () => {
  const sockets = acceptSockets(site)
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
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
