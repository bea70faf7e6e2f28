import net, { type AddressInfo } from 'node:net'
import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { createDomainMatcher, parseDomain } from '@clearway/contract/monitor/scan/model.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialer } from '../src/guard/dial.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePdf } from '../../../fixtures/pdf/write.ts'
import { readRobots } from '../src/crawl/robots/rules.ts'
import { readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import { computeChain, computePattern, getTrapReason } from '../src/crawl/scope/trap.ts'
import { openUrlRules } from '../src/crawl/scope/url-rules.ts'
import { readSitemap } from '../src/crawl/sitemap/parse.ts'
import { type Guard, openGuard } from '../src/guard/guard.ts'
import { findHits } from '../src/pdf/check.ts'
import { PdfError } from '../src/pdf/object/value.ts'
import { openKeystore } from '../src/session/keystore/keystore.ts'
import { measureGrowth, isLinear, growthSeeds } from './growth.ts'

// Untrusted input is parsed without exceptions, in time that grows linearly with its length.

const urlSettings = {
  meaningfulParameters: [],
  meaninglessParameters: ['a'],
  ignoreAllParameters: false,
  discardAnchors: true,
  hashRoutes: true,
}
const password = 'secret'
const validPdf = Buffer.from(writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] }))

/** Reads a PDF like its process, where its own errors are values. */
function readPdf(bytes: Uint8Array): void {
  try {
    findHits(bytes)
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
  }
}

const readUrl = (text: string): void => {
  const parsedUrl = readPageUrl(text, urlSettings)
  if (parsedUrl.ok)
    getTrapReason(parsedUrl.parsed, computeChain(parsedUrl.parsed, { pattern: computePattern(parsedUrl.parsed), chain: 3 }))
}

type InputReader = { read: (text: string) => unknown; around?: (text: string) => string; more?: readonly string[] }
const toBytes = (text: string) => Buffer.from(text, 'latin1')
const createKeystoreReader = (type: 'JKS' | 'PKCS12') => (text: string) => openKeystore({ bytes: toBytes(text), type, password })

const inputReaders: Record<string, InputReader> = {
  url: {
    read: readUrl,
    around: (text) => `http://a.test/${text}`,
    more: ['a=b&', '%41', '../', '?#', 'a/b/'],
  },
  domain: { read: (text) => createDomainMatcher([text, parseDomain(text)?.host ?? '']), more: ['a.', '*.', 'ü'] },
  'URL rule': {
    read: (text) => openUrlRules([{ kind: 'glob', pattern: text.slice(0, 2000) }]).findMatch(text.slice(0, 4000)),
    more: ['*a', '?'],
  },
  robots: {
    read: (text) => readRobots(text, 'Clearway').allows(`/${text.slice(0, 3000)}`),
    around: (text) => `user-agent: *\n${text}`,
    more: ['disallow: /*a*a\n', 'allow: *a\n', 'user-agent: x\n', 'Disallow: %c3%bc\n', ':\t', '*'],
  },
  'one rule of robots': {
    read: (text) => readRobots(text, 'Clearway').allows(`/${'a'.repeat(3000)}`),
    around: (text) => `user-agent: *\ndisallow: /${text}b`,
    more: ['*a', 'a*'],
  },
  script: {
    read: (text) => [parseScript(text, 'TASK'), parseScript(text, 'SESSION')],
    more: ['click "a"\n', '{"a":', '- a: b\n', '  ', 'page "x"\n', '\\"'],
  },
  'JKS keystore': {
    read: createKeystoreReader('JKS'),
    around: (text) => `\xfe\xed\xfe\xed\0\0\0\x02\0\0\x01\0${text}`,
  },
  'PKCS12 keystore': { read: createKeystoreReader('PKCS12'), more: ['\x30\x80', '\x30\x82\xff\xff', '\x24\x80'] },
  pdf: {
    read: (text) => readPdf(toBytes(text)),
    around: (text) => `%PDF-1.7\n${text}`,
    more: ['1 0 obj\n', '<<', '(', '[', '1 0 R ', '1 0 obj<</Type/Catalog>>endobj\n', 'startxref 1\n', 'stream\n', 'xref\n0 1\n'],
  },
}

