import { createServer, type Server } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openDialer } from './dial.ts'
import { openFetch } from './fetch.ts'
import { openGuard } from './guard.ts'
import { setOutboundProxy } from './outbound-proxy.ts'

// A network whose only way out is a proxy: public addresses lead nowhere without it.

const publicAddress = '93.184.216.34'
const addresses: Record<string, string[]> = {
  'site.example': [publicAddress],
  'inside.example': ['10.1.2.3'],
  'half.example': [publicAddress, '169.254.169.254'],
  'own.example': ['127.0.0.1'],
}
let site: Server
let proxy: Server
/** Targets that the proxy was asked for. */
let targets: string[] = []
let directHits = 0
/** Reply of the proxy instead of a tunnel. */
let refusal: string | null = null
const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.headers.host?.startsWith('own.example')) directHits++
    response.setHeader('content-type', 'text/html').end('<title>Reached</title>')
  })
  proxy = createServer()
  proxy.on('connect', (request, client: net.Socket) => {
    targets.push(request.url!)
    client.on('error', () => undefined)
    if (refusal !== null) return void client.end(refusal)
    if (request.headers['proxy-authorization'] !== `Basic ${Buffer.from('ann:p@ss').toString('base64')}`)
      return void client.end('HTTP/1.1 407 No\r\n\r\n')
    // Every public target is the site.
    const upstream = net.connect(portOf(site), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\nX-Via: a proxy\r\n\r\n')
      client.pipe(upstream).pipe(client)
    })
    upstream.on('error', () => client.destroy())
  })
  for (const server of [site, proxy]) await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const server of [site, proxy]) {
    server.close()
    server.closeAllConnections()
  }
})
afterEach(() => {
  setOutboundProxy(null)
  targets = []
  refusal = null
})

function openProxiedDialer(options: { names?: boolean; direct?: string[]; credentials?: string; allow?: string[] } = {}) {
  const { names = false, direct = [], credentials = 'ann:p%40ss@', allow = [] } = options
  const url = new URL(`http://${credentials}127.0.0.1:${portOf(proxy)}`)
  setOutboundProxy({ url, directHosts: direct, resolvesNames: names })
  return openDialer({
    rule: createAddressRule(allow),
    connectTimeoutMs: 500,
    hostLookup: (host) =>
      addresses[host] ? Promise.resolve(addresses[host]) : Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
  })
}
const describeDial = async (dial: ReturnType<typeof openDialer>, host: string, port = 80) => {
  const result = await dial(host, port)
  if (!result.ok) return `${result.problem}: ${result.detail}`
  result.socket.destroy()
  return 'connected'
}

it('takes pages and files through the proxy, to the address that was judged', async () => {
  const guard = await openGuard(openProxiedDialer())
  const browser = await chromium.launch({
    executablePath: process.env.TEST_BROWSER!,
    args: ['--no-sandbox', '--proxy-bypass-list=<-loopback>'],
    proxy: { server: guard.server },
  })
  const fetcher = openFetch(openProxiedDialer())
  try {
    const page = await browser.newPage()
    await page.goto('http://site.example/')
    expect(await page.title()).toBe('Reached')
    expect(await fetcher.fetchText('http://site.example/robots.txt', 'test')).toMatchObject({ ok: true })
    expect((await page.goto('http://inside.example/').catch(() => null))?.status() ?? 502).toBe(502)
    expect([...new Set(targets)]).toEqual([`${publicAddress}:80`])
  } finally {
    await fetcher.close()
    await browser.close()
    await guard.close()
  }
})

it.each([false, true])('judges every target first, also if the proxy resolves names: %s', async (names) => {
  const dial = openProxiedDialer({ names })
  for (const host of ['inside.example', 'half.example', '10.1.2.3', '127.0.0.1', '[::1]', '[::ffff:10.1.2.3]', '169.254.169.254'])
    expect(await describeDial(dial, host)).toMatch(/^address-refused/)
  // Names that only a network of one's own knows.
  for (const host of ['printer.local', 'intranet', 'localhost', 'vault.internal', 'a.home.arpa.'])
    expect(await describeDial(dial, host)).toMatch(/^(unknown-host|address-refused)/)
  expect(targets).toEqual([])
  expect(await describeDial(dial, 'site.example', 8443)).toBe('connected')
  expect(await describeDial(dial, 'unknown.example')).toMatch(names ? /^connected/ : /^unknown-host/)
  expect(targets).toEqual(names ? ['site.example:8443', 'unknown.example:80'] : [`${publicAddress}:8443`])
})

it('reaches private networks that scans may visit, and excepted hosts, without the proxy', async () => {
  const fetcher = openFetch(openProxiedDialer({ allow: ['127.0.0.1'] }))
  expect(await fetcher.fetchText(`http://own.example:${portOf(site)}/`, 'test')).toMatchObject({ ok: true })
  await fetcher.close()
  expect([targets, directHits]).toEqual([[], 1])
  const dial = openProxiedDialer({ direct: ['*.example'] })
  await describeDial(dial, 'site.example')
  expect(targets).toEqual([])
})

it('says what the proxy refuses, without its password', async () => {
  expect(await describeDial(openProxiedDialer({ credentials: 'ann:wrong-pass@' }), 'site.example')).toBe(
    'connection-failed: site.example port 80: the outbound proxy refuses its user name or password (407)',
  )
  for (const [reply, detail] of [
    ['HTTP/1.1 403 Forbidden\r\n\r\n', 'the outbound proxy refuses this target (403)'],
    ['HTTP/1.1 502 Bad\r\n\r\n', 'the outbound proxy answers 502'],
    ['SSH-2.0-x\r\n\r\n', 'the outbound proxy answers no HTTP'],
    [`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(4000)}`, 'the outbound proxy answers 200'],
    ['', 'the outbound proxy closes the connection'],
  ] as const) {
    refusal = reply
    expect(await describeDial(openProxiedDialer(), 'site.example')).toBe(`connection-failed: site.example port 80: ${detail}`)
  }
})
