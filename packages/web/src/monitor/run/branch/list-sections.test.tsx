import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { CountSection, UncheckedSection } from './list-sections.tsx'

const counts = [
  { page: '/a', rule: 'label', issues: 2 },
  { page: '/b', rule: 'label', issues: 1 },
]
const unchecked = [{ target: '/c', reason: 'timeout-generic', detail: 'Late' }]
const cutText = page.getByText('Only the first', { exact: false })

it('lists that are cut say so, and whole ones do not', async () => {
  const cutLists = await renderInPage(
    <>
      <CountSection id="fixed" title="Fixed" counts={counts} totalCount={1200} />
      <UncheckedSection unchecked={unchecked} totalCount={501} />
    </>,
  )
  expect(cutText.elements().map(({ textContent }) => textContent)).toEqual([
    'Only the first 3 of 1,200 are listed.',
    'Only the first 1 of 501 are listed.',
  ])
  await cutLists.unmount()
  await renderInPage(
    <>
      <CountSection id="fixed" title="Fixed" counts={counts} totalCount={3} />
      <UncheckedSection unchecked={unchecked} totalCount={1} />
    </>,
  )
  expect(cutText.elements()).toEqual([])
})
