import { expect, it } from 'vitest'
import { findReviewTitle } from './review-titles.ts'

it('has no title for rules that are named as members of every object', () => {
  expect(['constructor', '__proto__', 'toString'].map(findReviewTitle)).toEqual([null, null, null])
  expect(findReviewTitle('color-contrast')).not.toBeNull()
})
