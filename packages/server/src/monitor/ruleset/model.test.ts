import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { ruleSetHash } from './model.ts'

it('takes every part of a rule set into its fingerprint', () => {
  const others = [
    { axeVersion: '4.13' },
    { standard: 'wcag21aa' },
    { bestPractices: false },
    { experimental: true },
    { pdfUa: true },
  ] as const
  const hashes = [{}, ...others].map((other) => ruleSetHash({ ...defaultRuleSet, ...other }))
  expect(new Set(hashes).size).toBe(others.length + 1)
})

it('leaves the fingerprint of runs without PDF/UA as it was stored before that took part', () =>
  expect(
    ruleSetHash({ ...defaultRuleSet, axeVersion: '4.13', standard: 'wcag21aa', bestPractices: false }),
  ).toBe('3496daef6931abfc9f4d9245a77a0aa8'))
