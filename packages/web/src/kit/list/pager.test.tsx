import { expect, it, vi } from 'vitest'
import { renderInPage } from '../../../test/show.tsx'
import { useLastPage } from './pager.tsx'

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