describe.each(Object.entries(inputReaders))('%s', (_, { read, around = (text) => text, more = [] }) => {
  it('never throws for any content', () => {
    const textParts = fc.constantFrom(...growthSeeds, ...more)
    const randomTexts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.array(textParts, { maxLength: 300 }).map((chosenParts) => chosenParts.join('')),
    )
    fc.assert(
      fc.property(randomTexts, (text) => {
        read(around(text))
      }),
      { numRuns: 150, interruptAfterTimeLimit: 20_000 },
    )
  }, 60_000)

  it('is read in linear time', () => {
    const slowSeeds = [...growthSeeds, ...more].flatMap((seed) => {
      const growthTimes = measureGrowth((size) => around(seed.repeat(Math.ceil(size / seed.length)).slice(0, size)), read)
      return isLinear(growthTimes) ? [] : [{ seed, growth: growthTimes }]
    })
    expect(slowSeeds).toEqual([])
  }, 120_000)
})

it('a sitemap never causes an exception', async () => {
  const sitemapParts = fc.constantFrom(
    '<urlset>',
    '<url>',
    '<loc>',
    'http://a',
    '</loc>',
    '&a;',
    '<!--',
    ']]>',
    '<![CDATA[',
    '\n',
    ' a="',
    '<?x',
    '\x1f\x8b',
  )
  const sitemapBytes = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.array(sitemapParts, { maxLength: 200 }).map((list) => Buffer.from(list.join(''), 'latin1')),
  )
  await fc.assert(
    fc.asyncProperty(sitemapBytes, async (bytes) => {
      await readSitemap(bytes)
    }),
    { numRuns: 200, interruptAfterTimeLimit: 20_000 },
  )
}, 60_000)

it('a truncated or changed PDF ends with one of its own errors', () => {
  const changeArbitrary = fc.record({
    at: fc.nat(validPdf.length - 1),
    to: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('<<', '>>', '[', 'obj', '9 0 R', '-1').map((text) => Buffer.from(text)),
    ),
  })
  fc.assert(
    fc.property(fc.array(changeArbitrary, { minLength: 1, maxLength: 6 }), fc.nat(validPdf.length), (changes, endOffset) => {
      const changedBytes = Buffer.from(validPdf)
      for (const { at: changeOffset, to: replacement } of changes)
        changedBytes.set(replacement.subarray(0, changedBytes.length - changeOffset), changeOffset)
      readPdf(changedBytes.subarray(0, Math.max(endOffset, validPdf.length / 2)))
    }),
    { numRuns: 150, interruptAfterTimeLimit: 30_000 },
  )
}, 60_000)

describe('an HTTP response behind the guard', () => {
  let guard: Guard
  let site: net.Server
  let nextResponse = Buffer.alloc(0)
  beforeAll(async () => {
    site = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(nextResponse))
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    guard = await openGuard(openDialer({ rule: createAddressRule(['127.0.0.0/8']) }), { idleMs: 2000 })
  })
  afterAll(async () => {
    await guard.close()
    site.close()
  })

  /** Sends a request like a browser, and returns its result. */
  const requestThroughGuard = () =>
    new Promise<number | string>((resolve) => {
      const { hostname, port } = new URL(guard.server)
      const path = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
      const guardRequest = httpRequest({ hostname, port, path, agent: false }, (guardResponse) => {
        guardResponse.on('error', () => resolve('cut')).on('close', () => resolve(guardResponse.statusCode ?? 0))
        guardResponse.resume()
      })
      guardRequest.on('error', () => resolve('cut')).end()
    })

  it('never crashes the process or blocks the browser', async () => {
    const responseParts = fc.constantFrom(
      'HTTP/1.1 ',
      'HTTP/1.0 200 OK\r\n',
      '000',
      '200 OK',
      '304 X',
      '101 Y',
      '103 Z',
      '\r\n',
      '\r\n\r\n',
      'content-length: 5',
      'transfer-encoding: chunked',
      '\r\n5\r\nhello',
      'ffffffffffffffff\r\n',
      ': ',
      'a',
      '\0',
      'é',
      '\x7f',
      'set-cookie: x',
    )
    const randomResponses = fc.oneof(
      fc.array(responseParts, { maxLength: 30 }).map((list) => Buffer.from(list.join(''), 'latin1')),
      fc.array(responseParts, { maxLength: 30 }).map((list) => Buffer.from(`HTTP/1.1 ${list.join('')}`, 'latin1')),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(randomResponses, async (randomResponse) => {
        nextResponse = randomResponse
        const requestResult = await requestThroughGuard()
        expect(requestResult === 'cut' || Number(requestResult) >= 100).toBe(true)
      }),
      { numRuns: 200, interruptAfterTimeLimit: 40_000 },
    )
  }, 60_000)
})
