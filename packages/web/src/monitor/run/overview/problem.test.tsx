import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { RunComponentsNotice, RunFontsNotice } from './problem.tsx'

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
