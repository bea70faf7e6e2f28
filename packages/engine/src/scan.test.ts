import dgram from 'node:dgram'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readExpected, sorted } from '../../../fixtures/site/expected.ts'
import { startSite } from '../../../fixtures/site/serve.ts'
import { killTree } from './browser/process-tree.ts'
import type { PageOutcome } from './outcome.ts'
import {
  fate,
  html,
  rulesOf,
  serve,
  tryScan,
  type Route,
  type TestScan,
  poolOfFile,
} from '../test/harness.ts'

const pool = poolOfFile()

const findingsOf = (outcome: PageOutcome | undefined) =>
  outcome?.kind === 'completed' ? outcome.findings : []

/** Everything of a result that has to be the same in every run. */
const fingerprint = ({ pages, order }: TestScan) =>
  [...order].sort().map((path) => {
    const page = pages[path]
    return [
      path,
      fate(page),
      findingsOf(page).map((f) => [f.rule, f.severity, f.target, f.elementKey, f.ordinal]),
    ]
  })

describe('the fixture site', () => {
  let site: Awaited<ReturnType<typeof startSite>>
  let scanned: TestScan
  beforeAll(async () => {
    site = await startSite()
    scanned = await tryScan(
      pool,
      { origin: site.url },
      { advanced: { pageTimeoutMs: 15_000, savePictures: true } },
    )
  })
  afterAll(() => site.close())

  it('gives what axe alone finds on each page, and the outcomes that were planted', () => {
    const expected = readExpected()
    const completed: Record<string, unknown> = {}
    const failed: Record<string, string> = {}
    for (const [path, page] of Object.entries(scanned.pages)) {
      if (page.kind === 'completed') completed[path] = sorted(page.findings as never)
      if (page.kind === 'failed') failed[path] = page.reason
    }
    expect(completed).toEqual(expected.completed)
    expect(failed).toEqual(expected.failed)
  })

  it('names every element once, and shows it', () => {
    const all = Object.entries(scanned.pages).flatMap(([path, page]) =>
      findingsOf(page).map((f) => ({ id: [path, f.rule, f.elementKey, f.ordinal].join(' '), f })),
    )
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.filter(({ f }) => f.elementKey.startsWith('selector '))).toEqual([])
    const shown = all.filter(({ f }) => f.picture)
    expect(shown.length).toBeGreaterThan(30)
    // A page's photographs are few, and what is found on it shares them.
    for (const page of Object.values(scanned.pages))
      if (page.kind === 'completed') expect([1, 2, 3]).toContain(page.views?.length)
    for (const { f } of shown) {
      expect([...f.picture!.image.subarray(0, 2)]).toEqual([0xff, 0xd8])
      expect(f.picture!.image.length).toBeLessThanOrEqual(400 * 1024)
    }
  })

  it('gives the same again, and again', async () => {
    const options = { advanced: { pageTimeoutMs: 5000 }, plan: { pageLimit: 25 } }
    const runs = []
    for (let run = 0; run < 3; run++)
      runs.push(fingerprint(await tryScan(pool, { origin: site.url }, options)))
    expect(runs[0]!.length).toBeGreaterThanOrEqual(25)
    expect(runs[1]).toEqual(runs[0])
    expect(runs[2]).toEqual(runs[0])
  })
})

it('loses no page when the browser is killed', async () => {
  const routes: Record<string, Route> = {
    '/': html('Home', Array.from({ length: 12 }, (_, i) => `<p><a href="/${i}">page ${i}</a></p>`).join('')),
  }
  for (let i = 0; i < 12; i++) routes[`/${i}`] = html(`Page ${i}`, '<img src="x.png">')
  const site = await serve(routes)
  let kills = 0
  const scanned = await tryScan(pool, site, {
    onRecorded(path) {
      if (path !== '/3' && path !== '/7') return
      kills += 1
      for (const pid of pool.processes()) killTree(pid)
    },
  })
  await site.close()
  expect(kills).toBe(2)
  expect(scanned.end).toEqual({ kind: 'drained' })
  expect([...scanned.order].sort()).toEqual(Object.keys(routes).sort())
  for (const path of scanned.order.filter((p) => p !== '/'))
    expect(rulesOf(scanned.pages[path])).toEqual(['image-alt'])
})

it('reaches no address that it may not, by any way a page knows', async () => {
  const reached: string[] = []
  const inner = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => reached.push(data.toString('latin1').split('\r\n')[0]!))
  })
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.2', () => resolve()))
  const { port } = inner.address() as net.AddressInfo
  const udp = dgram.createSocket('udp4').on('message', () => reached.push('udp'))
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.2', () => resolve()))
  const at = `127.0.0.2:${port}`
  const site = await serve({
    '/': html(
      'Vectors',
      `<img alt="" src="http://${at}/img"><img alt="" src="/hop"><iframe title="f" src="http://${at}/frame"></iframe>
      <link rel="preload" as="fetch" href="http://${at}/preload"><video src="http://${at}/video"></video>
      <script>
        fetch('http://${at}/fetch', { mode: 'no-cors' }).catch(() => {})
        fetch('/hop').catch(() => {})
        navigator.sendBeacon('http://${at}/beacon')
        new WebSocket('ws://${at}/socket')
        new EventSource('http://${at}/events')
        new Worker(URL.createObjectURL(new Blob(['fetch("http://${at}/worker",{mode:"no-cors"}).catch(()=>{}); new WebSocket("ws://${at}/worker-socket")'])))
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${at}' }, { urls: 'turn:${at}?transport=tcp', username: 'a', credential: 'b' }] })
        peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
        open('http://${at}/popup')
      </script><a href="/go">redirect</a>`,
    ),
    '/hop': (_, response) => void response.writeHead(302, { location: `http://${at}/hopped` }).end(),
    '/go': (_, response) => void response.writeHead(302, { location: `http://${at}/gone` }).end(),
  })
  const domains = [new URL(site.origin).host, at]
  const scanned = await tryScan(pool, site, { plan: { allowPrivate: ['127.0.0.1'], domains } })
  await site.close()
  inner.close()
  udp.close()
  expect(fate(scanned.pages['/'])).toBe('completed')
  expect(fate(scanned.pages['/go'])).toBe('excluded redirect')
  expect(fate(scanned.pages[`http://${at}/gone`])).toBe('failed address-refused')
  expect(reached).toEqual([])
})

it('says why nothing could be scanned', async () => {
  const site = await serve({
    '/away': (_, response) => void response.writeHead(302, { location: 'http://localhost:1/' }).end(),
  })
  const none = await tryScan(pool, site, {
    urls: ['/missing', 'http://no-such-host.invalid/'],
    plan: { domains: ['no-such-host.invalid', new URL(site.origin).host] },
  })
  expect(none.end).toMatchObject({ kind: 'problem', problem: 'start-urls-failed' })
  expect(none.end).toMatchObject({ detail: expect.stringContaining('/missing: http-404') as string })
  expect(fate(none.pages['http://no-such-host.invalid/'])).toBe('failed unknown-host')
  const away = await tryScan(pool, site, { urls: ['/away'] })
  expect(away.end).toMatchObject({ kind: 'problem', problem: 'start-url-leaves-domains' })
  const wrong = await tryScan(pool, site, { plan: { urls: ['http://me:secret@127.0.0.1/'] } })
  expect(Object.values(wrong.pages).map(fate)).toEqual(['failed bad-url'])
  await site.close()
})
