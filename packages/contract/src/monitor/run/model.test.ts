import { expect, it } from 'vitest'
import { isStartProblem, startProblemOf, type StartPage } from './model.ts'

const failedPage: StartPage = {
  url: 'https://a.test/',
  kind: 'failed',
  reason: 'http-404',
  detail: 'HTTP 404',
}
const awayPage: StartPage = { url: 'https://b.test/', kind: 'excluded', reason: 'other-domain', detail: null }
const folderPage: StartPage = { ...awayPage, kind: 'excluded', reason: 'outside-folder' }
const robotsPage: StartPage = { ...awayPage, kind: 'excluded', reason: 'robots' }

it.each([
  [[failedPage, awayPage, robotsPage], 'start-urls-failed'],
  [[awayPage, robotsPage], 'start-url-leaves-domains'],
  [[robotsPage, folderPage], 'start-url-leaves-domains'],
  [[robotsPage], 'nothing-to-scan'],
  [[], 'nothing-to-scan'],
] as const)('determines the problem of a run without completed pages: %#', (pages, problem) => {
  expect(startProblemOf(pages).problem).toBe(problem)
})

it('lists the first three pages', () => {
  expect(startProblemOf([failedPage, awayPage, robotsPage, robotsPage, robotsPage]).detail).toBe(
    'https://a.test/: http-404 (HTTP 404); https://b.test/: other-domain; https://b.test/: robots; and 2 more',
  )
})

it('recognizes problems that no longer apply once a page was completed', () => {
  expect([isStartProblem('nothing-to-scan'), isStartProblem('run-timeout')]).toEqual([true, false])
})
