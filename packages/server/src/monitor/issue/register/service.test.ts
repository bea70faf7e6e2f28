/** @module-tag slow */
import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun, type TestRun } from '../../../../test/run.ts'
import { expireIgnores } from './service.ts'

const api = useTestApi()
const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
type Listed = { content: { id: string; rule: string; pageUrl: string }[]; totalIssues: number }
type Register = {
  content: { id: string; scope: string; rules: string[]; issues: number; issueId: string | null; reason: string; until: string }[]
  page: { totalElements: number }
}

let token: string
let run: TestRun
let siteNumber = 0
const site = () => ({
  a: buildCompleted([buildFinding('a'), buildFinding('b', { rule: 'label' })]),
  b: buildCompleted([buildFinding('a'), buildFinding('c')]),
})
beforeEach(async () => {
  token = await api.token('admin', ['access', 'admin'])
  run = await recordRun(api, undefined, site(), `Site ${++siteNumber}`)
})

const call = async <Reply>(method: 'GET' | 'PATCH' | 'POST' | 'DELETE', path: string, body?: unknown, caller = token) => {
  const reply = await api.call(method, path, { token: caller, body })
  return { status: reply.status, body: reply.body as Reply }
}
const listIssues = async (status: string) =>
  (await call<Listed>('GET', `/issues?scanId=${run.scanId}&status=${status}`)).body.content
const ignore = async (ids: readonly string[], until: string | null, more: object = {}) =>
  (
    await call<{ undo: string }>('PATCH', '/bulk/issues', {
      filters: {},
      selected: { selectedIssues: ids },
      fieldsToUpdate: { status: 'ignored', ignore: { reason: 'Relaunch', until, ...more } },
    })
  ).body.undo
const readRegister = async (query = '', caller = token) =>
  (await call<Register>('GET', `/ignores?scanId=${run.scanId}${query}`, undefined, caller)).body
/** Moves the end of all ignores of the scan into the past. */
const endAll = () =>
  sql`update issue_ignore set until = now() - interval '1 second' where scan_id = ${run.scanId}`.execute(api.db)
const readRun = () => sql<{ ignored: number }>`select ignored from run where scan_id = ${run.scanId}`.execute(api.db)
const readAudit = async () =>
  (
    await sql<{ action: string; actor: string | null; before: object | null; after: object | null }>`
      select action, actor, before, after from audit where noun = 'ignore' and scan_id = ${run.scanId} order by id`.execute(
      api.db,
    )
  ).rows

it('opens the issues of an expired ignore again, once, with the counts of their run, also by two servers at a time', async () => {
  const open = await listIssues('open')
  const until = inDays(3)
  await ignore([open[0]!.id, open[1]!.id], until)
  const { ignore: stored } = (await call<{ ignore: object }>('GET', `/issues/${open[0]!.id}`)).body
  expect(stored).toMatchObject({ reason: 'Relaunch', until, expired: false })
  await expireIgnores(api)
  expect(await listIssues('ignored')).toHaveLength(2)
  expect((await readRun()).rows).toEqual([{ ignored: 2 }])
  await endAll()
  await Promise.all([expireIgnores(api), expireIgnores(api), expireIgnores(api)])
  expect([(await listIssues('ignored')).length, (await listIssues('open')).length]).toEqual([0, 4])
  expect((await readRun()).rows).toEqual([{ ignored: 0 }])
  expect((await call('GET', `/issues/${open[0]!.id}`)).body).toMatchObject({
    status: 'open',
    ignore: { reason: 'Relaunch', expired: true },
  })
  expect((await readRegister()).content).toEqual([])
  const audit = await readAudit()
  expect(audit).toMatchObject([
    { action: 'created', actor: 'admin', after: { reason: 'Relaunch' } },
    { action: 'changed', actor: null, after: { expired: true, issues: 2 } },
  ])
  // A page that was being stored at that time.
  await sql`update issue set status = 3 where id = ${open[0]!.id}`.execute(api.db)
  await expireIgnores(api)
  expect(await listIssues('ignored')).toEqual([])
})

it('covers nothing new after its end', async () => {
  const [first] = (await listIssues('open')).filter(({ rule }) => rule === 'image-alt')
  await ignore([first!.id], inDays(1), { scope: 'rule' })
  expect((await readRegister()).content).toMatchObject([{ scope: 'rule', rules: ['image-alt'], issues: 3, presentIssues: 3 }])
  await recordRun(api, run.scanId, { ...site(), a: buildCompleted([], 'Without issues') })
  expect((await readRegister()).content).toMatchObject([{ issues: 3, presentIssues: 2, issueId: null }])
  const log = await call<{ content: object[] }>('GET', `/audit?noun=ignore&scanId=${run.scanId}`)
  expect(log.body.content).toMatchObject([{ action: 'created', rules: ['image-alt'] }])
  await endAll()
  const next = { ...site(), c: buildCompleted([buildFinding('new')], 'c') }
  await recordRun(api, run.scanId, next)
  expect((await listIssues('open')).filter(({ pageUrl }) => pageUrl.endsWith('/c'))).toHaveLength(1)
  await expireIgnores(api)
  expect(await listIssues('ignored')).toEqual([])
})

