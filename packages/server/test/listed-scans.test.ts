/** @module-tag slow */
import type { IssueGroup } from '@clearway/contract/monitor/issue/schema.ts'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { countUnlistedRuns } from '../src/monitor/issue/listed/service.ts'
import { useTestApi } from './api.ts'
import { readInPages } from './listed-counts.ts'
import { buildCompleted, buildFailed, buildFinding, recordRun, type TestRun } from './run.ts'

// Lists over several scans are the same by stored counts and without them, wherever the pages of a scan stand in the order.

const api = useTestApi()
let admin: string
const runs: TestRun[] = []

const buildPage = (issues: number) =>
  buildCompleted(
    Array.from({ length: issues }, (_, number) =>
      buildFinding(
        `e${number}`,
        number % 3 === 0 ? {} : { rule: 'label', severity: 'serious', impact: 'serious', component: 'Header' },
      ),
    ),
  )

beforeAll(async () => {
  admin = await api.token('lists', ['access', 'admin'])
  // Upper case stands before lower case in the order of bytes. From 16 issues on, classes of pages have rounded numbers.
  const pagesByScan = [
    { Z: buildPage(3), b: buildPage(20), m1: buildPage(0) },
    { A: buildPage(70), c: buildPage(17), n: buildFailed('http-404') },
    { a: buildPage(1), d: buildPage(65), z: buildPage(2) },
    { B: buildPage(0), e: buildPage(0) },
  ]
  for (const [index, pages] of pagesByScan.entries()) runs.push(await recordRun(api, undefined, pages, `Listed ${index}`))
})

const queries = [
  ...['', 'sort=url,asc', 'sort=url,desc', 'health=critical', 'health=good', 'health=serious'].map((query) => `/pages?${query}`),
  ...['page', 'component', 'template', 'rule'].map((by) => `/issues/groups?by=${by}&status=open`),
  '/rollup/templates?',
]
const fetchBody = async <Body>(path: string) => (await api.call('GET', path, { token: admin })).body as Body
const pageCount = 6

async function readLists(): Promise<Record<string, unknown[]>> {
  const lists: Record<string, unknown[]> = {}
  for (const query of queries) lists[query] = await readInPages(fetchBody, query, pageCount)
  return lists
}

it('shows the same with all, some and no counts', async () => {
  const counted = await readLists()
  const urls = (counted['/pages?sort=url,asc'] as { url?: string }[])
    .slice(1)
    .map(({ url }) => url!.replace('https://example.org/', ''))
  expect(urls).toEqual(['A', 'B', 'Z', 'a', 'b', 'c', 'd', 'e', 'm1', 'n', 'z'])
  await api.db.updateTable('listed_run').set({ pages: null }).where('run_id', '=', runs[0]!.id).execute()
  await api.db.deleteFrom('listed_run').where('run_id', '=', runs[1]!.id).execute()
  expect(await readLists()).toEqual(counted)
  await api.db.deleteFrom('listed_run').execute()
  expect(await readLists()).toEqual(counted)
  await countUnlistedRuns(api)
  expect(await readLists()).toEqual(counted)
  const incomplete = await api.db.selectFrom('listed_run').select('run_id').where('pages', 'is', null).execute()
  expect(incomplete).toEqual([])
})

it('counts what a re-check has left to sum up', async () => {
  // As between a re-check and the sums of its run: one page lost its issues without a component.
  const { id, scanId } = runs[2]!
  const readRest = async () => {
    const path = `/issues/groups?by=component&status=open&scanId=${scanId}`
    const { content } = await fetchBody<{ content: IssueGroup[] }>(path)
    return content.map(({ name, issues }) => [name, issues])
  }
  expect(await readRest()).toEqual([
    ['', 24],
    ['Header', 44],
  ])
  const { rows } = await sql<{ key_hash: Buffer }>`select key_hash from page where run_id = ${id} and url like '%/z'`.execute(
    api.db,
  )
  await sql`update run set rechecked = 1 where id = ${id}`.execute(api.db)
  await sql`update run_page set critical = 0 where run_id = ${id} and key_hash = ${rows[0]!.key_hash}`.execute(api.db)
  expect(await readRest()).toEqual([
    ['', 23],
    ['Header', 44],
  ])
})
