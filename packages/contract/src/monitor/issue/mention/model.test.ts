import { expect, it } from 'vitest'
import { mentionedIn, mentionOf, partsOf } from './model.ts'

it('finds whom a comment mentions, each once', () => {
  expect(mentionedIn('a @[x|1] and @[y], @[x|1] again; @[] @[a b] @[[z]] @no')).toEqual(['x|1', 'y'])
  const many = Array.from({ length: 50 }, (_, i) => mentionOf(`p${i}`)).join('')
  expect(mentionedIn(many)).toHaveLength(50)
  expect(mentionedIn('@['.repeat(5000))).toEqual([])
})

it('takes a comment apart, and leaves alone what only looks like a mention', () => {
  expect(partsOf('@[a], see @[b] @[a]', new Set(['a']))).toEqual([{ id: 'a' }, ', see @[b] ', { id: 'a' }])
  expect(partsOf('', new Set())).toEqual([])
})
