/** @module-tag slow */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureGrowth, isLinear, growthSeeds } from '../../../engine/test/growth.ts'
import { parseImportRows } from '../../src/monitor/access/import/model.ts'
import { parseUpload } from '../../src/monitor/issue/upload/model.ts'

// Uploaded files are parsed without exceptions, and in linear time.

const buildViolation = (target: string) =>
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
  'a target of an upload': { read: (text) => parseUpload(buildViolation(text)), more: [' > ', ':nth-child(1)', '<a '] },
  CSV: { read: (text) => parseImportRows(text, 10_000), more: ['team,scan,scan group,role\n', 'a;b\n', '"a""', ',,'] },
}

describe.each(Object.entries(readers))('%s', (_, { read, more: extraParts = [] }) => {
  it('never throws for any content', () => {
    const fragments = fc.constantFrom(...growthSeeds, ...extraParts)
    const fileTexts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.json({ maxDepth: 5 }),
      fc.array(fragments, { maxLength: 300 }).map((fragmentList) => fragmentList.join('')),
    )
    fc.assert(
      fc.property(fileTexts, (fileText) => {
        read(fileText)
      }),
      { numRuns: 200, interruptAfterTimeLimit: 20_000 },
    )
  }, 60_000)

  it('is parsed in linear time', () => {
    const slow = [...growthSeeds, ...extraParts].flatMap((seed) => {
      const growth = measureGrowth((size) => seed.repeat(Math.ceil(size / seed.length)).slice(0, size), read)
      return isLinear(growth) ? [] : [{ seed, growth }]
    })
    expect(slow).toEqual([])
  }, 120_000)
})
