import { expect, it } from 'vitest'
import { toMentionables, toStoredText, toTypedText } from './model-mention.ts'

const person = (id: string, firstName: string, lastName = '', username = id) => ({ id, firstName, lastName, username })
const people = toMentionables([
  person('1', 'Ann'),
  person('2', 'Ann', 'Lee'),
  person('3', 'Jo', 'Po', 'jo1'),
  person('4', 'Jo', 'Po', 'jo2'),
  person('5', '', '', 'a+b (x)'),
])

it('stores names as ids, longest name first; people with the same name by username', () => {
  expect(toStoredText('@Ann Lee, @Ann! @jo2 @Jo Po @a+b (x)', people)).toBe('@[2], @[1]! @[4] @Jo Po @[5]')
  expect(toStoredText('ann@Ann @Anna @ann', people)).toBe('ann@Ann @Anna @ann')
  expect(toStoredText('@Ann', [])).toBe('@Ann')
})

it('restores the text with current names, including former members', () => {
  const typed = 'Hello @Ann Lee and @jo1, see a@b.org'
  expect(toTypedText(toStoredText(typed, people), people, [{ id: '2', name: 'Ann Lee' }])).toBe(typed)
  const gone = [{ id: '9', name: 'Max Moe' }]
  expect(toTypedText('@[9] @[8]', people, gone)).toBe('@Max Moe @[8]')
  expect(toStoredText('@Max Moe @[8]', people, gone)).toBe('@[9] @[8]')
  // A name typed before another person with the same name was known.
  expect(toStoredText('@Jo Po', people, [{ id: '3', name: 'Jo Po' }])).toBe('@[3]')
  expect(toTypedText('@[3]', people, [{ id: '3', name: 'Jo Po' }])).toBe('@jo1')
  // A deleted account has no name, so the mention keeps its stored form.
  expect(toTypedText('@[9]', people, [{ id: '9', name: null }])).toBe('@[9]')
})
