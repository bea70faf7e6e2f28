import { expect } from 'vitest'
import type { MonitorDb } from '../src/monitor/database.ts'
import { countUnlistedRuns } from '../src/monitor/issue/listed/service.ts'

type GetBody = <Body>(path: string) => Promise<Body>
type Listed = { content: object[]; page: { totalElements: number } }

/** Reads the first pages of a list, two rows each. Returns the total, and the rows. */
export async function readInPages(fetchBody: GetBody, path: string, pageCount = 2): Promise<unknown[]> {
  const pages = await Promise.all(
    Array.from({ length: pageCount }, (_, page) => fetchBody<Listed>(`${path}&size=2&page=${page}`)),
  )
  return [pages[0]!.page.totalElements, ...pages.flatMap(({ content }) => content)]
}

/** Lists that read the counts of listed runs: those of the newest completed run, without a number. */
const listedPaths = (scan: string): string[] => [
  ...['', 'sort=url,asc', 'sort=url,desc', 'health=critical', 'health=good'].map((query) => `/pages?scanId=${scan}&${query}`),
  `/pages/folders?scanId=${scan}`,
  ...['page', 'component', 'template'].map((by) => `/issues/groups?by=${by}&scanId=${scan}&status=open`),
  `/rollup/templates?scanId=${scan}`,
]

/** Asserts that lists by stored counts, by counts as of the next start, and without any are the same. */
export async function expectListedCounts({ db }: { db: MonitorDb }, fetchBody: GetBody, scan: string): Promise<void> {
  const readLists = () => Promise.all(listedPaths(scan).map(async (path) => [path, ...(await readInPages(fetchBody, path))]))
  const fromCounts = await readLists()
  const { numDeletedRows } = await db.deleteFrom('listed_run').where('scan_id', '=', scan).executeTakeFirstOrThrow()
  expect(Number(numDeletedRows)).toBe(1)
  expect(fromCounts).toEqual(await readLists())
  await countUnlistedRuns({ db })
  expect(fromCounts).toEqual(await readLists())
}
