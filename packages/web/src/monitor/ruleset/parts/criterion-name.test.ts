import { computeCoverage } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import { StandardId } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { getCriterionName } from './criterion-name.ts'

it('names every criterion that a report lists', () => {
  const listed = StandardId.options.flatMap((standard) => {
    const { rules, people } = computeCoverage(standard, new Set())
    return [...rules, ...people]
  })
  expect(listed.length).toBeGreaterThan(50)
  expect(listed.filter((criterion) => getCriterionName(criterion) === null)).toEqual([])
  expect([getCriterionName('constructor'), getCriterionName('9.9.9')]).toEqual([null, null])
})
