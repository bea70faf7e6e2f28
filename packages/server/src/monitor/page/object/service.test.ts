import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'
import { createFolderStore } from '../../../kit/object-store/folder.ts'
import { createS3Store } from '../../../kit/object-store/s3.ts'
import { sweepLockName } from '../../../kit/object-store/store.ts'
import { removeOldData } from '../../run/retention/service.ts'
import { markObjectName } from './model.ts'
import { assertOwnFolder, assertOwnStore, moveObjects, openObjects, sweepObjects, verifyObjects } from './service.ts'

const folder = await mkdtemp(join(tmpdir(), 'clearway-objects-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const api = useTestApi({ environment: { CLEARWAY_OBJECTS_FOLDER: folder } })

const createPhotograph = (last: number) => new Uint8Array([0xff, 0xd8, 0xff, last])
const createPage = (content: string, last: number) =>
  ({
    ...buildCompleted([buildFinding('a', { picture: { image: createPhotograph(last), box: [0, 0, 1, 1] } as never })], content),
    views: [createPhotograph(last)],
  }) as PageOutcome

const countByStore = async () => {
  const { rows } = await sql<{ row: number; store: number }>`select count(bytes)::int as row,
    count(store)::int as store from blob`.execute(api.db)
  return rows[0]!
}
const listFiles = async (scanId: string) =>
  (await readdir(join(folder, scanId)).catch(() => [])).map((name) => join(folder, scanId, name))

/** Replies of the API for the pages of a run. */
async function readPages(run: { scanId: string; number: number }) {
  const admin = await api.token('runner', ['access', 'admin'])
  const getPath = (path: string) => api.call('GET', path, { token: admin })
  const list = (await getPath(`/pages?scanId=${run.scanId}&runNumber=${run.number}`)).body as { content: { id: string }[] }
  const { id } = list.content[0]!
  const issues = (await getPath(`/issues?scanId=${run.scanId}&runNumber=${run.number}`)).body as { content: { id: string }[] }
  const answers = await Promise.all([
    getPath(`/pages/${id}/content`),
    getPath(`/pages/${id}/views/1`),
    getPath(`/issues/${issues.content[0]!.id}/picture`),
  ])
  return answers.map(({ status, type, body }) => [status, type.split(';')[0], (body as { code?: string }).code])
}
const there = [
  [200, 'text/plain', undefined],
  [200, 'image/jpeg', undefined],
  [200, 'image/jpeg', undefined],
]
const createReplies = (status: number, code: string) => there.map(() => [status, 'application/problem+json', code])

it('are stored once per scan, and served to users', async () => {
  const run = await recordRun(api, undefined, { a: createPage('<p>one</p>', 1), b: createPage('<p>two</p>', 1) }, 'Stored')
  expect(await countByStore()).toEqual({ row: 0, store: 3 })
  expect(await listFiles(run.scanId)).toHaveLength(3)
  expect(await readPages(run)).toEqual(there)
  expect(await verifyObjects(api)).toMatchObject({ whole: 3, lost: 0, changed: 0 })
  await recordRun(api, run.scanId, { a: createPage('<p>one</p>', 1) })
  expect(await listFiles(run.scanId)).toHaveLength(3)
})

it('are not found when they are lost, which the verification reports', async () => {
  const run = await recordRun(api, undefined, { a: createPage('<p>lost</p>', 2) }, 'Lost')
  const [first, second] = await listFiles(run.scanId)
  await writeFile(first!, 'something else')
  await rm(second!)
  const verification = await verifyObjects(api)
  expect(verification).toMatchObject({ lost: 1, changed: 1 })
  expect(verification.names).toHaveLength(2)
  await rm(first!)
  expect(await readPages(run)).toEqual(createReplies(404, 'not-found'))
  await sql`delete from blob where scan_id = ${run.scanId}`.execute(api.db)
})

it('stay in the database while the store is unavailable, and can be moved in both directions', async () => {
  const refusing = openObjects({
    target: 's3',
    stores: {
      ...api.objects.stores,
      s3: createS3Store({ url: 'http://127.0.0.1:9/none', region: 'x', keyId: 'k', secret: 'secret' }),
    },
    log: (message) => warnings.push(message),
  })
  const warnings: string[] = []
  const previousCounts = await countByStore()
  const run = await recordRun({ ...api, objects: refusing }, undefined, { a: createPage('<p>in the row</p>', 3) }, 'Refused')
  expect(warnings).toHaveLength(1)
  expect(await countByStore()).toEqual({ ...previousCounts, row: 2 })
  expect(await readPages(run)).toEqual(there)
  expect(await moveObjects(api)).toEqual({ moved: 2, lost: 0 })
  expect(await countByStore()).toEqual({ row: 0, store: previousCounts.store + 2 })
  expect(await readPages(run)).toEqual(there)
  const database = openObjects({ target: null, stores: api.objects.stores, log: () => undefined })
  await moveObjects({ db: api.db, objects: database })
  expect(await countByStore()).toEqual({ row: previousCounts.store + 2, store: 0 })
  expect(await readPages(run)).toEqual(there)
  await moveObjects(api)
  // A store missing in the settings is different from a lost picture.
  await sql`update blob set store = 1 where scan_id = ${run.scanId}`.execute(api.db)
  expect(await readPages(run)).toEqual(createReplies(503, 'store-unavailable'))
  await sql`update blob set store = 0 where scan_id = ${run.scanId}`.execute(api.db)
})

it('are swept when they are unreferenced and older than a day', async () => {
  const run = await recordRun(api, undefined, { a: createPage('<p>old</p>', 4) }, 'Swept')
  await recordRun(api, run.scanId, { a: createPage('<p>new</p>', 5) })
  await sql`update run set ended_at = now() - interval '9 days' where id = ${run.id}`.execute(api.db)
  const none = { contentDays: 0, archiveDays: 0, deleteDays: 0, keepRuns: 1, linkRuns: 10 }
  await removeOldData(api, { ...none, deleteDays: 5 })
  expect(await listFiles(run.scanId)).toHaveLength(4)
  const resetSweep = () => sql`update object_store set swept_at = null`.execute(api.db)
  await sweepObjects(api)
  expect(await listFiles(run.scanId)).toHaveLength(4)
  // Once a day for all callers.
  expect(await sweepObjects(api, -1)).toBe(0)
  await resetSweep()
  const whole = (await verifyObjects(api)).whole
  expect(await sweepObjects(api, -1)).toBeGreaterThanOrEqual(2)
  expect(await listFiles(run.scanId)).toHaveLength(2)
  expect(await verifyObjects(api)).toMatchObject({ whole, lost: 0, changed: 0 })
  await sql`delete from scan where id = ${run.scanId}`.execute(api.db)
  await resetSweep()
  await sweepObjects(api, -1)
  expect(await listFiles(run.scanId)).toEqual([])
  expect(await readdir(folder)).toContain(markObjectName)
})

it('are not swept during a backup, which references them', async () => {
  const run = await recordRun(api, undefined, { a: createPage('<p>kept</p>', 6) }, 'Backed up')
  const files = await listFiles(run.scanId)
  await sql`delete from scan where id = ${run.scanId}`.execute(api.db)
  const resetSweep = () => sql`update object_store set swept_at = null`.execute(api.db)
  await resetSweep()
  await api.db.connection().execute(async (db) => {
    await sql`select pg_advisory_lock_shared(hashtextextended(${sweepLockName}, 0))`.execute(db)
    expect(await sweepObjects(api, -1)).toBe(0)
    expect(await listFiles(run.scanId)).toEqual(files)
    await sql`select pg_advisory_unlock_shared(hashtextextended(${sweepLockName}, 0))`.execute(db)
  })
  // The next round continues on any day.
  expect(await sweepObjects(api, -1)).toBeGreaterThanOrEqual(files.length)
  expect(await listFiles(run.scanId)).toEqual([])
})

it('belong to one database, which has one folder', async () => {
  const other = await mkdtemp(join(tmpdir(), 'clearway-other-'))
  const objects = openObjects({ target: 'folder', stores: { folder: createFolderStore(other) }, log: () => undefined })
  await expect(assertOwnStore({ db: api.db, objects })).rejects.toThrow('is not the object store of this database')
  await assertOwnStore(api)
  await sql`delete from object_store`.execute(api.db)
  await expect(assertOwnStore(api)).rejects.toThrow('is the object store of another database')
  await assertOwnStore({ db: api.db, objects })
  expect(await readdir(other)).toEqual([markObjectName])
  // A backup from a machine without the folder would lack its contents.
  await expect(assertOwnFolder(api, api.objects.stores.folder!)).rejects.toThrow('object store of this database')
  await assertOwnFolder(api, objects.stores.folder!)
  await rm(other, { recursive: true })
})
