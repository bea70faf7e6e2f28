/** @module-tag slow */
import dgram from 'node:dgram'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readExpected, sortFindings } from '../../../fixtures/site/expected.ts'
import { startSite } from '../../../fixtures/site/serve.ts'
import { killTree } from './browser/process-tree.ts'
import type { PageOutcome } from './outcome.ts'
import { describeOutcome, html, listRules, serve, tryScan, type Route, type TestScan, useTestPool } from '../test/harness.ts'

const pool = useTestPool()

const getFindings = (outcome: PageOutcome | undefined) => (outcome?.kind === 'completed' ? outcome.findings : [])

/** Parts of a result that must be identical in every run. */
const summarizeScan = ({ pages, order }: TestScan) =>
  [...order].sort().map((path) => {
    const page = pages[path]
    return [
      path,
      describeOutcome(page),
      getFindings(page).map((finding) => [finding.rule, finding.severity, finding.target, finding.elementKey, finding.ordinal]),
    ]
  })

describe('the fixture site', () => {
  let site: Awaited<ReturnType<typeof startSite>>
  let testScan: TestScan
  beforeAll(async () => {
    site = await startSite()
    testScan = await tryScan(pool, { origin: site.url }, { advanced: { pageTimeoutMs: 15_000, savePictures: true } })
  })
  afterAll(() => site.close())

  it('matches plain axe findings and the planted outcomes on each page', () => {
    const expectedResults = readExpected()
    const completed: Record<string, unknown> = {}
    const failed: Record<string, string> = {}
    for (const [path, page] of Object.entries(testScan.pages)) {
      // Pages are joined when the run has ended.
      const isJoined = expectedResults.excluded[path] === 'duplicate'
      if (page.kind === 'completed' && !isJoined) completed[path] = sortFindings(page.findings as never)
      if (page.kind === 'failed') failed[path] = page.reason
    }
    expect(completed).toEqual(expectedResults.completed)
    expect(failed).toEqual(expectedResults.failed)
  })

  it('gives every element a unique key and a screenshot', () => {
    const findingEntries = Object.entries(testScan.pages).flatMap(([path, page]) =>
      getFindings(page).map((f) => ({ id: [path, f.rule, f.elementKey, f.ordinal].join(' '), f })),
    )
    expect(new Set(findingEntries.map(({ id }) => id)).size).toBe(findingEntries.length)
    expect(findingEntries.filter(({ f: finding }) => finding.elementKey.startsWith('selector '))).toEqual([])
    const pictured = findingEntries.filter(({ f: finding }) => finding.picture)
    expect(pictured.length).toBeGreaterThan(30)
    // A page has few screenshots, which its findings share.
    for (const page of Object.values(testScan.pages))
      if (page.kind === 'completed') expect([1, 2, 3]).toContain(page.views?.length)
    for (const { f: finding } of pictured) {
      expect([...finding.picture!.image.subarray(0, 2)]).toEqual([0xff, 0xd8])
      expect(finding.picture!.image.length).toBeLessThanOrEqual(400 * 1024)
    }
  })

  it('gives identical results in repeated runs', async () => {
    const options = { advanced: { pageTimeoutMs: 5000 }, plan: { pageLimit: 25 } }
    const runSummaries = []
    for (let run = 0; run < 3; run++) runSummaries.push(summarizeScan(await tryScan(pool, { origin: site.url }, options)))
    expect(runSummaries[0]!.length).toBeGreaterThanOrEqual(25)
    expect(runSummaries[1]).toEqual(runSummaries[0])
    expect(runSummaries[2]).toEqual(runSummaries[0])
  })
})

it('loses no page when the browser is killed', async () => {
  const routes: Record<string, Route> = {
    '/': html('Home', Array.from({ length: 12 }, (_, i) => `<p><a href="/${i}">page ${i}</a></p>`).join('')),
  }
  for (let i = 0; i < 12; i++) routes[`/${i}`] = html(`Page ${i}`, '<img src="x.png">')
  const site = await serve(routes)
  let killCount = 0
  const testScan = await tryScan(pool, site, {
    onRecorded(path) {
      if (path !== '/3' && path !== '/7') return
      killCount += 1
      for (const pid of pool.processes()) killTree(pid)
    },
  })
  await site.close()
  expect(killCount).toBe(2)
  expect(testScan.end).toEqual({ kind: 'drained' })
  expect([...testScan.order].sort()).toEqual(Object.keys(routes).sort())
  for (const path of testScan.order.filter((p) => p !== '/')) expect(listRules(testScan.pages[path])).toEqual(['image-alt'])
})

