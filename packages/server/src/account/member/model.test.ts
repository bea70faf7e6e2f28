import { expect, it } from 'vitest'
import { resolveReturnUrl, readCookie } from './model.ts'

const publicUrl = 'https://clearway.example.org'

it.each([
  ['/monitor/scans?page=2', `${publicUrl}/monitor/scans?page=2`],
  [`${publicUrl}/monitor/pages`, `${publicUrl}/monitor/pages`],
  [undefined, `${publicUrl}/monitor`],
  ['', `${publicUrl}/monitor`],
  ['https://evil.example/', `${publicUrl}/monitor`],
  ['//evil.example/', `${publicUrl}/monitor`],
  ['/\\evil.example', `${publicUrl}/monitor`],
  [`${publicUrl}.evil.example/`, `${publicUrl}/monitor`],
  [`${publicUrl}@evil.example/`, `${publicUrl}/monitor`],
  ['javascript:alert(1)', `${publicUrl}/monitor`],
  ['data:text/html,x', `${publicUrl}/monitor`],
  ['http://clearway.example.org/', `${publicUrl}/monitor`],
])('redirects from the terms only into this installation: %j', (requestedUrl, expectedUrl) => {
  expect(resolveReturnUrl(requestedUrl, publicUrl)).toBe(expectedUrl)
})

it('reads one cookie from a header with several', () => {
  expect(readCookie('a=1; clearway_account=x.y; clearway_account_flow=z', 'clearway_account')).toBe('x.y')
  expect(readCookie('xclearway_account=1', 'clearway_account')).toBeNull()
  expect(readCookie(undefined, 'a')).toBeNull()
})
