import { defaultRuleSet, type RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { expect, it } from 'vitest'
import { computeRuleSetHash } from './model.ts'

const computeUndrivenHash = (ruleSet: RuleSet) => computeRuleSetHash({ ruleSet, advanced: { driven: 'off' } })

it('includes each part of a rule set in its hash', () => {
  const others = [
    { axeVersion: '4.13' },
    { standard: 'wcag21aa' },
    { bestPractices: false },
    { experimental: true },
    { pdfUa: true },
  ] as const
  const hashes = [{}, ...others].map((other) => computeUndrivenHash({ ...defaultRuleSet, ...other }))
  const drivenHashes = (['templates', 'every'] as const).map((driven) =>
    computeRuleSetHash({ ruleSet: defaultRuleSet, advanced: { driven } }),
  )
  expect(new Set([...hashes, ...drivenHashes]).size).toBe(others.length + 3)
})

it('does not change the hash of rule sets without PDF/UA, and of pages that are not driven', () =>
  expect(computeUndrivenHash({ ...defaultRuleSet, axeVersion: '4.13', standard: 'wcag21aa', bestPractices: false })).toBe(
    '3496daef6931abfc9f4d9245a77a0aa8',
  ))
