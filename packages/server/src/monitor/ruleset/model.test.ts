import { defaultRuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { computeRuleSetHash } from './model.ts'

it('includes each part of a rule set in its hash', () => {
  const others = [
    { axeVersion: '4.13' },
    { standard: 'wcag21aa' },
    { bestPractices: false },
    { experimental: true },
    { pdfUa: true },
  ] as const
  const hashes = [{}, ...others].map((other) => computeRuleSetHash({ ...defaultRuleSet, ...other }))
  expect(new Set(hashes).size).toBe(others.length + 1)
})

it('does not change the hash of rule sets without PDF/UA', () =>
  expect(computeRuleSetHash({ ...defaultRuleSet, axeVersion: '4.13', standard: 'wcag21aa', bestPractices: false })).toBe(
    '3496daef6931abfc9f4d9245a77a0aa8',
  ))
