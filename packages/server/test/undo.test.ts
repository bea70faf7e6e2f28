/** @module-tag slow */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFinding, recordRun } from './run.ts'

const api = useTestApi()
type Changed = { changed: number; undo: string | null }
type Listed = { content: { status: string; labels: string[] }[]; page: { totalElements: number } }

it('a bulk change of more than 10,000 issues can be undone for a day, whatever else was changed since', async () => {
  const token = await api.token('admin', ['access', 'admin'])
  const names = Array.from({ length: 25 }, (_, page) => `page${page}`)
  const buildPage = (name: string) =>
    buildCompleted(
      Array.from({ length: 480 }, (_, element) => buildFinding(`${name}-${element}`)),
      name,
    )
  const { scanId } = await recordRun(api, undefined, Object.fromEntries(names.map((name) => [name, buildPage(name)])))
  const filters = { scanId: [scanId] }
  const edit = async (fieldsToUpdate: object, selected: object = { selectAllMode: true }) =>
    (await api.call('PATCH', '/bulk/issues', { token, body: { filters, selected, fieldsToUpdate } })).body as Changed
  const undo = (id: string | null) => api.call('POST', '/bulk/issues/undo', { token, body: { undo: id } })
  const countIssues = async (query: string) =>
    ((await api.call('GET', `/issues?scanId=${scanId}&size=1&${query}`, { token })).body as Listed).page.totalElements

  const labeled = await edit({ addLabels: ['first'] })
  expect(labeled).toMatchObject({ changed: 12_000, undo: expect.any(String) as string })
  const fixed = await edit({ status: 'fixed' })
  expect([await countIssues('status=fixed'), await countIssues('status=fixed&label=first')]).toEqual([12_000, 12_000])
  expect((await undo(fixed.undo)).body).toEqual({ restored: 12_000, left: 0, named: [] })
  expect([await countIssues('status=open'), await countIssues('status=open&label=first')]).toEqual([12_000, 12_000])
  // The versions have moved on by the change and its undo: the older change is left.
  const age = (hours: number) =>
    sql`update issue_undo set made_at = now() - make_interval(hours => ${hours}::int)`.execute(api.db)
  const ticketed = await edit({ ticketUrl: 'https://tickets.example.org/1' })
  await age(23)
  expect((await undo(ticketed.undo)).body).toMatchObject({ restored: 12_000, left: 0 })
  await age(25)
  expect((await undo(labeled.undo)).status).toBe(404)
  // Expired data is deleted with the next change.
  await edit({ addLabels: ['second'] })
  const { rows } = await sql<{ parts: number; changes: number }>`select count(*) as parts, count(distinct undo_id) as changes
    from issue_undo_part`.execute(api.db)
  expect(rows).toEqual([{ parts: 2, changes: 1 }])
}, 240_000)
