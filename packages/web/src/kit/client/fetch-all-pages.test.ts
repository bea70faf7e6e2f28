import { expect, it } from 'vitest'
import { fetchAllPages } from './fetch-all-pages.ts'

/** Creates a list of `total` numbers and records the requested pages. */
function listOf(total: number) {
  const requestedPages: number[] = []
  const read = ({ page, size }: { page: number; size: number }) => {
    requestedPages.push(page)
    const content = Array.from({ length: total }, (_, itemIndex) => itemIndex).slice(page * size, (page + 1) * size)
    const totalPages = Math.ceil(total / size)
    return Promise.resolve({ content, page: { number: page, size, totalElements: total, totalPages } })
  }
  return { asked: requestedPages, read }
}

it.each([
  [0, 1],
  [1, 1],
  [500, 1],
  [501, 2],
  [1700, 4],
])('fetches all %i entries with %i calls', async (total, calls) => {
  const { asked: requestedPages, read } = listOf(total)
  const all = await fetchAllPages(read)
  expect(all).toEqual(Array.from({ length: total }, (_, itemIndex) => itemIndex))
  expect(requestedPages).toEqual(Array.from({ length: calls }, (_, pageIndex) => pageIndex))
})

it('ends if entries are removed during the read', async () => {
  const { read } = listOf(1700)
  const shrinking = async (paging: { page: number; size: number }) => {
    const reply = await read(paging)
    return paging.page < 2 ? reply : { ...reply, content: [] }
  }
  expect(await fetchAllPages(shrinking)).toHaveLength(1000)
})
