import { expect, it } from 'vitest'
import { listMentionedIds, formatMention, splitComment } from './model.ts'

it('finds the people mentioned in a comment without duplicates', () => {
  expect(listMentionedIds('a @[x|1] and @[y], @[x|1] again; @[] @[a b] @[[z]] @no')).toEqual(['x|1', 'y'])
  const manyMentions = Array.from({ length: 50 }, (_, i) => formatMention(`p${i}`)).join('')
  expect(listMentionedIds(manyMentions)).toHaveLength(50)
  expect(listMentionedIds('@['.repeat(5000))).toEqual([])
})

it('splits a comment, and keeps invalid mentions as text', () => {
  expect(splitComment('@[a], see @[b] @[a]', new Set(['a']))).toEqual([{ id: 'a' }, ', see @[b] ', { id: 'a' }])
  expect(splitComment('', new Set())).toEqual([])
})
