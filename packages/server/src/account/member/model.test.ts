import { expect, it } from 'vitest'
import { backTo, cookieOf } from './model.ts'

const home = 'https://clearway.example.org'

it.each([
  ['/monitor/scans?page=2', `${home}/monitor/scans?page=2`],
  [`${home}/monitor/pages`, `${home}/monitor/pages`],
  [undefined, `${home}/monitor`],
  ['', `${home}/monitor`],
  ['https://evil.example/', `${home}/monitor`],
  ['//evil.example/', `${home}/monitor`],
  ['/\\evil.example', `${home}/monitor`],
  [`${home}.evil.example/`, `${home}/monitor`],
  [`${home}@evil.example/`, `${home}/monitor`],
  ['javascript:alert(1)', `${home}/monitor`],
  ['data:text/html,x', `${home}/monitor`],
  ['http://clearway.example.org/', `${home}/monitor`],
])('leads from the terms back into this installation only: %j', (asked, expected) => {
  expect(backTo(asked, home)).toBe(expected)
})

it('reads one cookie among others', () => {
  expect(cookieOf('a=1; clearway_account=x.y; clearway_account_flow=z', 'clearway_account')).toBe('x.y')
  expect(cookieOf('xclearway_account=1', 'clearway_account')).toBeNull()
  expect(cookieOf(undefined, 'a')).toBeNull()
})
