import { expect, it } from 'vitest'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { openRuleLists } from './scope.ts'
import { openUrlRules } from './url-rules.ts'

const fits = (rule: UrlRule, url: string): boolean => openUrlRules([rule]).fits(url) === 1

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
  expect(fits({ kind: 'glob', pattern }, url)).toBe(expected)
})

it('expressions that would take seconds for each URL are refused, by their number', () => {
  const slow = '(\\w?){1000}'.repeat(3) + '\\d$'
  const rules: UrlRule[] = [
    { kind: 'regex', pattern: '^http://a' },
    ...Array.from({ length: 20 }, () => ({ kind: 'regex' as const, pattern: slow })),
  ]
  const { fits: fit, wrong } = openUrlRules(rules)
  expect(wrong.at(-1)).toBe(21)
  const url = `x${'a'.repeat(4000)}`
  const began = performance.now()
  expect(fit(url)).toBe(null)
  expect(performance.now() - began).toBeLessThan(10_000)
})

it('a pattern of stars is matched in time that does not grow without end', () => {
  expect(fits({ kind: 'glob', pattern: '*a'.repeat(900) + 'b' }, 'a'.repeat(4000))).toBe(false)
})

it('two hundred rules of the usual kind are taken', () => {
  const rules = Array.from({ length: 200 }, (_, i) => ({
    kind: 'regex' as const,
    pattern: `^https?://[^/]+/a${i}/\\d+`,
  }))
  expect(openUrlRules(rules).wrong).toEqual([])
})

it('globs that would be compared letter by letter share the bound of expressions', () => {
  const glob = { kind: 'glob', pattern: `*${'a'.repeat(1990)}b` } as const
  const { wrong } = openUrlRules(Array.from({ length: 400 }, () => glob))
  expect(wrong[0]).toBe(6)
})

it('rules to include, rules to exclude and URLs to skip share one bound', () => {
  const pattern = `*${'a'.repeat(1990)}b`
  const rules = Array.from({ length: 3 }, () => ({ kind: 'glob' as const, pattern }))
  const { wrong } = openRuleLists({
    includeRules: rules,
    excludeRules: rules,
    urlsToSkip: [pattern, pattern],
  })
  expect(wrong.map(({ name, number }) => `${name} ${number}`)).toEqual([
    'exclude rule 3',
    'URL to skip 1',
    'URL to skip 2',
  ])
})
