import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createPlan } from './service.ts'

const createTestPlan = (settings: object) =>
  createPlan(z.parse(ScanSettings, { name: 'x', urls: ['https://a.test/docs/'], ...settings }), {
    allowPrivate: [],
    concurrency: 1,
    allowEval: false,
    signOutUrls: [],
    scripts: [],
    session: null,
  } as never)

it.each([
  ['quick', { depth: 1, pageLimit: 100, folder: false }],
  ['standard', { depth: null, pageLimit: 1000, folder: true }],
  ['large', { depth: 5, pageLimit: 5000, folder: false }],
] as const)('the type %s', (type, expected) => {
  const { depth, pageLimit, advanced, domains } = createTestPlan({ type, depth: 9, pageLimit: 9 })
  expect({ depth, pageLimit, folder: advanced.restrictToFolder }).toEqual(expected)
  expect(domains).toEqual(['a.test'])
})

it('the type custom, with its own depth, limit and domains', () => {
  const customPlan = createTestPlan({ type: 'custom', depth: 9, pageLimit: 8, domains: ['*.b.test'] })
  expect([customPlan.depth, customPlan.pageLimit, customPlan.advanced.restrictToFolder, customPlan.domains]).toEqual([
    9,
    8,
    false,
    ['*.b.test'],
  ])
})

it('includes URL sources and exclusion rules', () => {
  const rules = {
    sources: { sitemaps: ['https://a.test/s.xml'] },
    includeRules: [{ kind: 'glob', pattern: '*' }],
    excludeRules: [{ kind: 'prefix', pattern: 'https://a.test/x' }],
  }
  expect(createTestPlan(rules)).toMatchObject(rules)
})
