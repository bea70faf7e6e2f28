import net, { type AddressInfo } from 'node:net'
import { request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { openDomains, readDomain } from '@clearway/contract/monitor/scan/model.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { addressRule } from '@clearway/contract/kit/address-rule.ts'
import { openDialler } from '@clearway/contract/kit/dial.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePdf } from '../../../fixtures/pdf/write.ts'
import { readRobots } from '../src/crawl/robots/rules.ts'
import { readPageUrl } from '../src/crawl/scope/page-url.ts'
import { computeChain, computePattern, trapReason } from '../src/crawl/scope/trap.ts'
import { openUrlRules } from '../src/crawl/scope/url-rules.ts'
import { readSitemap } from '../src/crawl/sitemap/sitemap.ts'
import { type Guard, openGuard } from '../src/guard/guard.ts'
import { findHits } from '../src/pdf/check.ts'
import { PdfError } from '../src/pdf/object/value.ts'
import { openKeystore } from '../src/session/keystore/keystore.ts'
import { growthOf, linear, seeds } from './growth.ts'

// What strangers write is read without a throw, and in time that grows as its length does.

const settings = {
  meaningfulParameters: [],
  meaninglessParameters: ['a'],
  ignoreAllParameters: false,
  discardAnchors: true,
  hashRoutes: true,
}
const password = 'secret'
const whole = Buffer.from(writePdf({ tags: [{ type: 'Document', kids: [{ type: 'P', kids: ['Hello'] }] }] }))

/** Reads a PDF as its process does: its own errors are values there. */
function readPdf(bytes: Uint8Array): void {
  try {
    findHits(bytes)
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
  }
}

const readUrl = (text: string): void => {
  const read = readPageUrl(text, settings)
  if (read.ok) trapReason(read.parsed, computeChain(read.parsed, { pattern: computePattern(read.parsed), chain: 3 }))
}

type Reader = { read: (text: string) => unknown; around?: (text: string) => string; more?: readonly string[] }
const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const keystore = (type: 'JKS' | 'PKCS12') => (text: string) =>
  openKeystore({ bytes: bytesOf(text), type, password })

const readers: Record<string, Reader> = {
  url: {
    read: readUrl,
    around: (text) => `http://a.test/${text}`,
    more: ['a=b&', '%41', '../', '?#', 'a/b/'],
  },
  domain: { read: (text) => openDomains([text, readDomain(text)?.host ?? '']), more: ['a.', '*.', 'ü'] },
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
  'JKS keystore': { read: keystore('JKS'), around: (text) => `\xfe\xed\xfe\xed\0\0\0\x02\0\0\x01\0${text}` },
  'PKCS12 keystore': { read: keystore('PKCS12'), more: ['\x30\x80', '\x30\x82\xff\xff', '\x24\x80'] },
  pdf: {
    read: (text) => readPdf(bytesOf(text)),
    around: (text) => `%PDF-1.7\n${text}`,
    more: [
      '1 0 obj\n',
      '<<',
      '(',
      '[',
      '1 0 R ',
      '1 0 obj<</Type/Catalog>>endobj\n',
      'startxref 1\n',
      'stream\n',
      'xref\n0 1\n',
    ],
  },
}

describe.each(Object.entries(readers))('%s', (_, { read, around = (text) => text, more = [] }) => {
  it('never throws, whatever is in it', () => {
    const parts = fc.constantFrom(...seeds, ...more)
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.array(parts, { maxLength: 300 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        read(around(text))
      }),
      { numRuns: 150, interruptAfterTimeLimit: 20_000 },
    )
  }, 60_000)

  it('is read in time that grows as its length does', () => {
    const slow = [...seeds, ...more].flatMap((seed) => {
      const growth = growthOf(
        (size) => around(seed.repeat(Math.ceil(size / seed.length)).slice(0, size)),
        read,
      )
      return linear(growth) ? [] : [{ seed, growth }]
    })
    expect(slow).toEqual([])
  }, 120_000)
})

it('a sitemap is never an error, whatever is in it', async () => {
  const parts = fc.constantFrom(
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
  const texts = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc.array(parts, { maxLength: 200 }).map((list) => Buffer.from(list.join(''), 'latin1')),
  )
  await fc.assert(
    fc.asyncProperty(texts, async (bytes) => {
      await readSitemap(bytes)
    }),
    { numRuns: 200, interruptAfterTimeLimit: 20_000 },
  )
}, 60_000)

it('a PDF that is cut and changed anywhere ends in one of its own errors', () => {
  const change = fc.record({
    at: fc.nat(whole.length - 1),
    to: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('<<', '>>', '[', 'obj', '9 0 R', '-1').map((text) => Buffer.from(text)),
    ),
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(whole.length), (changes, end) => {
      const bytes = Buffer.from(whole)
      for (const { at, to } of changes) bytes.set(to.subarray(0, bytes.length - at), at)
      readPdf(bytes.subarray(0, Math.max(end, whole.length / 2)))
    }),
    { numRuns: 150, interruptAfterTimeLimit: 30_000 },
  )
}, 60_000)

describe('an HTTP answer behind the guard', () => {
  let guard: Guard
  let site: net.Server
  let next = Buffer.alloc(0)
  beforeAll(async () => {
    site = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(next))
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    guard = await openGuard(openDialler({ rule: addressRule(['127.0.0.0/8']) }), { idleMs: 2000 })
  })
  afterAll(async () => {
    await guard.close()
    site.close()
  })

  /** Asks as a browser does; what became of it. */
  const ask = () =>
    new Promise<number | string>((resolve) => {
      const { hostname, port } = new URL(guard.server)
      const path = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
      const asked = httpRequest({ hostname, port, path, agent: false }, (answer) => {
        answer.on('error', () => resolve('cut')).on('close', () => resolve(answer.statusCode ?? 0))
        answer.resume()
      })
      asked.on('error', () => resolve('cut')).end()
    })

  it('never ends the process, nor leaves the browser waiting', async () => {
    const parts = fc.constantFrom(
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
    const answers = fc.oneof(
      fc.array(parts, { maxLength: 30 }).map((list) => Buffer.from(list.join(''), 'latin1')),
      fc.array(parts, { maxLength: 30 }).map((list) => Buffer.from(`HTTP/1.1 ${list.join('')}`, 'latin1')),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        next = answer
        const became = await ask()
        expect(became === 'cut' || Number(became) >= 100).toBe(true)
      }),
      { numRuns: 200, interruptAfterTimeLimit: 40_000 },
    )
  }, 60_000)
})
