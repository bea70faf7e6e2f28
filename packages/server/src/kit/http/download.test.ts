import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendDownload } from './download.ts'
import { openServer } from './server.ts'

let app: FastifyInstance
let origin: string
/** Downloads that have ended, each once. */
const ended: string[] = []

/** More than what lies between a server and a reader who does not read. */
const much = 'x'.repeat(20_000_000)
const kinds: Readonly<Record<string, () => AsyncGenerator<string>>> = {
  async *endless() {
    for (;;) yield await sleep(50, 'x'.repeat(1000))
  },
  async *large() {
    await sleep(1)
    yield much
  },
  async *failing() {
    yield await sleep(1).then((): string => {
      throw Object.assign(new Error('too slow'), { code: '57014' })
    })
  },
  async *breaking() {
    yield 'x'.repeat(1_000_000)
    await sleep(500)
    throw new Error('broken')
  },
}
async function* noted(kind: string): AsyncGenerator<string> {
  try {
    yield* kinds[kind]!()
  } finally {
    ended.push(kind)
  }
}

beforeAll(async () => {
  app = await openServer({
    logLevel: 'silent',
    connect: [],
    rates: { perNetwork: 1000, perPerson: 1000, perNetworkSignIn: 1000 },
    downloads: { perPerson: 1, idleSeconds: 1, wholeSeconds: 8 },
  })
  app.get<{ Params: { kind: string } }>('/download/:kind', (call, reply) =>
    sendDownload(call, reply, call.params.kind, noted(call.params.kind)),
  )
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** Asks for a download; its body is not read until somebody does. */
const ask = (kind: string) =>
  new Promise<IncomingMessage>((done, fail) => {
    request(`${origin}/download/${kind}`, { headers: { 'accept-encoding': 'gzip, identity' } }, done)
      .on('error', fail)
      .end()
  })
/** Reads all, not faster than so many bytes a second. @returns how many came */
async function readAll(reply: IncomingMessage, perSecond = Infinity): Promise<number> {
  const began = performance.now()
  let bytes = 0
  for await (const chunk of reply) {
    bytes += (chunk as Buffer).length
    const early = (bytes / perSecond) * 1000 - (performance.now() - began)
    if (early > 0) await sleep(early)
  }
  return bytes
}
const isLeft = (kind: string) =>
  expect.poll(() => [ended.includes(kind), app.downloads.open.has(kind)]).toEqual([true, false])

it(
  'lets who reads slowly go on through one large piece, and who reads nothing go',
  { timeout: 20_000 },
  async () => {
    const plain = (kind: string) =>
      new Promise<IncomingMessage>((done, fail) => {
        request(`${origin}/download/${kind}`, done).on('error', fail).end()
      })
    // In three seconds: longer than a reader may pause, shorter than a download may take.
    expect(await readAll(await plain('large'), much.length / 3)).toBe(much.length)
    await isLeft('large')
    const unread = await plain('large')
    await expect.poll(() => app.downloads.open.has('large'), { timeout: 7000 }).toBe(false)
    await expect(readAll(unread)).rejects.toThrow('aborted')
  },
)

it('ends what takes too long, however steadily it is read', { timeout: 20_000 }, async () => {
  const began = performance.now()
  await expect(readAll(await ask('endless'))).rejects.toThrow('aborted')
  expect(performance.now() - began).toBeGreaterThan(7500)
  await isLeft('endless')
})

it('answers with the problem when the first bytes cannot be had, and breaks off later', async () => {
  const failed = await ask('failing')
  expect([failed.statusCode, failed.headers['content-type']]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
  ])
  failed.resume()
  await isLeft('failing')
  await expect(readAll(await ask('breaking'))).rejects.toThrow('aborted')
  await isLeft('breaking')
})

it('gives back what a download holds when its reader leaves before the first byte', async () => {
  const leaving = request(`${origin}/download/endless`)
  leaving.on('error', () => undefined).end()
  await expect.poll(() => app.downloads.open.has('endless')).toBe(true)
  ended.length = 0
  leaving.destroy()
  await isLeft('endless')
})
