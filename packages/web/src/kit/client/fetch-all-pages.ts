import type { PagedList } from '@clearway/contract/kit/paging.ts'

const maxPageSize = 500

/** Returns all entries of a paged list. Selection lists need every entry. */
export async function fetchAllPages<T>(
  fetchPage: (paging: { page: number; size: number }) => Promise<PagedList<T>>,
): Promise<T[]> {
  const allEntries: T[] = []
  for (let pageIndex = 0; ; pageIndex++) {
    const { content: pageEntries, page: pageInfo } = await fetchPage({ page: pageIndex, size: maxPageSize })
    allEntries.push(...pageEntries)
    if (pageIndex + 1 >= pageInfo.totalPages || pageEntries.length === 0) return allEntries
  }
}
