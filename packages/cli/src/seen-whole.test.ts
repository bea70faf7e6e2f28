import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { type Baseline, compareWithBaseline } from './baseline.ts'
import { exitCodes } from './exit-code.ts'
import { getGateExitCode, type GateReport } from './gate.ts'
import type { Report, ReportPage } from './schema.ts'

// A page that was not proved signed in says nothing about issues that it does not show.

const baseline: Baseline = {
  ruleSet: defaultRuleSet,
  issues: [{ page: '/a', rule: 'image-alt', element: 'main > img', position: 0, html: '<img>' }],
}
const visit = (page: Partial<ReportPage>) => ({
  name: '/a',
  page: { status: 'completed', notices: [], isProved: null, ...page } as unknown as ReportPage,
  findings: [],
  evidence: null,
  signature: null,
  isRandom: false,
  bucket: null,
  isNamed: true,
})

it.each([
  [true, 'fixed'],
  [null, 'fixed'],
  [false, 'not-checked'],
])('an issue that is not shown, on a page with the proof %s, is %s', (isProved, state) => {
  expect(compareWithBaseline([visit({ isProved })], baseline)).toMatchObject([
    { page: '/a', rule: 'image-alt', state, finding: null },
  ])
})

it.each([
  ['main > img', 'fixed'],
  ['main > iframe >> body > img', 'not-checked'],
  ['', 'not-checked'],
])('beside a frame that was not tested, an issue that is not shown is by its place: %s %s', (element, state) => {
  const known = { ...baseline, issues: [{ ...baseline.issues[0]!, element }] }
  expect(compareWithBaseline([visit({ notices: ['frame-not-tested'] })], known)).toMatchObject([{ state }])
})

it('ends as incomplete when pages were not proved signed in', () => {
  const gateReport = { totals: { new: 0, notChecked: 0 }, unchecked: [] } as unknown as GateReport
  const report = { unchecked: [], totals: { walled: 0, unproved: 1 } } as unknown as Report
  expect(getGateExitCode(gateReport, report, false)).toBe(exitCodes.incomplete)
})
