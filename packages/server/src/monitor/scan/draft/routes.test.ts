import { randomBytes } from 'node:crypto'
import { claimsOf } from '@clearway/contract/kit/permission.ts'
import {
  draftBytes,
  draftsPerPerson,
  draftValues,
  type ScanDraft,
} from '@clearway/contract/monitor/scan/draft/schema.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { apiOfFile, scanBody } from '../../../../test/api.ts'
import { forgetAccount } from '../../user/person/service.ts'
import { forgetOldDrafts } from './service.ts'

const api = apiOfFile()
const tokens = new Map<string, string>()
const as = (user: string) => ({ token: tokens.get(user)! })
const newScan = async (name: string, user = 'ann') =>
  ((await api.call('POST', '/scans', { ...as(user), body: scanBody(name) })).body as { id: string }).id

let scan: string
beforeAll(async () => {
  for (const user of ['ann', 'bob']) tokens.set(user, await api.token(user))
  tokens.set('boss', await api.token('boss', claimsOf('admin')))
  tokens.set('eve', await api.token('eve', claimsOf('auditor')))
  for (const user of ['ann', 'bob']) await api.call('GET', '/users/permissions', as(user))
  scan = await newScan('Drafted')
})
beforeEach(() => sql`delete from scan_draft`.execute(api.db))

const draft = (name: string, more: Partial<ScanDraft> = {}): ScanDraft => ({
  values: {
    name,
    bestPractices: true,
    teams: { t: 'scanViewer' },
    variables: [{ name: 'USER', value: '', stored: true }],
  },
  base: { name: '', bestPractices: false },
  version: null,
  left: ['general'],
  skipped: [],
  savedAt: '2026-11-24T10:00:00.000Z',
  ...more,
})
const save = (user: string, path: string, body: object = draft('Half done')) =>
  api.call('PUT', path, { ...as(user), body })
const read = async (user: string, path: string) => {
  const { status, body } = await api.call('GET', path, as(user))
  return [status, (body as { draft?: ScanDraft }).draft?.values['name'] ?? null]
}
const count = async () => (await api.db.selectFrom('scan_draft').select('id').execute()).length

it('is read again as it was saved, by its person from anywhere', async () => {
  expect((await api.call('GET', '/scans/draft', as('ann'))).body).toEqual({ draft: null })
  expect((await save('ann', '/scans/draft')).status).toBe(204)
  expect((await api.call('GET', '/scans/draft', as('ann'))).body).toEqual({ draft: draft('Half done') })
  expect((await save('ann', '/scans/draft', draft('Later'))).status).toBe(204)
  expect(await read('ann', '/scans/draft')).toEqual([200, 'Later'])
  expect(await count()).toBe(1)
  for (let i = 0; i < 2; i++) expect((await api.call('DELETE', '/scans/draft', as('ann'))).status).toBe(204)
  expect(await read('ann', '/scans/draft')).toEqual([200, null])
})

it('is one of a new scan, one for each thing that such a one is begun with, and one of each scan', async () => {
  const paths = ['/scans/draft', `/scans/draft?begunWith=${encodeURIComponent('https://a.example/?b=c')}`]
  for (const path of [...paths, `/scans/${scan}/draft`]) await save('ann', path, draft(path))
  for (const path of [...paths, `/scans/${scan}/draft`]) expect(await read('ann', path)).toEqual([200, path])
})

it('is hidden from everybody else, whatever their role', async () => {
  await save('ann', '/scans/draft')
  await save('ann', `/scans/${scan}/draft`)
  for (const user of ['bob', 'boss']) expect(await read(user, '/scans/draft')).toEqual([200, null])
  expect(await read('boss', `/scans/${scan}/draft`)).toEqual([200, null])
  // An administrator's own draft of the same scan changes nothing.
  await save('boss', `/scans/${scan}/draft`, draft('Of the boss'))
  await api.call('DELETE', '/scans/draft', as('boss'))
  expect(await read('ann', `/scans/${scan}/draft`)).toEqual([200, 'Half done'])
  expect(await read('ann', '/scans/draft')).toEqual([200, 'Half done'])
})