it('reaches no forbidden address by any API available to a page', async () => {
  const reachedTargets: string[] = []
  const privateServer = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => reachedTargets.push(data.toString('latin1').split('\r\n')[0]!))
  })
  await new Promise<void>((resolve) => privateServer.listen(0, '127.0.0.2', () => resolve()))
  const { port } = privateServer.address() as net.AddressInfo
  const udp = dgram.createSocket('udp4').on('message', () => reachedTargets.push('udp'))
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.2', () => resolve()))
  const privateHost = `127.0.0.2:${port}`
  const site = await serve({
    '/': html(
      'Vectors',
      `<img alt="" src="http://${privateHost}/img"><img alt="" src="/hop"><iframe title="f" src="http://${privateHost}/frame"></iframe>
      <link rel="preload" as="fetch" href="http://${privateHost}/preload"><video src="http://${privateHost}/video"></video>
      <script>
        fetch('http://${privateHost}/fetch', { mode: 'no-cors' }).catch(() => {})
        fetch('/hop').catch(() => {})
        navigator.sendBeacon('http://${privateHost}/beacon')
        new WebSocket('ws://${privateHost}/socket')
        new EventSource('http://${privateHost}/events')
        new Worker(URL.createObjectURL(new Blob(['fetch("http://${privateHost}/worker",{mode:"no-cors"}).catch(()=>{}); new WebSocket("ws://${privateHost}/worker-socket")'])))
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${privateHost}' }, { urls: 'turn:${privateHost}?transport=tcp', username: 'a', credential: 'b' }] })
        peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
        open('http://${privateHost}/popup')
      </script><a href="/go">redirect</a>`,
    ),
    '/hop': (_, response) => void response.writeHead(302, { location: `http://${privateHost}/hopped` }).end(),
    '/go': (_, response) => void response.writeHead(302, { location: `http://${privateHost}/gone` }).end(),
  })
  const domains = [new URL(site.origin).host, privateHost]
  const testScan = await tryScan(pool, site, { plan: { allowPrivate: ['127.0.0.1'], domains } })
  await site.close()
  privateServer.close()
  udp.close()
  expect(describeOutcome(testScan.pages['/'])).toBe('completed')
  expect(describeOutcome(testScan.pages['/go'])).toBe('excluded redirect')
  expect(describeOutcome(testScan.pages[`http://${privateHost}/gone`])).toBe('failed address-refused')
  expect(reachedTargets).toEqual([])
})

it('reports why nothing could be scanned', async () => {
  const site = await serve({
    '/away': (_, response) => void response.writeHead(302, { location: 'http://localhost:1/' }).end(),
  })
  const failedScan = await tryScan(pool, site, {
    urls: ['/missing', 'http://no-such-host.invalid/'],
    plan: { domains: ['no-such-host.invalid', new URL(site.origin).host] },
  })
  expect(failedScan.end).toMatchObject({ kind: 'problem', problem: 'start-urls-failed' })
  expect(failedScan.end).toMatchObject({ detail: expect.stringContaining('/missing: http-404') as string })
  expect(describeOutcome(failedScan.pages['http://no-such-host.invalid/'])).toBe('failed unknown-host')
  const leavingScan = await tryScan(pool, site, { urls: ['/away'] })
  expect(leavingScan.end).toMatchObject({ kind: 'problem', problem: 'start-url-leaves-domains' })
  const invalidScan = await tryScan(pool, site, { plan: { urls: ['http://me:secret@127.0.0.1/'] } })
  expect(Object.values(invalidScan.pages).map(describeOutcome)).toEqual(['failed bad-url'])
  await site.close()
})
