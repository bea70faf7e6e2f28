import { expect, it } from 'vitest'
import { createExpressionCheck } from './expression.ts'

it.each([
  'a{1,1001}',
  '[^]',
  String.raw`\u{1F600}`,
  String.raw`\cA`,
  '(?=a)',
  String.raw`(a)\1`,
  '(?<!a)b',
  '(',
  '[',
  '(a{500}){3}',
])('refuses an expression that RE2 does not run: %s', (expression) => {
  expect(createExpressionCheck()(expression)).toBe(false)
})

it.each([
  '(?i)abc',
  '(?s).',
  '(?P<n>a)',
  '(?<n>a)',
  '[[:alpha:]]',
  String.raw`\pL`,
  String.raw`\p{Greek}`,
  'a{1000}',
  String.raw`a\\1`,
])('accepts the syntax of RE2: %s', (expression) => {
  expect(createExpressionCheck()(expression)).toBe(true)
})

it('refuses expressions that together exceed the steps of a scan, without compiling them', () => {
  const isExpression = createExpressionCheck()
  expect(Array.from({ length: 11 }, () => isExpression('a{1000}')).indexOf(false)).toBe(9)
  const startedAt = performance.now()
  for (let rule = 0; rule < 400; rule++) expect(createExpressionCheck()('a{1000}'.repeat(285))).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
