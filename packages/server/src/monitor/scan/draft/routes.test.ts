import { randomBytes } from 'node:crypto'
import { getRoleClaims } from '@clearway/contract/kit/permission.ts'
import {
  maxDraftBytes,
  maxDraftsPerPerson,
  maxDraftValues,
  type ScanDraft,
} from '@clearway/contract/monitor/scan/draft/schema.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { useTestApi, buildScanBody } from '../../../../test/api.ts'
import { removeAccount } from '../../user/person/service.ts'
import { deleteOldDrafts } from './store.ts'

const api = useTestApi()
const tokens = new Map<string, string>()
const getCredentials = (user: string) => ({ token: tokens.get(user)! })
const createScan = async (name: string, user = 'ann') =>
  ((await api.call('POST', '/scans', { ...getCredentials(user), body: buildScanBody(name) })).body as { id: string }).id

let scan: string
beforeAll(async () => {
  for (const user of ['ann', 'bob']) tokens.set(user, await api.token(user))
  tokens.set('boss', await api.token('boss', getRoleClaims('admin')))
  tokens.set('eve', await api.token('eve', getRoleClaims('auditor')))
  for (const user of ['ann', 'bob']) await api.call('GET', '/users/permissions', getCredentials(user))
  scan = await createScan('Drafted')
})
beforeEach(() => sql`delete from scan_draft`.execute(api.db))

const createDraft = (name: string, more: Partial<ScanDraft> = {}): ScanDraft => ({
  values: { name, bestPractices: true, teams: { t: 'scanViewer' }, variables: [{ name: 'USER', value: '', stored: true }] },
  base: { name: '', bestPractices: false },
  version: null,
  left: ['general'],
  skipped: [],
  savedAt: '2026-11-24T10:00:00.000Z',
  ...more,
})
const saveDraft = (user: string, path: string, body: object = createDraft('Half done')) =>
  api.call('PUT', path, { ...getCredentials(user), body })
const readDraft = async (user: string, path: string) => {
  const { status, body } = await api.call('GET', path, getCredentials(user))
  return [status, (body as { draft?: ScanDraft }).draft?.values['name'] ?? null]
}
const countDrafts = async () => (await api.db.selectFrom('scan_draft').select('id').execute()).length

it('is read as it was saved, by its person in any session', async () => {
  expect((await api.call('GET', '/scans/draft', getCredentials('ann'))).body).toEqual({ draft: null })
  expect((await saveDraft('ann', '/scans/draft')).status).toBe(204)
  expect((await api.call('GET', '/scans/draft', getCredentials('ann'))).body).toEqual({ draft: createDraft('Half done') })
  expect((await saveDraft('ann', '/scans/draft', createDraft('Later'))).status).toBe(204)
  expect(await readDraft('ann', '/scans/draft')).toEqual([200, 'Later'])
  expect(await countDrafts()).toBe(1)
  for (let i = 0; i < 2; i++) expect((await api.call('DELETE', '/scans/draft', getCredentials('ann'))).status).toBe(204)
  expect(await readDraft('ann', '/scans/draft')).toEqual([200, null])
})

it('exists once for a new scan, once for each starting point of a new scan, and once for each scan', async () => {
  const paths = ['/scans/draft', `/scans/draft?begunWith=${encodeURIComponent('https://a.example/?b=c')}`]
  for (const path of [...paths, `/scans/${scan}/draft`]) await saveDraft('ann', path, createDraft(path))
  for (const path of [...paths, `/scans/${scan}/draft`]) expect(await readDraft('ann', path)).toEqual([200, path])
})

it('is hidden from all other users, regardless of their role', async () => {
  await saveDraft('ann', '/scans/draft')
  await saveDraft('ann', `/scans/${scan}/draft`)
  for (const user of ['bob', 'boss']) expect(await readDraft(user, '/scans/draft')).toEqual([200, null])
  expect(await readDraft('boss', `/scans/${scan}/draft`)).toEqual([200, null])
  // An administrator's own draft of the same scan does not affect it.
  await saveDraft('boss', `/scans/${scan}/draft`, createDraft('Of the boss'))
  await api.call('DELETE', '/scans/draft', getCredentials('boss'))
  expect(await readDraft('ann', `/scans/${scan}/draft`)).toEqual([200, 'Half done'])
  expect(await readDraft('ann', '/scans/draft')).toEqual([200, 'Half done'])
})

