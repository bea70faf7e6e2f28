import { expect, it } from 'vitest'
import { everyPage } from './every-page.ts'

/** A list of so many numbers as the server gives it, and the pages that were asked for. */
function listOf(total: number) {
  const asked: number[] = []
  const read = ({ page, size }: { page: number; size: number }) => {
    asked.push(page)
    const content = Array.from({ length: total }, (_, at) => at).slice(page * size, (page + 1) * size)
    const totalPages = Math.ceil(total / size)
    return Promise.resolve({ content, page: { number: page, size, totalElements: total, totalPages } })
  }
  return { asked, read }
}

it.each([
  [0, 1],
  [1, 1],
  [500, 1],
  [501, 2],
  [1700, 4],
])('brings all of %i entries by %i calls', async (total, calls) => {
  const { asked, read } = listOf(total)
  const all = await everyPage(read)
  expect(all).toEqual(Array.from({ length: total }, (_, at) => at))
  expect(asked).toEqual(Array.from({ length: calls }, (_, at) => at))
})

it('ends when entries go while it reads', async () => {
  const { read } = listOf(1700)
  const shrinking = async (paging: { page: number; size: number }) => {
    const reply = await read(paging)
    return paging.page < 2 ? reply : { ...reply, content: [] }
  }
  expect(await everyPage(shrinking)).toHaveLength(1000)
})
