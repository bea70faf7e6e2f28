import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureGrowth, isLinear, growthSeeds } from '../../../engine/test/growth.ts'
import { parseImportRows } from '../../src/monitor/access/import/model.ts'
import { parseUpload } from '../../src/monitor/issue/upload/model.ts'

// What people send as files is read without a throw, and in time that grows as its length does.

const violation = (target: string) =>
  JSON.stringify({
    url: 'http://a.test/',
    testEngine: { name: 'axe-core', version: '4.14.1' },
    violations: [
      {
        id: 'image-alt',
        impact: 'critical',
        tags: ['wcag2a'],
        help: 'h',
        helpUrl: 'http://a.test/',
        description: 'd',
        nodes: [{ html: target, target: [target], any: [], all: [], none: [], impact: 'critical' }],
      },
    ],
    passes: [],
    incomplete: [],
    inapplicable: [],
  })

type Reader = { read: (text: string) => unknown; more?: readonly string[] }
const readers: Record<string, Reader> = {
  upload: { read: parseUpload, more: ['{"a":', '[{', '{"url":"http://a.test/"},'] },
  'a target of an upload': {
    read: (text) => parseUpload(violation(text)),
    more: [' > ', ':nth-child(1)', '<a '],
  },
  CSV: {
    read: (text) => parseImportRows(text, 10_000),
    more: ['team,scan,scan group,role\n', 'a;b\n', '"a""', ',,'],
  },
}

describe.each(Object.entries(readers))('%s', (_, { read, more = [] }) => {
  it('never throws, whatever is in it', () => {
    const parts = fc.constantFrom(...growthSeeds, ...more)
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.json({ maxDepth: 5 }),
      fc.array(parts, { maxLength: 300 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        read(text)
      }),
      { numRuns: 200, interruptAfterTimeLimit: 20_000 },
    )
  }, 60_000)

  it('is read in time that grows as its length does', () => {
    const slow = [...growthSeeds, ...more].flatMap((seed) => {
      const growth = measureGrowth((size) => seed.repeat(Math.ceil(size / seed.length)).slice(0, size), read)
      return isLinear(growth) ? [] : [{ seed, growth }]
    })
    expect(slow).toEqual([])
  }, 120_000)
})
