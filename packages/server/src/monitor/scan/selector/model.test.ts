import { expect, it } from 'vitest'
import { isSelector } from './model.ts'

it.each([
  ['header', true],
  ['#a > .b:has(img), main ::part(x)', true],
  [':nth-child(2n + 1 of .x)', true],
  ['//main//a[@href and not(@id)]', true],
  ['(//nav)[1]', true],
  ["xpath=//*[contains(@class, 'x')]", true],
  ['##', false],
  ['a[', false],
  ['a,,b', false],
  ['> a', false],
  ['', false],
  ['//a[', false],
  ['//', false],
  ['xpath=foo(', false],
])('%s is a selector: %s', (text, expected) => {
  expect(isSelector(text)).toBe(expected)
})
