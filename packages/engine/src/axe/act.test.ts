import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PageOutcome } from '../outcome.ts'
import { fate, poolOfFile, siteOfFile, tryScan, type Route } from '../../test/harness.ts'

// Cases that we wrote for the rules of the ACT that axe-core maps: what fails is found by a rule that is mapped, what passes is not.

type Case = {
  ruleId: string
  ruleName: string
  testcaseId: string
  relativePath: string
  expected: 'passed' | 'failed' | 'inapplicable'
  /** What axe-core says of a failed case, where that is not one violation by any of its mapped rules. */
  found?: 'for review' | 'not by default'
}
const folder = join(import.meta.dirname, '../../../../fixtures/act')
const { count, testcases } = JSON.parse(readFileSync(join(folder, 'testcases.json'), 'utf8')) as {
  count: number
  testcases: Case[]
}
const axe = createRequire(import.meta.url)('axe-core-4.14') as {
  getRules(): { ruleId: string; actIds?: string[]; tags: string[] }[]
}
const mapped = axe.getRules().filter(({ tags }) => !tags.includes('deprecated'))
const rulesFor = (act: string) =>
  mapped.flatMap(({ ruleId, actIds }) => (actIds?.includes(act) ? [ruleId] : []))

const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.svg': 'image/svg+xml' }
const routeOf = (path: string): Route => {
  const content = readFileSync(join(folder, path))
  return (_, response) => void response.writeHead(200, { 'content-type': types[extname(path)] }).end(content)
}
const pool = poolOfFile()
const site = siteOfFile(() =>
  Object.fromEntries(testcases.map(({ relativePath }) => [`/${relativePath}`, routeOf(relativePath)])),
)
let pages: Record<string, PageOutcome>
beforeAll(async () => {
  const urls = testcases.map(({ relativePath }) => `/${relativePath}`)
  pages = (await tryScan(pool, site, { urls, plan: { depth: 0, pageLimit: urls.length } })).pages
})

it('are for every rule of the ACT that axe-core maps', () => {
  expect(testcases).toHaveLength(count)
  const acts = [...new Set(mapped.flatMap(({ actIds = [] }) => actIds))].sort()
  expect([...new Set(testcases.map(({ ruleId }) => ruleId))].sort()).toEqual(acts)
})

describe.each([...Map.groupBy(testcases, ({ ruleId, ruleName }) => `${ruleId} ${ruleName}`)])(
  '%s',
  (_, cases) => {
    it.each(cases)('$testcaseId', ({ ruleId, relativePath, expected, found = 'violation' }) => {
      const page = pages[`/${relativePath}`]
      if (page?.kind !== 'completed') throw new Error(fate(page))
      const rules = rulesFor(ruleId)
      const said = page.findings.filter(({ rule }) => rules.includes(rule))
      const kinds = new Set(
        said.map(({ severity }) => (severity === 'needs review' ? 'for review' : 'violation')),
      )
      expect([...kinds]).toEqual(expected === 'failed' && found !== 'not by default' ? [found] : [])
    })
  },
)
