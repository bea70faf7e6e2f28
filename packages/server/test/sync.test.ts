import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'

// Copies all issues as another program does, while people and runs change them.

const api = useTestApi()
let token: string
let scanId: string
const buildPage = (name: string, elements: readonly number[]) =>
  buildCompleted(
    elements.map((element) => buildFinding(`${name}-${element}`)),
    name,
  )
const record = (id: string | undefined, elements: readonly number[]) =>
  recordRun(api, id, { a: buildPage('a', elements), b: buildPage('b', elements) }, 'Copied')
beforeAll(async () => {
  token = await api.token('admin', ['access', 'admin'])
  scanId = (await record(undefined, [1, 2, 3, 4, 5])).scanId
})

type Issue = { id: string; updatedAt: string; status: string }
type Listed = { content: Issue[]; nextCursor: string | null; totalIssues: number }
const anyStatus = 'status=open&status=fixed&status=ignored'
const list = async (query: string) =>
  (await api.call('GET', `/issues?scanId=${scanId}&${anyStatus}&${query}`, { token })).body as Listed
const patch = (id: string, fields: object) => api.call('PATCH', `/issues/${id}`, { token, body: { fieldsToUpdate: fields } })

it('pages by a cursor, without skipping or repeating issues that change in between', async () => {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { content, nextCursor, totalIssues }: Listed = await list(`cursor=${cursor}&size=3`)
    expect(totalIssues).toBe(10)
    ids.push(...content.map(({ id }) => id))
    cursor = nextCursor
    // In the order of severity, a changed issue would move to another page.
    await patch(content[0]!.id, { status: 'fixed' })
  }
  expect(ids).toHaveLength(10)
  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(new Set(ids).size).toBe(10)
  expect((await list('size=3')).nextCursor).toBeNull()
  // A full last page has a cursor that leads to an empty one.
  const last = await list('cursor=&size=10')
  expect(await list(`cursor=${last.nextCursor}&size=10`)).toMatchObject({ content: [], nextCursor: null })
  expect(await list('cursor=&size=5&severity=minor')).toMatchObject({ content: [], nextCursor: null })
})

it.each(['cursor=&page=1', 'cursor=&sort=severity,asc', 'cursor=&grouped=true', 'cursor=5', 'updatedSince=yesterday'])(
  'refuses %s',
  async (query) => {
    expect(await list(query)).toMatchObject({ code: 'validation-failed' })
  },
)

it('says of a text that is no time only that, not that it is in the future', async () => {
  expect(await list('updatedSince=yesterday')).toMatchObject({ errors: [{ path: 'updatedSince', code: 'wrong-format' }] })
  expect(await list('updatedSince=2999-01-01T00:00:00Z')).toMatchObject({ errors: [{ path: 'updatedSince', code: 'in-future' }] })
})

it('finds what was changed since, and nothing that a run only found again', async () => {
  const readNow = async () => (await sql<{ now: Date }>`select now()`.execute(api.db)).rows[0]!.now.toISOString()
  const listSince = async (since: string) => (await list(`cursor=&updatedSince=${since}`)).content
  const first = (await list('cursor=')).content.find(({ status }) => status === 'open')
  const beforeChange = await readNow()
  expect(await listSince(beforeChange)).toEqual([])
  await patch(first!.id, { addLabels: ['copied'] })
  const changed = await listSince(beforeChange)
  expect(changed.map(({ id }) => id)).toEqual([first!.id])
  expect(changed[0]!.updatedAt >= beforeChange).toBe(true)
  const body = { filters: { scanId: [scanId], updatedSince: beforeChange }, selected: { selectAllMode: true } }
  expect((await api.call('POST', '/bulk/issues/getSelectedIssuesCount', { token, body })).body).toMatchObject({ count: 1 })

  const beforeRun = await readNow()
  await record(scanId, [1, 2, 3, 4, 5])
  const reopened = await listSince(beforeRun)
  // The run found the issues again that were set to fixed.
  expect(reopened).toHaveLength(4)
  expect(reopened.map(({ id }) => id)).not.toContain(first!.id)
  const beforeFix = await readNow()
  await record(scanId, [1, 2, 3, 4])
  const fixed = await listSince(beforeFix)
  expect(fixed.map(({ status }) => status)).toEqual(['fixed', 'fixed'])
})
