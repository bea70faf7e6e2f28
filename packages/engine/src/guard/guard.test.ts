import net from 'node:net'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRobots } from '../crawl/robots/robots.ts'
import { openFetch } from './fetch.ts'
import { serve, type TestSite } from '../../test/harness.ts'
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialer } from './dial.ts'
import { openGuard, type Guard } from './guard.ts'

let privateServer: TestSite
let privateHits = 0
beforeAll(async () => {
  privateServer = await serve({ '/': (_, response) => void (privateHits++, response.end('secret')) })
})
afterAll(() => privateServer.close())

const getPrivatePort = () => Number(new URL(privateServer.origin).port)
const hostAddresses: Record<string, string[]> = {
  'public.test': ['93.184.215.14'],
  'inner.test': ['127.0.0.1'],
  'mixed.test': ['93.184.215.14', '10.0.0.1'],
}
const resolveHost = async (host: string) => {
  const addresses = hostAddresses[host]
  if (!addresses) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
  return addresses
}
const openStrictDialler = () => openDialer({ rule: createAddressRule([]), hostLookup: resolveHost })

/** Requests a URL through a guard like a browser: plain or by tunnel. */
function requestThroughGuard(guard: Guard, method: 'GET' | 'CONNECT', target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: new URL(guard.server).port, method, path: target, agent: false })
    request.on('response', (response) => (response.resume(), resolve(response.statusCode!)))
    request.on('connect', (response, socket) => (socket.destroy(), resolve(response.statusCode!)))
    request.on('error', reject)
    request.end()
  })
}

const refusedHosts = [
  '127.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '10.1.2.3',
  '[fd00::1]',
  '[64:ff9b::7f00:1]',
  // IPv6: unspecified, IPv4-compatible, link-local, site-local, multicast, 6to4, Teredo, documentation.
  '[::]',
  '[::7f00:1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  // Networks of a local translation to IPv4, and of segment routing.
  '[64:ff9b:1::7f00:1]',
  '[5f00::1]',
  'inner.test',
  'mixed.test',
]

it.each(refusedHosts)('refuses %s, plain and by tunnel', async (host) => {
  const guard = await openGuard(openStrictDialler())
  const hitsBefore = privateHits
  expect(await requestThroughGuard(guard, 'GET', `http://${host}:${getPrivatePort()}/`)).toBe(502)
  expect(await requestThroughGuard(guard, 'CONNECT', `${host}:${getPrivatePort()}`)).toBe(502)
  const authority = `${new URL(`http://${host}`).hostname}:${getPrivatePort()}`
  expect(guard.findProblem(authority, 0)).toMatchObject({ problem: 'address-refused' })
  expect(privateHits).toBe(hitsBefore)
  await guard.close()
})

it('allows only addresses on the allow list', async () => {
  const rule = createAddressRule(['127.0.0.0/8', '10.0.0.1'])
  expect(['127.1.2.3', '::ffff:127.0.0.1', '10.0.0.1', '8.8.8.8'].map(rule)).toEqual([true, true, true, true])
  expect(['10.0.0.2', '::1', 'nonsense'].map(rule)).toEqual([false, false, false])
  const guard = await openGuard(openDialer({ rule, hostLookup: resolveHost }))
  expect(await requestThroughGuard(guard, 'GET', `http://inner.test:${getPrivatePort()}/`)).toBe(200)
  expect(await requestThroughGuard(guard, 'CONNECT', `127.0.0.1:${getPrivatePort()}`)).toBe(200)
  await guard.close()
})

it('dials the checked address despite DNS rebinding', async () => {
  let lookupCount = 0
  const resolveRebinding = async () => [lookupCount++ === 0 ? '127.0.0.9' : '127.0.0.1']
  const rebindingDial = openDialer({ rule: createAddressRule(['127.0.0.9']), hostLookup: resolveRebinding })
  const hitsBefore = privateHits
  const firstDial = await rebindingDial('rebind.test', getPrivatePort())
  if (firstDial.ok) expect(firstDial.socket.remoteAddress).toBe('127.0.0.9')
  await rebindingDial('rebind.test', getPrivatePort()).then((secondDial) => secondDial.ok && secondDial.socket.destroy())
  if (firstDial.ok) firstDial.socket.destroy()
  expect(lookupCount).toBe(1)
  expect(privateHits).toBe(hitsBefore)
})

it('checks each redirect hop of fetches outside the browser', async () => {
  const site = await serve({
    '/robots.txt': (_, response) => void response.writeHead(302, { location: `http://10.255.0.1:${getPrivatePort()}/` }).end(),
  })
  const fetcher = openFetch(openDialer({ rule: createAddressRule(['127.0.0.1']) }))
  const fetched = await fetcher.fetchText(`${site.origin}/robots.txt`, 'test')
  expect(fetched).toMatchObject({ ok: false, why: expect.stringContaining('10.255.0.1') as string })
  const robots = openRobots({ fetchText: fetcher.fetchText, log: () => undefined }, { respect: true, userAgent: 'test' })
  expect(await robots.findRefusal(new URL(`${site.origin}/page`))).toMatch(
    /cannot be read \(.*10\.255\.0\.1.*disallows everything/,
  )
  await fetcher.close()
  await site.close()
})

it('cuts off responses that are too large, plain and in a tunnel', async () => {
  const site = await serve({
    '/': (_, response) => {
      const writeMore = () => void (response.destroyed || response.write(Buffer.alloc(65536), writeMore))
      writeMore()
    },
  })
  const loopbackDial = openDialer({ rule: createAddressRule(['127.0.0.1']) })
  const guard = await openGuard(loopbackDial, { responseBytes: 1_000_000 })
  const { host } = new URL(site.origin)
  const countBytes = (requestHead: string) =>
    new Promise<number>((resolve) => {
      const socket = net.connect(Number(new URL(guard.server).port), '127.0.0.1', () => socket.write(requestHead))
      let byteCount = 0
      socket.on('data', (chunk) => {
        if (byteCount === 0 && requestHead.startsWith('CONNECT')) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        byteCount += chunk.length
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(byteCount))
    })
  for (const requestHead of [`GET http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`, `CONNECT ${host} HTTP/1.1\r\n\r\n`]) {
    expect(await countBytes(requestHead)).toBeLessThan(3_000_000)
    const authority = requestHead.startsWith('CONNECT') ? host : `${site.origin}/`
    expect(guard.findProblem(authority, 0)).toMatchObject({ problem: 'too-large' })
  }
  await guard.close()
  await site.close()
})

it('reaches an IPv6 target if its address is allowed, plain and by tunnel', async () => {
  const target = http.createServer((_, response) => void response.end('six'))
  await new Promise<void>((resolve) => target.listen(0, '::1', resolve))
  const { port } = target.address() as AddressInfo
  const allowing = await openGuard(openDialer({ rule: createAddressRule(['::1']) }))
  const refusing = await openGuard(openDialer({ rule: createAddressRule(['127.0.0.1']) }))
  const listStatuses = async (guard: Guard) => [
    await requestThroughGuard(guard, 'GET', `http://[::1]:${port}/`),
    await requestThroughGuard(guard, 'CONNECT', `[::1]:${port}`),
  ]
  expect(await listStatuses(allowing)).toEqual([200, 200])
  expect(await listStatuses(refusing)).toEqual([502, 502])
  await Promise.all([allowing.close(), refusing.close()])
  target.close()
})
