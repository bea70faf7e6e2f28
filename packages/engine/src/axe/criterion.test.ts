import { computeCoverage, listCriteria } from '@clearway/contract/monitor/ruleset/criterion/model.ts'
import axe from 'axe-core-4.14'
import { expect, it } from 'vitest'

it('says that rules test exactly the criteria of rules that run', () => {
  const rules = axe.getRules().filter(({ tags }) => !tags.includes('experimental') && !tags.includes('deprecated'))
  const tested = new Set(listCriteria(rules.flatMap(({ tags }) => tags)))
  const { rules: claimed, people } = computeCoverage('wcag22aa', new Set())
  expect(claimed.filter((criterion) => !tested.has(criterion))).toEqual([])
  expect(people.filter((criterion) => tested.has(criterion))).toEqual([])
})
