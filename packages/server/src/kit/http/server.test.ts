import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Caller } from './answer.ts'
import { registerEndpoints } from './register.ts'
import { createHttpServer } from './server.ts'

const serverLimits = {
  rates: { perNetwork: 100, perPerson: 100, perNetworkSignIn: 100 },
  downloads: { perPerson: 1, idleSeconds: 1, wholeSeconds: 1 },
}
it('sends HSTS only where https is used', async () => {
  for (const [https, expectedHeader] of [
    [true, 'max-age=31536000'],
    [false, undefined],
  ] as const) {
    const app = await createHttpServer({ logLevel: 'silent', connect: [], https, ...serverLimits })
    const { headers } = await app.inject({ url: '/' })
    expect(headers['strict-transport-security']).toBe(expectedHeader)
    await app.close()
  }
})

it.each([
  ['a person', undefined, 'Bearer x'],
  ['a program with an API key, which acts without a token', { id: 'k', name: 'CI' }, ''],
])('hands the token of %s to a call', async (_, key, expectedAuthorization) => {
  const app = await createHttpServer({ logLevel: 'silent', connect: [], https: false, ...serverLimits })
  const reply = z.object({ authorization: z.string() })
  registerEndpoints(app, {
    table: { echo: { method: 'GET', path: '/echo', permission: 'user', summary: '', reply } },
    handlers: { echo: (_received, { authorization }) => Promise.resolve({ authorization }) },
    guard: {
      identify: () => Promise.resolve({ id: 'ann', role: 'user', expiresAt: Infinity, ...(key && { key }) } as Caller),
      authorize: () => Promise.resolve({ subject: null }),
    },
  })
  const { json } = await app.inject({ url: '/echo', headers: { authorization: 'Bearer x', 'x-api-key': 'k' } })
  expect(json()).toEqual({ authorization: expectedAuthorization })
  await app.close()
})

it('forbids foreign scripts and embedding in frames', async () => {
  const app = await createHttpServer({
    logLevel: 'silent',
    connect: ['https://id.example.org'],
    ...serverLimits,
  })
  const { headers } = await app.inject({ url: '/' })
  const securityPolicy = String(headers['content-security-policy'])
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self' https://id.example.org",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ])
    expect(securityPolicy.split(';')).toContain(directive)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['access-control-allow-origin']).toBeUndefined()
  await app.close()
})

it('logs each reply with its request id and route, without request data', async () => {
  const programText = `
    const { createHttpServer } = await import(${JSON.stringify(new URL('./server.ts', import.meta.url).href)})
    const app = await createHttpServer({ logLevel: 'debug', connect: [], ...${JSON.stringify(serverLimits)} })
    app.get('/people/:name', (request) => ({ id: request.id }))
    const reply = await app.inject({ url: '/people/ann?search=somebody' })
    console.log(JSON.stringify({ requestId: reply.json().id }))
    await app.close()`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', programText])
  const logLines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const { requestId } = JSON.parse(stdout) as { requestId: string }
  const replyLine = logLines.find(({ msg }) => msg === 'answered')!
  expect(replyLine).toMatchObject({ method: 'GET', route: '/people/:name', status: 200, personId: null })
  expect(replyLine.reqId).toBe(requestId)
  expect(stderr).not.toMatch(/ann|somebody/)
})

it('disconnects a client whose body does not arrive, and logs no error', async () => {
  const app = await createHttpServer({ logLevel: 'silent', connect: [], maxBodyMs: 300, ...serverLimits })
  app.post('/', async () => 'received')
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const sent = request(origin, { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': '9' } })
  const endedWith = new Promise((resolve) => sent.on('error', ({ message }) => resolve(message)))
  sent.write('{')
  expect(await endedWith).toBe('socket hang up')
  // A body that arrives in time is unaffected.
  const reply = await fetch(origin, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  expect(await reply.text()).toBe('received')
  await app.close()
})

describe('the address that a request comes from', () => {
  const proxy = '10.1.0.2'
  const forged = '203.0.113.9'
  const getAddress = async (trustProxy: string[], remoteAddress: string, forwarded: string) => {
    const app = await createHttpServer({ logLevel: 'silent', connect: [], trustProxy, ...serverLimits })
    app.get('/address', (request, reply) => reply.send({ address: request.ip }))
    const reply = await app.inject({ url: '/address', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    await app.close()
    return (reply.json() as { address: string }).address
  }

  it.each([
    ['named', [proxy]],
    ['counted', ['1']],
  ])('is that of an intranet client behind an appending proxy, if the proxy is %s', async (_, trustProxy) => {
    // The client sends an address of its own, and the proxy appends the client's.
    expect(await getAddress(trustProxy, proxy, `${forged}, 10.0.0.5`)).toBe('10.0.0.5')
    expect(await getAddress(trustProxy, proxy, '10.0.0.5')).toBe('10.0.0.5')
    expect(await getAddress(trustProxy, proxy, `${forged}, 192.168.1.5, 10.0.0.5`)).toBe('10.0.0.5')
  })

  it('is that of the connection for others than a named proxy', async () => {
    expect(await getAddress([proxy], '10.1.0.3', forged)).toBe('10.1.0.3')
    expect(await getAddress(['none'], proxy, forged)).toBe(proxy)
    expect(await getAddress(['1'], '8.8.8.8', forged)).toBe('8.8.8.8')
  })

  it('is that before as many proxies as are counted', async () => {
    expect(await getAddress(['2'], proxy, `${forged}, 198.51.100.4, 10.9.9.9`)).toBe('198.51.100.4')
  })
})
