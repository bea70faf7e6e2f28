import { expect, it } from 'vitest'
import type { UrlRule } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { openRuleLists } from './scope.ts'
import { openUrlRules } from './url-rules.ts'

const matchesRule = (rule: UrlRule, url: string): boolean => openUrlRules([rule]).findMatch(url) === 1

it.each([
  ['*/docs/*', 'http://a.test/docs/x', true],
  ['http://a.test', 'http://a.test/', true],
  ['HTTP://A.test:80', 'http://a.test/', true],
  ['http://a.test', 'http://a.test.evil/', false],
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

it.each([
  ['glob', '*/über-uns/*', 'https://a.test/%C3%BCber-uns/x'],
  ['glob', '*/\u0075\u0308ber-uns/*', 'https://a.test/%C3%BCber-uns/x'],
  ['glob', '*/my docs/*', 'https://a.test/my%20docs/x'],
  ['glob', '*/löschen*', 'https://a.test/l%c3%b6schen?id=1'],
  ['glob', '*/caf?', 'https://a.test/caf%C3%A9'],
  ['glob', 'https://bücher.example/*', 'https://xn--bcher-kva.example/a'],
  ['prefix', 'https://a.test/français/', 'https://a.test/fran%C3%A7ais/a'],
  ['prefix', 'HTTPS://A.test:443/a', 'https://a.test/a/b'],
  ['prefix', 'https://a.test/%c3%a9', 'https://a.test/%C3%A9'],
  ['prefix', 'https://a.test/~foo/', 'https://a.test/%7Efoo/a'],
  ['regex', '/über-uns', 'https://a.test/%C3%BCber-uns'],
  ['regex', '/\u0075\u0308ber-uns', 'https://a.test/%C3%BCber-uns'],
  ['regex', '/my docs/', 'https://a.test/my%20docs/x'],
  ['regex', '/my%20docs/', 'https://a.test/my%20docs/x'],
  ['regex', '^https://bücher\\.example/my docs', 'https://xn--bcher-kva.example/my%20docs'],
  ['regex', '^https://xn--bcher-kva\\.example/', 'https://xn--bcher-kva.example/a'],
  ['regex', '/%C3%BCber-uns$', 'https://a.test/%c3%bcber-uns'],
  ['regex', '/[ぁ-ん]+$', 'https://a.test/%E3%81%82%E3%81%84'],
] as const)('the %s %s matches %s as people read it', (kind, pattern, url) =>
  expect(matchesRule({ kind, pattern }, url)).toBe(true),
)

it.each([
  ['glob', '*/a%2Fb', 'https://a.test/a/b'],
  ['glob', '*/a%2Ab', 'https://a.test/axb'],
  ['prefix', 'https://a.test/é', 'https://a.test/%C3%A8'],
  ['prefix', 'https://a.test/', 'https://a.test.evil.example/'],
] as const)('the %s %s does not match %s', (kind, pattern, url) => expect(matchesRule({ kind, pattern }, url)).toBe(false))
