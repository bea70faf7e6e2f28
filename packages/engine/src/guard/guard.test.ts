import net from 'node:net'
import http from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFetch } from './fetch.ts'
import { serve, type TestSite } from '../../test/harness.ts'
import { addressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialler } from '@clearway/contract/kit/dial.ts'
import { openGuard, type Guard } from './guard.ts'

let inner: TestSite
let reached = 0
beforeAll(async () => {
  inner = await serve({ '/': (_, response) => void (reached++, response.end('secret')) })
})
afterAll(() => inner.close())

const port = () => Number(new URL(inner.origin).port)
const names: Record<string, string[]> = {
  'public.test': ['93.184.215.14'],
  'inner.test': ['127.0.0.1'],
  'mixed.test': ['93.184.215.14', '10.0.0.1'],
}
const lookup = async (host: string) => {
  const found = names[host]
  if (!found) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
  return found
}
const strict = () => openDialler({ rule: addressRule([]), lookup })

/** Asks a guard for a URL as a browser would: plain, or by a tunnel. */
function ask(guard: Guard, method: 'GET' | 'CONNECT', target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: new URL(guard.server).port, method, path: target, agent: false })
    request.on('response', (response) => (response.resume(), resolve(response.statusCode!)))
    request.on('connect', (response, socket) => (socket.destroy(), resolve(response.statusCode!)))
    request.on('error', reject)
    request.end()
  })
}

const refused = [
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
  'inner.test',
  'mixed.test',
]

it.each(refused)('refuses %s, plain and by tunnel', async (host) => {
  const guard = await openGuard(strict())
  const before = reached
  expect(await ask(guard, 'GET', `http://${host}:${port()}/`)).toBe(502)
  expect(await ask(guard, 'CONNECT', `${host}:${port()}`)).toBe(502)
  const authority = `${new URL(`http://${host}`).hostname}:${port()}`
  expect(guard.problemOf(authority, 0)).toMatchObject({ problem: 'address-refused' })
  expect(reached).toBe(before)
  await guard.close()
})

it('lets through what the allow list names, and nothing beside it', async () => {
  const rule = addressRule(['127.0.0.0/8', '10.0.0.1'])
  expect(['127.1.2.3', '::ffff:127.0.0.1', '10.0.0.1', '8.8.8.8'].map(rule)).toEqual([true, true, true, true])
  expect(['10.0.0.2', '::1', 'nonsense'].map(rule)).toEqual([false, false, false])
  const guard = await openGuard(openDialler({ rule, lookup }))
  expect(await ask(guard, 'GET', `http://inner.test:${port()}/`)).toBe(200)
  expect(await ask(guard, 'CONNECT', `127.0.0.1:${port()}`)).toBe(200)
  await guard.close()
})

it('dials the address that it checked when a name changes its mind', async () => {
  let asked = 0
  const rebinding = async () => [asked++ === 0 ? '127.0.0.9' : '127.0.0.1']
  const dial = openDialler({ rule: addressRule(['127.0.0.9']), lookup: rebinding })
  const before = reached
  const first = await dial('rebind.test', port())
  if (first.ok) expect(first.socket.remoteAddress).toBe('127.0.0.9')
  await dial('rebind.test', port()).then((again) => again.ok && again.socket.destroy())
  if (first.ok) first.socket.destroy()
  expect(asked).toBe(1)
  expect(reached).toBe(before)
})

it('judges each hop of a redirect outside of the browser too', async () => {
  const site = await serve({
    '/robots.txt': (_, response) =>
      void response.writeHead(302, { location: `http://10.255.0.1:${port()}/` }).end(),
  })
  const fetcher = openFetch(openDialler({ rule: addressRule(['127.0.0.1']) }))
  const fetched = await fetcher.fetchText(`${site.origin}/robots.txt`, 'test')
  expect(fetched).toMatchObject({ ok: false, why: expect.stringContaining('10.255.0.1') as string })
  await fetcher.close()
  await site.close()
})

it('cuts an answer that is too long, plain and in a tunnel', async () => {
  const site = await serve({
    '/': (_, response) => {
      const more = () => void (response.destroyed || response.write(Buffer.alloc(65536), more))
      more()
    },
  })
  const dial = openDialler({ rule: addressRule(['127.0.0.1']) })
  const guard = await openGuard(dial, { responseBytes: 1_000_000 })
  const { host } = new URL(site.origin)
  const read = (head: string) =>
    new Promise<number>((resolve) => {
      const socket = net.connect(Number(new URL(guard.server).port), '127.0.0.1', () => socket.write(head))
      let bytes = 0
      socket.on('data', (chunk) => {
        if (bytes === 0 && head.startsWith('CONNECT')) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        bytes += chunk.length
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(bytes))
    })
  for (const head of [
    `GET http://${host}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
    `CONNECT ${host} HTTP/1.1\r\n\r\n`,
  ]) {
    expect(await read(head)).toBeLessThan(3_000_000)
    const authority = head.startsWith('CONNECT') ? host : `${site.origin}/`
    expect(guard.problemOf(authority, 0)).toMatchObject({ problem: 'too-large' })
  }
  await guard.close()
  await site.close()
})
