import { expect, it } from 'vitest'
import { isStartProblem, startProblemOf, type StartPage } from './model.ts'

const failed: StartPage = { url: 'https://a.test/', kind: 'failed', reason: 'http-404', detail: 'HTTP 404' }
const away: StartPage = { url: 'https://b.test/', kind: 'excluded', reason: 'other-domain', detail: null }
const folder: StartPage = { ...away, kind: 'excluded', reason: 'outside-folder' }
const robots: StartPage = { ...away, kind: 'excluded', reason: 'robots' }

it.each([
  [[failed, away, robots], 'start-urls-failed'],
  [[away, robots], 'start-url-leaves-domains'],
  [[robots, folder], 'start-url-leaves-domains'],
  [[robots], 'nothing-to-scan'],
  [[], 'nothing-to-scan'],
] as const)('what a run that completed nothing is told as: %#', (pages, problem) => {
  expect(startProblemOf(pages).problem).toBe(problem)
})

it('names the first three', () => {
  expect(startProblemOf([failed, away, robots, robots, robots]).detail).toBe(
    'https://a.test/: http-404 (HTTP 404); https://b.test/: other-domain; https://b.test/: robots; and 2 more',
  )
})

it('knows which problems are void once a page was completed', () => {
  expect([isStartProblem('nothing-to-scan'), isStartProblem('run-timeout')]).toEqual([true, false])
})
