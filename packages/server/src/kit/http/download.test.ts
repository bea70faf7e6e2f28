/** @module-tag slow */
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendDownload } from './download.ts'
import { createHttpServer } from './server.ts'

let app: FastifyInstance
let serverOrigin: string
/** Kinds of the downloads that have ended. */
const endedKinds: string[] = []

/** More than the buffers between the server and a reader that does not read. */
const largeText = 'x'.repeat(20_000_000)
const downloadKinds: Readonly<Record<string, () => AsyncGenerator<string>>> = {
  async *endless() {
    for (;;) yield await sleep(50, 'x'.repeat(1000))
  },
  async *large() {
    await sleep(1)
    yield largeText
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
async function* recordEnd(kind: string): AsyncGenerator<string> {
  try {
    yield* downloadKinds[kind]!()
  } finally {
    endedKinds.push(kind)
  }
}

beforeAll(async () => {
  app = await createHttpServer({
    logLevel: 'silent',
    connect: [],
    rates: { perNetwork: 1000, perPerson: 1000, perNetworkSignIn: 1000 },
    downloads: { perPerson: 1, idleSeconds: 1, wholeSeconds: 8 },
  })
  app.get<{ Params: { kind: string } }>('/download/:kind', (call, reply) =>
    sendDownload(call, reply, call.params.kind, recordEnd(call.params.kind)),
  )
  serverOrigin = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** Requests a download without reading its body. */
const requestDownload = (kind: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(`${serverOrigin}/download/${kind}`, { headers: { 'accept-encoding': 'gzip, identity' } }, resolve)
      .on('error', reject)
      .end()
  })
/** Reads the whole body, at most `maxBytesPerSecond` bytes per second. @returns the number of bytes */
async function readAllBytes(reply: IncomingMessage, maxBytesPerSecond = Infinity): Promise<number> {
  const startedAt = performance.now()
  let byteCount = 0
  for await (const chunk of reply) {
    byteCount += (chunk as Buffer).length
    const waitMs = (byteCount / maxBytesPerSecond) * 1000 - (performance.now() - startedAt)
    if (waitMs > 0) await sleep(waitMs)
  }
  return byteCount
}
const expectReleased = (kind: string) =>
  expect.poll(() => [endedKinds.includes(kind), app.downloads.openDownloads.count(kind)]).toEqual([true, 0])

it('keeps slow readers of a large chunk, and drops idle readers', { timeout: 20_000 }, async () => {
  const requestUncompressed = (kind: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(`${serverOrigin}/download/${kind}`, resolve).on('error', reject).end()
    })
  // Takes three seconds: longer than the maximum pause, shorter than the maximum duration.
  expect(await readAllBytes(await requestUncompressed('large'), largeText.length / 3)).toBe(largeText.length)
  await expectReleased('large')
  const unreadReply = await requestUncompressed('large')
  await expect.poll(() => app.downloads.openDownloads.count('large'), { timeout: 7000 }).toBe(0)
  await expect(readAllBytes(unreadReply)).rejects.toThrow('aborted')
})

it('ends a download that takes too long, even if it is read steadily', { timeout: 20_000 }, async () => {
  const startedAt = performance.now()
  await expect(readAllBytes(await requestDownload('endless'))).rejects.toThrow('aborted')
  expect(performance.now() - startedAt).toBeGreaterThan(7500)
  await expectReleased('endless')
})

it('replies with a problem if the first bytes fail, and aborts later', async () => {
  const failedReply = await requestDownload('failing')
  expect([failedReply.statusCode, failedReply.headers['content-type']]).toEqual([503, 'application/problem+json; charset=utf-8'])
  failedReply.resume()
  await expectReleased('failing')
  await expect(readAllBytes(await requestDownload('breaking'))).rejects.toThrow('aborted')
  await expectReleased('breaking')
})

it('releases a download whose reader disconnects before the first byte', async () => {
  const leavingRequest = request(`${serverOrigin}/download/endless`)
  leavingRequest.on('error', () => undefined).end()
  await expect.poll(() => app.downloads.openDownloads.count('endless')).toBe(1)
  endedKinds.length = 0
  leavingRequest.destroy()
  await expectReleased('endless')
})
