import { expect, it } from 'vitest'
import { mentionables, toStored, toTyped } from './model-mention.ts'

const person = (id: string, firstName: string, lastName = '', username = id) => ({
  id,
  firstName,
  lastName,
  username,
})
const people = mentionables([
  person('1', 'Ann'),
  person('2', 'Ann', 'Lee'),
  person('3', 'Jo', 'Po', 'jo1'),
  person('4', 'Jo', 'Po', 'jo2'),
  person('5', '', '', 'a+b (x)'),
])

it('stores names as ids, the longest name first, and namesakes by their user names', () => {
  expect(toStored('@Ann Lee, @Ann! @jo2 @Jo Po @a+b (x)', people)).toBe('@[2], @[1]! @[4] @Jo Po @[5]')
  expect(toStored('ann@Ann @Anna @ann', people)).toBe('ann@Ann @Anna @ann')
  expect(toStored('@Ann', [])).toBe('@Ann')
})

it('gives back what was typed, with the names of today, also of those who are not there any more', () => {
  const typed = 'Hello @Ann Lee and @jo1, see a@b.org'
  expect(toTyped(toStored(typed, people), people, [{ id: '2', name: 'Ann Lee' }])).toBe(typed)
  const gone = [{ id: '9', name: 'Max Moe' }]
  expect(toTyped('@[9] @[8]', people, gone)).toBe('@Max Moe @[8]')
  expect(toStored('@Max Moe @[8]', people, gone)).toBe('@[9] @[8]')
  // As the name was typed before it was known that somebody else has it, too.
  expect(toStored('@Jo Po', people, [{ id: '3', name: 'Jo Po' }])).toBe('@[3]')
  expect(toTyped('@[3]', people, [{ id: '3', name: 'Jo Po' }])).toBe('@jo1')
  // Somebody whose account is gone has no name: the mention stays as it is stored.
  expect(toTyped('@[9]', people, [{ id: '9', name: null }])).toBe('@[9]')
})
