import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { RunComponentsNotice, RunFontsNotice, RunWaitNotice } from './problem.tsx'

it.each([
  [true, 1],
  [false, 0],
])('reports whether the browser of the run had few fonts: %s', async (limitedFonts, times) => {
  await renderInPage(<RunFontsNotice run={{ limitedFonts }} />)
  expect(page.getByText('The server has few fonts', { exact: false }).elements()).toHaveLength(times)
})

it('names the common components that are on no page', async () => {
  await renderInPage(<RunComponentsNotice run={{ missingComponents: ['Header', 'Footer'] }} />)
  expect(page.getByText('Header and Footer').elements()).toHaveLength(1)
})

it.each([
  ['queued', 1],
  ['running', 1],
  ['failed', 0],
] as const)('says why an unfinished run waits: %s', async (status, times) => {
  const run = { number: 4, status, problem: 'no-browser', problemDetail: 'chromium: not found' } as const
  await renderInPage(<RunWaitNotice run={run} />)
  expect(page.getByText('Run 4 waits').elements()).toHaveLength(times)
  expect(page.getByText('The server has no browser that it can start.').elements()).toHaveLength(times)
})