it('restores the earlier end when a bulk ignore is undone, and opens what has expired since', async () => {
  const [first] = await listIssues('open')
  const [early, late] = [inDays(2), inDays(20)]
  await ignore([first!.id], early)
  const undo = await ignore([first!.id], late)
  expect((await readRegister()).content).toMatchObject([{ until: late }])
  await call('POST', '/bulk/issues/undo', { undo })
  expect((await readRegister()).content).toMatchObject([{ until: early, issues: 1, issueId: first!.id }])
  const secondUndo = await ignore([first!.id], late)
  await sql`update issue_ignore set until = now() where until = ${early}::timestamptz and scan_id = ${run.scanId}`.execute(api.db)
  await expireIgnores(api)
  expect(await listIssues('ignored')).toHaveLength(1)
  await call('POST', '/bulk/issues/undo', { undo: secondUndo })
  expect(await listIssues('ignored')).toEqual([])
})

it('filters, changes and ends decisions', async () => {
  const [first, second, third] = await listIssues('open')
  await ignore([first!.id], inDays(5))
  await ignore([second!.id, third!.id], null, { reason: '=Accepted' })
  const all = await readRegister('&sort=until,asc')
  expect(all.content.map(({ issues }) => issues)).toEqual([1, 2])
  const count = async (query: string, caller = token) => (await readRegister(query, caller)).page.totalElements
  expect(await count('&expiresInDays=6')).toBe(1)
  expect(await count('&expiresInDays=4')).toBe(0)
  expect(await count('&author=admin')).toBe(2)
  expect(await count('&author=ben')).toBe(0)
  expect(await count('&rule=label')).toBe(1)
  expect(await count('', await api.token('stranger'))).toBe(0)
  const choices = (await call<{ rules: string[]; scans: object[] }>('GET', '/ignores/choices')).body
  expect(choices).toMatchObject({ scans: expect.arrayContaining([{ id: run.scanId, name: `Site ${siteNumber}` }]) as object })
  expect(choices.rules).toEqual(expect.arrayContaining(['image-alt', 'label']))
  const [dated, endless] = all.content
  const path = `/scans/${run.scanId}/ignores/${endless!.id}`
  expect((await call('PATCH', path, { until: '2020-01-01T00:00:00Z' })).body).toMatchObject({
    status: 400,
    errors: [{ path: 'until', code: 'in-past' }],
  })
  const later = inDays(300)
  expect((await call('PATCH', path, { until: later, reason: 'Accepted' })).body).toMatchObject({
    until: later,
    reason: 'Accepted',
  })
  expect((await call('PATCH', path, { until: null })).body).toMatchObject({ until: null, reason: 'Accepted' })
  expect((await call('PATCH', path, { until: null }, await api.token('stranger'))).status).toBe(404)
  expect((await call<Listed>('GET', `/issues?ignore=${endless!.id}`)).body.content).toHaveLength(2)
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('DELETE', path)).status).toBe(404)
  expect(await listIssues('open')).toHaveLength(3)
  expect((await readRegister()).content.map(({ id }) => id)).toEqual([dated!.id])
  expect((await readAudit()).map(({ action }) => action)).toEqual(['created', 'created', 'changed', 'changed', 'deleted'])
})

it('exports a line for each ignored issue, without formulas', async () => {
  const open = await listIssues('open')
  await ignore(
    open.slice(0, 2).map(({ id }) => id),
    inDays(5),
    { reason: '=1+1' },
  )
  const { body: csv } = await call<string>('GET', `/ignores/export/csv?scanId=${run.scanId}`)
  const [heading, ...lines] = csv.trim().split('\r\n')
  expect(heading).toContain('Scan,Scan id,Rule,Page,Selector,Issue id,Scope,Reason,Ignored by,Ignored at,Ignored until')
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toContain(`"'=1+1"`)
  const exported = (await call<object[]>('GET', `/ignores/export/json?scanId=${run.scanId}`)).body
  expect(exported).toHaveLength(2)
  expect(exported[0]).toMatchObject({
    scope: 'issue',
    author: { id: 'admin' },
    pageUrl: expect.stringContaining('http') as string,
  })
  expect(
    (await call<object[]>('GET', `/ignores/export/json?scanId=${run.scanId}`, undefined, await api.token('x'))).body,
  ).toEqual([])
})

it('keeps one decision for all batches of a bulk ignore', async () => {
  const until = inDays(9)
  type Reply = { next: string | null; undo: string }
  const ignoreBatch = async (rest: object) =>
    (
      await call<Reply>('PATCH', '/bulk/issues', {
        filters: { scanId: [run.scanId] },
        selected: { selectAllMode: true },
        fieldsToUpdate: { status: 'ignored', ignore: { reason: 'All', until } },
        batch: { size: 2, ...rest },
      })
    ).body
  const { next: after, undo } = await ignoreBatch({})
  expect((await ignoreBatch({ after, undo })).undo).toBe(undo)
  expect((await readRegister()).content).toMatchObject([{ issues: 4, scope: 'issue' }])
  await call('POST', '/bulk/issues/undo', { undo })
  expect((await readRegister()).content).toEqual([])
})
