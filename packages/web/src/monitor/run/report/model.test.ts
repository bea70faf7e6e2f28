import type { ViolationRow } from '@clearway/contract/monitor/run/schema.ts'
import { expect, it } from 'vitest'
import { groupByCriterion } from './model.ts'

const row = (rule: string, tags: string[], issues: number, needsReview = 0) =>
  ({ rule, tags, issues, needsReview }) as unknown as ViolationRow

it('sums up rules by criterion in the order of WCAG, a rule of several for each', () => {
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
  ])
})
