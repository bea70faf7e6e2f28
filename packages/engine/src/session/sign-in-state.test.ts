import { expect, test } from 'vitest'
import type { Browsing } from '../browser/instance.ts'
import { openSignInState, type SignInResult } from './sign-in-state.ts'

const createSuccess = (): SignInResult => ({ kind: 'signed-in', browsing: {} as Browsing })
const unreadable: SignInResult = { kind: 'failed', reason: 'session-failed', detail: 'The session could not be read in time' }
const refused: SignInResult = { kind: 'failed', reason: 'authentication', detail: 'The password is wrong' }

/** Signs in with one result after another; the last one repeats. */
function openWith(...results: SignInResult[]) {
  const tries = { count: 0 }
  const state = openSignInState(() => Promise.resolve(results[Math.min(tries.count++, results.length - 1)]!), null)
  return { state, tries }
}

test('a busy machine gets a second try', async () => {
  const { state, tries } = openWith(unreadable, createSuccess())
  expect(await state.current()).toMatchObject({ kind: 'signed-in' })
  expect(tries.count).toBe(2)
})

test('a sign-in that fails again and again ends with its reason', async () => {
  const { state, tries } = openWith(unreadable)
  expect(await state.current()).toEqual(unreadable)
  expect(tries.count).toBe(3)
})

test('a refused password is not tried again, also by several visits', async () => {
  const { state, tries } = openWith(refused)
  expect(await Promise.all([state.current(), state.current(), state.current()])).toEqual([refused, refused, refused])
  expect(tries.count).toBe(1)
})

test('visits that lost one session get one new sign-in, and a session without a page ends after three', async () => {
  const { state, tries } = openWith(createSuccess(), createSuccess(), createSuccess(), createSuccess())
  const first = await state.current()
  if (first.kind !== 'signed-in') throw new Error(first.detail)
  const renewed = await Promise.all([state.renew(first.browsing), state.renew(first.browsing)])
  expect([tries.count, renewed[0] === renewed[1]]).toEqual([2, true])
  const renewAgain = async (result: SignInResult) => (result.kind === 'signed-in' ? state.renew(result.browsing) : result)
  const third = await renewAgain(renewed[0]!)
  expect(await renewAgain(third)).toMatchObject({ kind: 'failed', reason: 'session-failed' })
  expect(tries.count).toBe(3)
})
