import { expect, it } from 'vitest'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { openRuleLists } from './scope.ts'
import { openUrlRules } from './url-rules.ts'

const matchesRule = (rule: UrlRule, url: string): boolean => openUrlRules([rule]).findMatch(url) === 1

it.each([
  ['*/docs/*', 'http://a.test/docs/x', true],
  ['*/docs/*', 'http://a.test/doc/x', false],
  ['http://a.test/?', 'http://a.test/x', true],
  ['http://a.test/?', 'http://a.test/', false],
  ['http://a.test/a+b(c)', 'http://a.test/a+b(c)', true],
  ['*', '', true],
  ['*a*a*b', 'aaaaaaaaab', true],
  ['', 'x', false],
])('the pattern %s and %s: %s', (pattern, url, expected) => {
  expect(matchesRule({ kind: 'glob', pattern }, url)).toBe(expected)
})

it('refuses expressions that would take seconds per URL, by their number', () => {
  const slowPattern = '(\\w?){1000}'.repeat(3) + '\\d$'
  const rules: UrlRule[] = [
    { kind: 'regex', pattern: '^http://a' },
    ...Array.from({ length: 20 }, () => ({ kind: 'regex' as const, pattern: slowPattern })),
  ]
  const { findMatch: findRule, invalidNumbers: invalidRules } = openUrlRules(rules)
  expect(invalidRules.at(-1)).toBe(21)
  const longUrl = `x${'a'.repeat(4000)}`
  const startedAt = performance.now()
  expect(findRule(longUrl)).toBe(null)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

it('matches a pattern of stars in bounded time', () => {
  expect(matchesRule({ kind: 'glob', pattern: '*a'.repeat(900) + 'b' }, 'a'.repeat(4000))).toBe(false)
})

it('accepts two hundred typical rules', () => {
  const rules = Array.from({ length: 200 }, (_, i) => ({
    kind: 'regex' as const,
    pattern: `^https?://[^/]+/a${i}/\\d+`,
  }))
  expect(openUrlRules(rules).invalidNumbers).toEqual([])
})

it('globs share the budget of expressions', () => {
  const longGlob = { kind: 'glob', pattern: `*${'a'.repeat(1990)}b` } as const
  const { invalidNumbers: invalidRules } = openUrlRules(Array.from({ length: 400 }, () => longGlob))
  expect(invalidRules[0]).toBe(6)
})

it('include rules, exclude rules and URLs to skip share one budget', () => {
  const pattern = `*${'a'.repeat(1990)}b`
  const rules = Array.from({ length: 3 }, () => ({ kind: 'glob' as const, pattern }))
  const { wrong: invalidRules } = openRuleLists({ includeRules: rules, excludeRules: rules, urlsToSkip: [pattern, pattern] })
  expect(invalidRules.map(({ name, number }) => `${name} ${number}`)).toEqual([
    'exclude rule 3',
    'URL to skip 1',
    'URL to skip 2',
  ])
})
