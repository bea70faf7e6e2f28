import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { apiOfFile } from '../../../../test/api.ts'
import { completed, finding, wholeRun } from '../../../../test/run.ts'
import { folderStore } from '../../../kit/object-store/folder.ts'
import { s3Store } from '../../../kit/object-store/s3.ts'
import { sweepLock } from '../../../kit/object-store/store.ts'
import { removeOldData } from '../../run/retention/service.ts'
import { markName } from './model.ts'
import { checkFolder, checkStore, moveObjects, openObjects, sweepObjects, verifyObjects } from './service.ts'

const folder = await mkdtemp(join(tmpdir(), 'clearway-objects-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const api = apiOfFile({ environment: { CLEARWAY_OBJECTS_FOLDER: folder } })

const photograph = (last: number) => new Uint8Array([0xff, 0xd8, 0xff, last])
const page = (content: string, last: number) =>
  ({
    ...completed(
      [finding('a', { picture: { image: photograph(last), box: [0, 0, 1, 1] } as never })],
      content,
    ),
    views: [photograph(last)],
  }) as PageOutcome

const storedIn = async () => {
  const { rows } = await sql<{ row: number; store: number }>`select count(bytes)::int as row,
    count(store)::int as store from blob`.execute(api.db)
  return rows[0]!
}
const filesOf = async (scanId: string) =>
  (await readdir(join(folder, scanId)).catch(() => [])).map((name) => join(folder, scanId, name))

/** What people get of the pages of a run. */
async function seen(run: { scanId: string; number: number }) {
  const admin = await api.token('runner', ['access', 'admin'])
  const ask = (path: string) => api.call('GET', path, { token: admin })
  const list = (await ask(`/pages?scanId=${run.scanId}&runNumber=${run.number}`)).body as {
    content: { id: string }[]
  }
  const { id } = list.content[0]!
  const issues = (await ask(`/issues?scanId=${run.scanId}&runNumber=${run.number}`)).body as {
    content: { id: string }[]
  }
  const answers = await Promise.all([
    ask(`/pages/${id}/content`),
    ask(`/pages/${id}/views/1`),
    ask(`/issues/${issues.content[0]!.id}/picture`),
  ])
  return answers.map(({ status, type, body }) => [
    status,
    type.split(';')[0],
    (body as { code?: string }).code,
  ])
}
const there = [
  [200, 'text/plain', undefined],
  [200, 'image/jpeg', undefined],
  [200, 'image/jpeg', undefined],
]
const answerOf = (status: number, code: string) => there.map(() => [status, 'application/problem+json', code])

it('go into the store, once for each scan, and come back to people', async () => {
  const run = await wholeRun(api, undefined, { a: page('<p>one</p>', 1), b: page('<p>two</p>', 1) }, 'Stored')
  expect(await storedIn()).toEqual({ row: 0, store: 3 })
  expect(await filesOf(run.scanId)).toHaveLength(3)
  expect(await seen(run)).toEqual(there)
  expect(await verifyObjects(api)).toMatchObject({ whole: 3, lost: 0, changed: 0 })
  await wholeRun(api, run.scanId, { a: page('<p>one</p>', 1) })
  expect(await filesOf(run.scanId)).toHaveLength(3)
})

it('are not found when they are lost, and that shows', async () => {
  const run = await wholeRun(api, undefined, { a: page('<p>lost</p>', 2) }, 'Lost')
  const [first, second] = await filesOf(run.scanId)
  await writeFile(first!, 'something else')
  await rm(second!)
  const found = await verifyObjects(api)
  expect(found).toMatchObject({ lost: 1, changed: 1 })
  expect(found.names).toHaveLength(2)
  await rm(first!)
  expect(await seen(run)).toEqual(answerOf(404, 'not-found'))
  await sql`delete from blob where scan_id = ${run.scanId}`.execute(api.db)
})

it('stay in the database while the store takes nothing, and are moved there and back', async () => {
  const refusing = openObjects({
    target: 's3',
    stores: {
      ...api.objects.stores,
      s3: s3Store({ url: 'http://127.0.0.1:9/none', region: 'x', keyId: 'k', secret: 'secret' }),
    },
    log: (message) => warnings.push(message),
  })
  const warnings: string[] = []
  const before = await storedIn()
  const run = await wholeRun(
    { ...api, objects: refusing },
    undefined,
    { a: page('<p>in the row</p>', 3) },
    'Refused',
  )
  expect(warnings).toHaveLength(1)
  expect(await storedIn()).toEqual({ ...before, row: 2 })
  expect(await seen(run)).toEqual(there)
  expect(await moveObjects(api)).toEqual({ moved: 2, lost: 0 })
  expect(await storedIn()).toEqual({ row: 0, store: before.store + 2 })
  expect(await seen(run)).toEqual(there)
  const database = openObjects({ target: null, stores: api.objects.stores, log: () => undefined })
  await moveObjects({ db: api.db, objects: database })
  expect(await storedIn()).toEqual({ row: before.store + 2, store: 0 })
  expect(await seen(run)).toEqual(there)
  await moveObjects(api)
  // A store that the settings no longer name is not the same as a lost picture.
  await sql`update blob set store = 1 where scan_id = ${run.scanId}`.execute(api.db)
  expect(await seen(run)).toEqual(answerOf(503, 'store-unavailable'))
  await sql`update blob set store = 0 where scan_id = ${run.scanId}`.execute(api.db)
})

it('are swept when nobody refers to them, from a day after they were written on', async () => {
  const run = await wholeRun(api, undefined, { a: page('<p>old</p>', 4) }, 'Swept')
  await wholeRun(api, run.scanId, { a: page('<p>new</p>', 5) })
  await sql`update run set ended_at = now() - interval '9 days' where id = ${run.id}`.execute(api.db)
  const none = { contentDays: 0, archiveDays: 0, deleteDays: 0, keepRuns: 1, linkRuns: 10 }
  await removeOldData(api, { ...none, deleteDays: 5 })
  expect(await filesOf(run.scanId)).toHaveLength(4)
  const again = () => sql`update object_store set swept_at = null`.execute(api.db)
  await sweepObjects(api)
  expect(await filesOf(run.scanId)).toHaveLength(4)
  // Once a day, whoever asks.
  expect(await sweepObjects(api, -1)).toBe(0)
  await again()
  const whole = (await verifyObjects(api)).whole
  expect(await sweepObjects(api, -1)).toBeGreaterThanOrEqual(2)
  expect(await filesOf(run.scanId)).toHaveLength(2)
  expect(await verifyObjects(api)).toMatchObject({ whole, lost: 0, changed: 0 })
  await sql`delete from scan where id = ${run.scanId}`.execute(api.db)
  await again()
  await sweepObjects(api, -1)
  expect(await filesOf(run.scanId)).toEqual([])
  expect(await readdir(folder)).toContain(markName)
})

it('are not swept while a backup is being written, which refers to what there was', async () => {
  const run = await wholeRun(api, undefined, { a: page('<p>kept</p>', 6) }, 'Backed up')
  const files = await filesOf(run.scanId)
  await sql`delete from scan where id = ${run.scanId}`.execute(api.db)
  const again = () => sql`update object_store set swept_at = null`.execute(api.db)
  await again()
  await api.db.connection().execute(async (db) => {
    await sql`select pg_advisory_lock_shared(hashtextextended(${sweepLock}, 0))`.execute(db)
    expect(await sweepObjects(api, -1)).toBe(0)
    expect(await filesOf(run.scanId)).toEqual(files)
    await sql`select pg_advisory_unlock_shared(hashtextextended(${sweepLock}, 0))`.execute(db)
  })
  // The next hour goes on, whatever day it is.
  expect(await sweepObjects(api, -1)).toBeGreaterThanOrEqual(files.length)
  expect(await filesOf(run.scanId)).toEqual([])
})

it('belong to one database, and the database has one folder', async () => {
  const other = await mkdtemp(join(tmpdir(), 'clearway-other-'))
  const objects = openObjects({
    target: 'folder',
    stores: { folder: folderStore(other) },
    log: () => undefined,
  })
  await expect(checkStore({ db: api.db, objects })).rejects.toThrow(
    'is not the object store of this database',
  )
  await checkStore(api)
  await sql`delete from object_store`.execute(api.db)
  await expect(checkStore(api)).rejects.toThrow('is the object store of another database')
  await checkStore({ db: api.db, objects })
  expect(await readdir(other)).toEqual([markName])
  // A backup from a machine that has not the folder would lack what is in it.
  await expect(checkFolder(api, api.objects.stores.folder!)).rejects.toThrow('object store of this database')
  await checkFolder(api, objects.stores.folder!)
  await rm(other, { recursive: true })
})