it('is for whoever may create scans, or change this one', async () => {
  expect((await save('bob', `/scans/${scan}/draft`)).status).toBe(404)
  expect((await read('bob', `/scans/${scan}/draft`))[0]).toBe(404)
  expect((await save('eve', `/scans/${scan}/draft`)).status).toBe(403)
  expect((await save('eve', '/scans/draft')).status).toBe(403)
  const link = await api.call('POST', `/scans/${scan}/public-token`, { ...as('boss'), body: {} })
  const { token: guest } = link.body as { token: string }
  expect((await api.call('GET', `/scans/${scan}/draft`, { guest })).status).toBe(403)
  expect((await api.call('GET', '/scans/draft', { guest })).status).toBe(403)
  expect(await count()).toBe(0)
})

it('has a bounded size and shape', async () => {
  const big = draft('Big', { values: { name: 'x'.repeat(draftBytes) } })
  expect((await save('ann', '/scans/draft', big)).status).toBe(413)
  const wrong = [
    { ...draft('X'), values: { name: [[['deep']]] } },
    { ...draft('X'), more: 1 },
    { ...draft('X'), values: { ['\0']: 1 } },
    { ...draft('X'), values: { name: '\0' } },
    { ...draft('X'), values: { groups: Array.from({ length: draftValues }, () => '') } },
    { ...draft('X'), base: Object.fromEntries(Array.from({ length: draftValues }, (_, i) => [i, ''])) },
    {
      ...draft('X'),
      values: { a: [{ b: 1 }, ...Array.from({ length: draftValues / 2 }, () => ({ c: 1 }))] },
    },
    { ...draft('X'), left: Array.from({ length: 51 }, () => 'general') },
    {},
  ]
  for (const body of wrong) expect((await save('ann', '/scans/draft', body)).status).toBe(400)
  const long = `/scans/draft?begunWith=${'x'.repeat(4001)}`
  expect((await save('ann', long)).status).toBe(400)
  expect(await count()).toBe(0)
})

it('of a scan that begins with a long URL is found again', async () => {
  const path = `/scans/draft?begunWith=https://example.org/${randomBytes(2900).toString('base64url')}`
  expect((await save('ann', path)).status).toBe(204)
  expect(await read('ann', path)).toEqual([200, 'Half done'])
})

it('is one of a few: of one person the newest stay', async () => {
  await save('bob', '/scans/draft', draft('Of Bob'))
  for (let i = 0; i <= draftsPerPerson; i++) await save('ann', `/scans/draft?begunWith=${i}`, draft(`${i}`))
  expect(await count()).toBe(draftsPerPerson + 1)
  expect(await read('ann', '/scans/draft?begunWith=0')).toEqual([200, null])
  expect(await read('ann', '/scans/draft?begunWith=1')).toEqual([200, '1'])
  expect(await read('bob', '/scans/draft')).toEqual([200, 'Of Bob'])
})

it('is none when it cannot be read any more', async () => {
  await save('ann', '/scans/draft')
  await sql`update scan_draft set content = '{"values": 1}'`.execute(api.db)
  expect(await read('ann', '/scans/draft')).toEqual([200, null])
})

it('of two that are written at once, the later one is kept', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, i) => save('ann', '/scans/draft', draft(`${i}`))),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 204))
  expect(await count()).toBe(1)
})

it('is deleted with its scan, with its person, and after 30 days', async () => {
  const other = await newScan('Brief')
  await save('ann', `/scans/${other}/draft`)
  await sql`delete from scan where id = ${other}`.execute(api.db)
  expect(await count()).toBe(0)

  await save('ann', '/scans/draft')
  await save('bob', '/scans/draft', draft('Of Bob'))
  await sql`update scan_draft set saved_at = now() - interval '31 days' where person_id = 'ann'`.execute(
    api.db,
  )
  await forgetOldDrafts(api)
  expect(await read('ann', '/scans/draft')).toEqual([200, null])
  expect(await read('bob', '/scans/draft')).toEqual([200, 'Of Bob'])
  await forgetAccount(api, 'bob')
  expect(await count()).toBe(0)
})

it('is not in the audit log', async () => {
  await save('ann', '/scans/draft')
  const { body } = await api.call('GET', '/audit?actor=ann&size=500', as('boss'))
  expect(JSON.stringify(body)).toContain('Drafted')
  expect(JSON.stringify(body)).not.toContain('Half done')
})
