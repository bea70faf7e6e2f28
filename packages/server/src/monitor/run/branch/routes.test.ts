import type { BranchRunSummary } from '@clearway/contract/monitor/run/branch/schema.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'
import { branchIssue, buildBranchRun } from '../../../../test/branch-run.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'
import { deleteOldBranchRuns } from './store.ts'

const api = useTestApi()
let scan: string
let otherScan: string
let admin: string
beforeAll(async () => {
  scan = (await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Shop')).scanId
  otherScan = ((await api.call('POST', '/scans', { body: buildScanBody('Other') })).body as { id: string }).id
  admin = await api.token('runner', ['access', 'admin'])
})

const upload = (changes?: object, of = scan) =>
  api.call('POST', `/scans/${of}/branchRuns`, { token: admin, body: { ...buildBranchRun(), ...changes } })
const list = async (query = '', of = scan) =>
  (await api.call('GET', `/scans/${of}/branchRuns${query}`)).body as {
    content: BranchRunSummary[]
    page: { totalElements: number }
  }

/** Screens of a scan's own runs. */
const readOwnHistory = async () =>
  Promise.all(
    ['', '/runs', '/runs/1/overview', '/runs/1/pages', '/trend'].map(
      async (path) => (await api.call('GET', `/scans/${scan}${path}`)).body,
    ),
  )

describe('a result of a gate', () => {
  it('is stored, listed, read and removed, and changes nothing of the scan', async () => {
    const before = await readOwnHistory()
    const issuesBefore = (await api.call('GET', `/issues?scanId=${scan}`)).body
    const stored = await upload()
    expect(stored).toMatchObject({ status: 201, body: { branch: 'feature/cart', result: 'failed', totals: { new: 1 } } })
    const { id } = stored.body as BranchRunSummary
    expect(await list()).toMatchObject({ content: [{ id, commit: '0123abc', axeRelease: '4.14.1' }], page: { totalElements: 1 } })
    const one = await api.call('GET', `/scans/${scan}/branchRuns/${id}`)
    expect(one.body).toMatchObject({ ...buildBranchRun(), scanName: 'Shop' })
    expect(await readOwnHistory()).toEqual(before)
    expect((await api.call('GET', `/issues?scanId=${scan}`)).body).toEqual(issuesBefore)
    expect((await api.call('DELETE', `/scans/${scan}/branchRuns/${id}`, { token: admin })).status).toBe(204)
    expect((await list()).content).toEqual([])
    expect((await api.call('DELETE', `/scans/${scan}/branchRuns/${id}`, { token: admin })).status).toBe(404)
    const entries = (await api.call('GET', `/audit?noun=branch-run`, { token: admin })).body as {
      content: { action: string; after: object | null }[]
    }
    expect(entries.content.map(({ action }) => action)).toEqual(['deleted', 'created'])
    expect(JSON.stringify(entries.content)).not.toContain('image-alt')
  })

  it('stays readable when its version of axe-core is no longer offered', async () => {
    const { id } = (await upload()).body as BranchRunSummary
    await sql`update branch_run set report = jsonb_set(report, '{baselineAxe}', '"3.5"') || '{"former": 1}' where id = ${id}`.execute(
      api.db,
    )
    const row = { id, baselineAxe: '3.5', failOn: 'minor', axeRelease: '4.14.1', totals: buildBranchRun().totals }
    expect((await list()).content).toMatchObject([{ ...row, uploadedBy: { name: expect.any(String) as string } }])
    const one = (await api.call('GET', `/scans/${scan}/branchRuns/${id}`)).body
    expect(one).toMatchObject({ ...row, newIssues: [branchIssue] })
    expect(one).not.toHaveProperty('former')
    await sql`delete from branch_run`.execute(api.db)
  })

  it('belongs to one scan', async () => {
    const { id } = (await upload()).body as BranchRunSummary
    for (const method of ['GET', 'DELETE'] as const)
      expect((await api.call(method, `/scans/${otherScan}/branchRuns/${id}`, { token: admin })).status).toBe(404)
    expect((await list('', otherScan)).content).toEqual([])
    expect((await list('?search=CART')).content.map((row) => row.id)).toContain(id)
    expect((await list('?search=c%25t')).content).toEqual([])
  })

  it.each([
    ['a link that runs a script', { buildUrl: 'javascript:alert(1)' }],
    ['a help link that runs a script', { newIssues: [{ ...branchIssue, helpUrl: 'javascript:alert(1)' }] }],
    ['no name of a branch', { branch: '  ' }],
    ['a page with a password', { newIssues: [{ ...branchIssue, url: 'https://ann:hush@preview.example/' }] }],
    ['an unchecked page with a user', { unchecked: [{ target: 'http://ann@preview.example/', reason: 'r', detail: '' }] }],
    ['a build with a password', { buildUrl: 'https://ann:hush@ci.example/1' }],
    ['too many issues', { newIssues: Array.from({ length: 501 }, () => branchIssue) }],
    ['a long text', { newIssues: [{ ...branchIssue, html: 'x'.repeat(2001) }] }],
    ['an unknown result', { result: 'green' }],
    ['more than there is', { score: 1 }],
    ['a NUL, which the database cannot store', { branch: 'a\u0000b' }],
  ])('is refused with %s', async (_, changes) => {
    const { status, body } = await upload(changes)
    expect([status, (body as { code: string }).code]).toEqual([400, 'validation-failed'])
  })

  it('counts as an upload of its person', async () => {
    await upload()
    await sql`update daily_use set count = 500`.execute(api.db)
    expect(await upload()).toMatchObject({ status: 429, body: { code: 'quota-uploads' } })
    await sql`delete from daily_use`.execute(api.db)
  })

  it('stays for 90 days, and shorter if runs do, with the newest 20 of each branch', async () => {
    await sql`delete from branch_run`.execute(api.db)
    for (const number of Array(22).keys()) await upload({ branch: 'main', commit: String(number) })
    await upload({ branch: 'old' })
    await sql`update branch_run set uploaded_at = now() - interval '40 days' where branch = 'old'`.execute(api.db)
    await deleteOldBranchRuns(api, 0)
    const kept = (await list('?size=50')).content
    expect(kept.filter(({ branch }) => branch === 'main').map(({ commit }) => commit)).not.toContain('1')
    expect([kept.length, kept.at(-1)?.branch, kept[0]?.commit]).toEqual([21, 'old', '21'])
    await deleteOldBranchRuns(api, 30)
    expect((await list('?size=50')).content.map(({ branch }) => branch)).not.toContain('old')
    await sql`update branch_run set uploaded_at = now() - interval '91 days'`.execute(api.db)
    await deleteOldBranchRuns(api, 0)
    expect((await list()).content).toEqual([])
  })
})
