import { expect, it } from 'vitest'
import { parseStoredTokens } from './auth.ts'

const tokens = { access: 'a', expiresAt: 1_800_000_000_000, refresh: 'r', id: 'i' }
const profile = { sub: 'sam', iss: 'https://id.example/', aud: 'monitor', exp: 2, iat: 1, name: 'Sam' }

it('restores the tokens stored before a reload', () => {
  expect(parseStoredTokens(JSON.stringify({ ...tokens, profile }))).toEqual({ ...tokens, profile })
  const { refresh: _, id: __, ...least } = tokens
  expect(parseStoredTokens(JSON.stringify({ ...least, profile }))).toEqual({ ...least, profile })
})

it.each([
  null,
  '',
  'no JSON',
  'null',
  '[]',
  JSON.stringify({ ...tokens, access: 7, profile }),
  JSON.stringify({ ...tokens, expiresAt: '2030-01-01', profile }),
  JSON.stringify({ ...tokens, profile: {} }),
  JSON.stringify(tokens),
  JSON.stringify({ ...tokens, profile, isRenewing: true }),
])('ignores stored tokens that this version cannot use: %s', (text) => {
  expect(parseStoredTokens(text)).toBeNull()
})
