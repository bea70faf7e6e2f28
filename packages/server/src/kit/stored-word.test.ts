import { expect, test } from 'vitest'
import { defineStoredWords } from './stored-word.ts'

type Word = 'open' | 'fixed'

test('a list of stored words that lacks one does not compile, nor does one with an unknown word', () => {
  expect(defineStoredWords<Word>()(['fixed', 'open'])).toEqual(['fixed', 'open'])
  // @ts-expect-error `fixed` is missing
  expect(defineStoredWords<Word>()(['open'])).toEqual(['open'])
  // @ts-expect-error `deferred` is no word
  expect(defineStoredWords<Word>()(['open', 'fixed', 'deferred'])).toHaveLength(3)
})
