import { expect, it } from 'vitest'
import { getInitials } from './model-initials.ts'

it('takes the first letters of the first and the last word', () => {
  expect(getInitials('dana')).toBe('D')
  expect(getInitials('Ana María  López ')).toBe('AL')
  expect(getInitials('')).toBe('')
})

it('keeps letters of several code points whole', () => {
  expect(getInitials('𠮷田 花子')).toBe('𠮷花')
  expect(getInitials('e\u0301lodie 👩‍💻')).toBe('E\u0301👩‍💻')
})
