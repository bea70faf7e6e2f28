/** @module-tag slow */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PageOutcome } from '../outcome.ts'
import { describeOutcome, useTestPool, useTestSite, tryScan, type Route } from '../../test/harness.ts'

// Custom cases for the ACT rules that axe-core maps: a mapped rule must report failed cases and no passed ones.

type ActCase = {
  ruleId: string
  ruleName: string
  testcaseId: string
  relativePath: string
  expected: 'passed' | 'failed' | 'inapplicable'
  /** Result of axe-core for a failed case, if it is not exactly one violation by one of its mapped rules. */
  found?: 'for review' | 'not by default'
}
const actFolder = join(import.meta.dirname, '../../../../fixtures/act')
const { count, testcases } = JSON.parse(readFileSync(join(actFolder, 'testcases.json'), 'utf8')) as {
  count: number
  testcases: ActCase[]
}
const axe = createRequire(import.meta.url)('axe-core-4.14') as {
  getRules(): { ruleId: string; actIds?: string[]; tags: string[] }[]
}
const mappedRules = axe.getRules().filter(({ tags }) => !tags.includes('deprecated'))
const getMappedRules = (actRuleId: string) =>
  mappedRules.flatMap(({ ruleId, actIds }) => (actIds?.includes(actRuleId) ? [ruleId] : []))

const contentTypes: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.svg': 'image/svg+xml' }
const createFileRoute = (path: string): Route => {
  const fileContent = readFileSync(join(actFolder, path))
  return (_, response) => void response.writeHead(200, { 'content-type': contentTypes[extname(path)] }).end(fileContent)
}
const pool = useTestPool()
const site = useTestSite(() =>
  Object.fromEntries(testcases.map(({ relativePath }) => [`/${relativePath}`, createFileRoute(relativePath)])),
)
let pageOutcomes: Record<string, PageOutcome>
beforeAll(async () => {
  const urls = testcases.map(({ relativePath }) => `/${relativePath}`)
  pageOutcomes = (await tryScan(pool, site, { urls, plan: { depth: 0, pageLimit: urls.length } })).pages
})

it('cover every ACT rule that axe-core maps', () => {
  expect(testcases).toHaveLength(count)
  const actRuleIds = [...new Set(mappedRules.flatMap(({ actIds = [] }) => actIds))].sort()
  expect([...new Set(testcases.map(({ ruleId }) => ruleId))].sort()).toEqual(actRuleIds)
})

describe.each([...Map.groupBy(testcases, ({ ruleId, ruleName }) => `${ruleId} ${ruleName}`)])('%s', (_, cases) => {
  it.each(cases)('$testcaseId', ({ ruleId, relativePath, expected, found: expectedKind = 'violation' }) => {
    const page = pageOutcomes[`/${relativePath}`]
    if (page?.kind !== 'completed') throw new Error(describeOutcome(page))
    const ruleIds = getMappedRules(ruleId)
    const caseFindings = page.findings.filter(({ rule }) => ruleIds.includes(rule))
    const resultKinds = new Set(caseFindings.map(({ severity }) => (severity === 'needs review' ? 'for review' : 'violation')))
    expect([...resultKinds]).toEqual(expected === 'failed' && expectedKind !== 'not by default' ? [expectedKind] : [])
  })
})
