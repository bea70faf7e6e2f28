import type { CSSProperties } from 'react'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../test/show.tsx'
import { listPageNumbers, Pager, useLastPage } from './pager.tsx'

function List({ number, onPage }: { number: number; onPage: (page: number) => void }) {
  useLastPage({ number, size: 25, totalElements: 51, totalPages: 3 }, onPage)
  return null
}

it('redirects from beyond the last page to the last page only', async () => {
  const onPage = vi.fn()
  await renderInPage(<List number={2} onPage={onPage} />)
  expect(onPage).not.toHaveBeenCalled()
  await renderInPage(<List number={9998} onPage={onPage} />)
  await expect.poll(() => onPage.mock.calls).toEqual([[3]])
})

/** Space above, then rows of a list that is taller than the window. */
function TallList({ rowCount, onPage }: { rowCount: number; onPage: (page: number) => void }) {
  return (
    <>
      <div style={{ height: 300 }} />
      <section aria-label="Rows">
        <div style={{ height: rowCount * 50 }} />
        <Pager
          label="Pages of rows"
          page={{ number: 1, size: 25, totalElements: 100, totalPages: 4 }}
          onPage={onPage}
          onSize={() => undefined}
        />
      </section>
      <div style={{ height: 2000 }} />
    </>
  )
}
const getListTop = () => Math.round(page.getByRole('region', { name: 'Rows' }).element().getBoundingClientRect().top)

it.each([
  ['Next', 3],
  ['Previous', 1],
])('%s shows the first row of the page that it opens, and keeps the focus', async (name, pageNumber) => {
  const onPage = vi.fn()
  await renderInPage(<TallList rowCount={40} onPage={onPage} />)
  const button = page.getByRole('button', { name })
  button.element().scrollIntoView({ block: 'end' })
  expect(getListTop()).toBeLessThan(0)
  await button.click()
  expect(onPage.mock.calls).toEqual([[pageNumber]])
  await expect.poll(() => Math.abs(getListTop())).toBe(0)
  expect(document.activeElement).toBe(button.element())
})

it('a list whose first row is in view does not move', async () => {
  await renderInPage(<TallList rowCount={4} onPage={() => undefined} />)
  window.scrollTo(0, 100)
  const top = getListTop()
  expect(top).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Next' }).click()
  expect(getListTop()).toBe(top)
})

it.each<[current: number, count: number, neighborCount: 0 | 1, numbers: (number | null)[]]>([
  [1, 1, 1, [1]],
  [1, 0, 1, [1]],
  [2, 4, 1, [1, 2, 3, 4]],
  [1, 3973, 1, [1, 2, null, 3973]],
  [4, 7, 1, [1, 2, 3, 4, 5, 6, 7]],
  [5, 9, 1, [1, null, 4, 5, 6, null, 9]],
  [3973, 3973, 1, [1, null, 3972, 3973]],
  [1, 3973, 0, [1, null, 3973]],
  [3, 5, 0, [1, null, 3, null, 5]],
  [3971, 3973, 0, [1, null, 3971, null, 3973]],
  [50, 3973, 0, [1, null, 50, null, 3973]],
])('page %i of %i with %i neighbors has the first, the last and its own number', (current, count, neighborCount, numbers) =>
  expect(listPageNumbers(current, count, neighborCount)).toEqual(numbers),
)

it.each([
  [1, 5, ['1', '2', '5']],
  [2, 5, ['1', '3', '5']],
  [3968, 3973, ['1', '3,969', '3,973']],
  [3970, 3973, ['1', '3,971', '3,973']],
])('a phone shows page index %i of %i in one line, for fingers', async (number, totalPages, numbers) => {
  const onPage = vi.fn()
  // Space around a list, and targets of a touch screen.
  const phoneStyle = { padding: 9, '--control-sm': '2.75rem' } as CSSProperties
  await renderInPage(
    <div style={phoneStyle}>
      <Pager
        label="Pages of rows"
        page={{ number, size: 25, totalElements: totalPages * 25, totalPages }}
        onPage={onPage}
        onSize={() => undefined}
      />
    </div>,
    320,
  )
  const pageButtons = page.getByRole('button', { name: /^Page / })
  await expect.poll(() => pageButtons.elements().map(({ textContent }) => textContent)).toEqual(numbers)
  const getTop = (element: Element) => element.getBoundingClientRect().top
  const previousTop = getTop(page.getByRole('button', { name: 'Previous' }).element())
  for (const button of [...pageButtons.elements(), page.getByRole('button', { name: 'Next' }).element()])
    expect(getTop(button)).toBe(previousTop)
  expect(document.documentElement.scrollWidth).toBe(320)
  await page.getByRole('button', { name: `Page ${numbers.at(-1)}` }).click()
  expect(onPage.mock.calls).toEqual([[totalPages]])
})

it('a number opens its page; the current one is marked and stays', async () => {
  const onPage = vi.fn()
  await renderInPage(<TallList rowCount={4} onPage={onPage} />)
  const current = page.getByRole('button', { name: 'Page 2' })
  expect(current.element().getAttribute('aria-current')).toBe('page')
  await current.click()
  expect(onPage).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Page 4' }).click()
  expect(onPage.mock.calls).toEqual([[4]])
})
