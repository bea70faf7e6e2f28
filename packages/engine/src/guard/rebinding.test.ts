import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDialer } from './dial.ts'
import { openFetch } from './fetch.ts'
import { openGuard } from './guard.ts'

// A name server of the attacker: each question gets another address, valid for no time at all.

const [allowedAddress, forbiddenAddress] = ['127.0.0.9', '127.0.0.1']
let nameServer: Socket
let questionCount = 0
/** Addresses of the next replies, in turn; the last one stays. */
let answers: string[][] = []
let allowedSite: Server
let forbiddenSite: Server
let sitePort = 0
let forbiddenHits = 0

/** The answer to a question of one name: A records, or none for another type. */
function answerQuestion(question: Buffer): Buffer {
  const typeAt = question.indexOf(0, 12) + 1
  const isAddressQuestion = question.readUInt16BE(typeAt) === 1
  if (isAddressQuestion) questionCount++
  const addresses = isAddressQuestion ? answers[Math.min(questionCount, answers.length) - 1]! : []
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([header, question.subarray(12, typeAt + 4), ...records])
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))

beforeAll(async () => {
  nameServer = createSocket('udp4', (question, { port, address }) => nameServer.send(answerQuestion(question), port, address))
  await new Promise<void>((resolve) => nameServer.bind(0, '127.0.0.1', resolve))
  allowedSite = createServer((_, response) => void response.setHeader('content-type', 'text/html').end('<title>Bait</title>'))
  await listen(allowedSite, 0, allowedAddress)
  sitePort = (allowedSite.address() as AddressInfo).port
  forbiddenSite = createServer((_, response) => void (forbiddenHits++, response.end('secret')))
  await listen(forbiddenSite, sitePort, forbiddenAddress)
})
afterAll(() => {
  nameServer.close()
  for (const server of [allowedSite, forbiddenSite]) server.close()
})

function openAttackedDialer(...turns: string[][]) {
  answers = turns
  questionCount = 0
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  resolver.setServers([`127.0.0.1:${nameServer.address().port}`])
  return openDialer({ rule: createAddressRule([allowedAddress]), hostLookup: (host) => resolver.resolve4(host) })
}

it('dials the address that it judged, whatever the name server says next', async () => {
  for (let round = 0; round < 10; round++) {
    const dial = openAttackedDialer([allowedAddress], [forbiddenAddress])
    for (let visit = 0; visit < 5; visit++) {
      const dialed = await dial('rebind.test', sitePort)
      expect(dialed.ok && dialed.socket.remoteAddress).toBe(allowedAddress)
      if (dialed.ok) dialed.socket.destroy()
    }
    // The second reply was never requested.
    expect(questionCount).toBe(1)
  }
  for (const turns of [[[forbiddenAddress]], [[allowedAddress, forbiddenAddress]], [[forbiddenAddress, allowedAddress]]])
    expect(await openAttackedDialer(...turns)('rebind.test', sitePort)).toMatchObject({ ok: false, problem: 'address-refused' })
  expect(forbiddenHits).toBe(0)
})

it('lets no page and no file reach the address that its name has later', async () => {
  const dial = openAttackedDialer([allowedAddress], [forbiddenAddress])
  const guard = await openGuard(dial)
  const browser = await chromium.launch({
    executablePath: process.env.TEST_BROWSER!,
    args: ['--no-sandbox', '--proxy-bypass-list=<-loopback>'],
    proxy: { server: guard.server },
  })
  try {
    const page = await browser.newPage()
    await page.goto(`http://rebind.test:${sitePort}/`)
    expect(await page.title()).toBe('Bait')
    const texts = await page.evaluate(async () => {
      const fetchText = (path: string) => fetch(path, { cache: 'no-store' }).then((response) => response.text(), String)
      return Promise.all(Array.from({ length: 20 }, (_, number) => fetchText(`/secret?${number}`)))
    })
    expect([...new Set(texts)]).toEqual(['<title>Bait</title>'])
    const fetcher = openFetch(openAttackedDialer([forbiddenAddress], [allowedAddress]))
    expect(await fetcher.fetchText(`http://rebind.test:${sitePort}/robots.txt`, 'test')).toMatchObject({
      ok: false,
      reason: 'address-refused',
    })
    await fetcher.close()
  } finally {
    await browser.close()
    await guard.close()
  }
  expect(forbiddenHits).toBe(0)
})
