import type { ViolationRow } from '@clearway/contract/monitor/run/schema.ts'
import { expect, it } from 'vitest'
import { groupByCriterion, listCoverage } from './model.ts'

const row = (rule: string, tags: string[], issues: number, needsReview = 0) =>
  ({ rule, tags, issues, needsReview }) as unknown as ViolationRow

it('sums up rules by criterion in the order of WCAG, a rule of several for each, and those of none last', () => {
  const rows = [
    row('target-size', ['wcag22aa', 'wcag258'], 4),
    row('label', ['wcag2a', 'wcag412', 'wcag131'], 2, 1),
    row('color-contrast', ['wcag2aa', 'wcag143'], 3),
    row('list', ['wcag131'], 1),
    row('reflow', ['wcag1410'], 1),
    row('region', ['best-practice'], 9),
  ]
  expect(groupByCriterion(rows)).toEqual([
    { criterion: '1.3.1', rules: ['label', 'list'], issues: 3, needsReview: 1 },
    { criterion: '1.4.3', rules: ['color-contrast'], issues: 3, needsReview: 0 },
    { criterion: '1.4.10', rules: ['reflow'], issues: 1, needsReview: 0 },
    { criterion: '2.5.8', rules: ['target-size'], issues: 4, needsReview: 0 },
    { criterion: '4.1.2', rules: ['label'], issues: 2, needsReview: 1 },
    { criterion: null, rules: ['region'], issues: 9, needsReview: 0 },
  ])
})

it('tells the criteria that only people test from those of rules and of driven pages', () => {
  const none = { page: 0, narrow: 0, full: 0, inPart: 0 }
  const undriven = listCoverage('wcag22aa', none)
  expect(undriven.driven).toEqual([])
  expect(undriven.rules).toContain('1.4.3')
  expect(undriven.people).toEqual(expect.arrayContaining(['1.4.10', '2.1.2', '2.4.7', '2.4.11', '3.3.7', '4.1.3']))
  // WCAG 2.2 has 55 criteria up to level AA.
  expect(undriven.rules.length + undriven.people.length).toBe(55)
  const narrow = listCoverage('wcag22aa', { ...none, page: 9, narrow: 1 })
  expect(narrow.driven).toEqual(['1.1.1', '1.3.4', '1.4.10', '2.4.2', '3.1.1'])
  const full = listCoverage('wcag22aa', { ...none, full: 1 })
  expect(full.driven).toEqual(expect.arrayContaining(['1.4.12', '1.4.13', '2.1.1', '2.1.2', '2.4.3', '2.4.7', '2.4.11', '3.2.1']))
  for (const criterion of full.people) expect(full.driven).not.toContain(criterion)
  const older = listCoverage('wcag21a', { ...none, full: 1 })
  expect([...older.rules, ...older.driven, ...older.people]).not.toContain('2.4.7')
  expect(new Set([...older.rules, ...older.people, ...older.driven]).size).toBe(30)
})
