import type { PageOf } from '@clearway/contract/kit/paging.ts'

/** As many entries as a list gives at once. */
const portion = 500

/** Every entry of a list that the server gives in pages: what one chooses from has to hold all that there is. */
export async function everyPage<T>(
  read: (paging: { page: number; size: number }) => Promise<PageOf<T>>,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 0; ; page++) {
    const { content, page: facts } = await read({ page, size: portion })
    all.push(...content)
    if (page + 1 >= facts.totalPages || content.length === 0) return all
  }
}
