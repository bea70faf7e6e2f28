import { expect, it } from 'vitest'
import { isPlausibleExpression } from './model.ts'

it.each(['(', '[', 'a**', '(?=a)', String.raw`(a)\1`, '(?<!a)b', 'a{2,1}'])('refuses %s', (expression) => {
  expect(isPlausibleExpression(expression)).toBe(false)
})

it.each([
  '(?i)abc',
  '(?s-i:a)',
  '(?P<n>a)',
  '(?<n>a)',
  '[[:alpha:]]',
  '[^[:^digit:]a]',
  String.raw`\pL`,
  String.raw`a\\1`,
  'a|b',
])('accepts %s', (expression) => {
  expect(isPlausibleExpression(expression)).toBe(true)
})
