import { expect, it } from 'vitest'
import { isTooEarly } from './model-progress.ts'

const noPages = { completed: 0, failed: 0, notReached: 0 }

it.each([
  ['no known page', {}, false],
  ['the start page, whose links are known', { completed: 1, notReached: 8 }, true],
  ['five pages of fifty', { completed: 5, notReached: 45 }, false],
  ['five pages of sixty', { completed: 5, notReached: 55 }, true],
  ['failed pages, too', { completed: 1, failed: 9, notReached: 90 }, false],
  ['the only page', { completed: 1 }, false],
])('results are held back at first: %s', (_name, pages, isEarly) => {
  const run = { status: 'running', pages: { ...noPages, ...pages } } as Parameters<typeof isTooEarly>[0]
  expect([isTooEarly(run), isTooEarly({ ...run, status: 'completed' })]).toEqual([isEarly, false])
})