it('requires permission to create scans, or to change this one', async () => {
  expect((await saveDraft('bob', `/scans/${scan}/draft`)).status).toBe(404)
  expect((await readDraft('bob', `/scans/${scan}/draft`))[0]).toBe(404)
  expect((await saveDraft('eve', `/scans/${scan}/draft`)).status).toBe(403)
  expect((await saveDraft('eve', '/scans/draft')).status).toBe(403)
  const link = await api.call('POST', `/scans/${scan}/public-token`, { ...getCredentials('boss'), body: {} })
  const { token: guest } = link.body as { token: string }
  expect((await api.call('GET', `/scans/${scan}/draft`, { guest })).status).toBe(403)
  expect((await api.call('GET', '/scans/draft', { guest })).status).toBe(403)
  expect(await countDrafts()).toBe(0)
})

it('has a bounded size and shape', async () => {
  const big = createDraft('Big', { values: { name: 'x'.repeat(maxDraftBytes) } })
  expect((await saveDraft('ann', '/scans/draft', big)).status).toBe(413)
  const wrong = [
    { ...createDraft('X'), values: { name: [[['deep']]] } },
    { ...createDraft('X'), more: 1 },
    { ...createDraft('X'), values: { ['\0']: 1 } },
    { ...createDraft('X'), values: { name: '\0' } },
    { ...createDraft('X'), values: { groups: Array.from({ length: maxDraftValues }, () => '') } },
    { ...createDraft('X'), base: Object.fromEntries(Array.from({ length: maxDraftValues }, (_, i) => [i, ''])) },
    { ...createDraft('X'), values: { a: [{ b: 1 }, ...Array.from({ length: maxDraftValues / 2 }, () => ({ c: 1 }))] } },
    { ...createDraft('X'), left: Array.from({ length: 51 }, () => 'general') },
    {},
  ]
  for (const body of wrong) expect((await saveDraft('ann', '/scans/draft', body)).status).toBe(400)
  const long = `/scans/draft?begunWith=${'x'.repeat(4001)}`
  expect((await saveDraft('ann', long)).status).toBe(400)
  expect(await countDrafts()).toBe(0)
})

it('of a new scan with a long URL is found again', async () => {
  const path = `/scans/draft?begunWith=https://example.org/${randomBytes(2900).toString('base64url')}`
  expect((await saveDraft('ann', path)).status).toBe(204)
  expect(await readDraft('ann', path)).toEqual([200, 'Half done'])
})

it('is limited per person to the newest ones', async () => {
  await saveDraft('bob', '/scans/draft', createDraft('Of Bob'))
  for (let i = 0; i <= maxDraftsPerPerson; i++) await saveDraft('ann', `/scans/draft?begunWith=${i}`, createDraft(`${i}`))
  expect(await countDrafts()).toBe(maxDraftsPerPerson + 1)
  expect(await readDraft('ann', '/scans/draft?begunWith=0')).toEqual([200, null])
  expect(await readDraft('ann', '/scans/draft?begunWith=1')).toEqual([200, '1'])
  expect(await readDraft('bob', '/scans/draft')).toEqual([200, 'Of Bob'])
})

it('is treated as missing when it is unreadable', async () => {
  await saveDraft('ann', '/scans/draft')
  await sql`update scan_draft set content = '{"values": 1}'`.execute(api.db)
  expect(await readDraft('ann', '/scans/draft')).toEqual([200, null])
})

it('keeps the later of two concurrent changes', async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => saveDraft('ann', '/scans/draft', createDraft(`${i}`))))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 204))
  expect(await countDrafts()).toBe(1)
})

it('is deleted with its scan, with its person, and after 30 days', async () => {
  const other = await createScan('Brief')
  await saveDraft('ann', `/scans/${other}/draft`)
  await sql`delete from scan where id = ${other}`.execute(api.db)
  expect(await countDrafts()).toBe(0)

  await saveDraft('ann', '/scans/draft')
  await saveDraft('bob', '/scans/draft', createDraft('Of Bob'))
  await sql`update scan_draft set saved_at = now() - interval '31 days' where person_id = 'ann'`.execute(api.db)
  await deleteOldDrafts(api)
  expect(await readDraft('ann', '/scans/draft')).toEqual([200, null])
  expect(await readDraft('bob', '/scans/draft')).toEqual([200, 'Of Bob'])
  await removeAccount(api, 'bob')
  expect(await countDrafts()).toBe(0)
})

it('is not in the audit log', async () => {
  await saveDraft('ann', '/scans/draft')
  const { body } = await api.call('GET', '/audit?actor=ann&size=500', getCredentials('boss'))
  expect(JSON.stringify(body)).toContain('Drafted')
  expect(JSON.stringify(body)).not.toContain('Half done')
})
