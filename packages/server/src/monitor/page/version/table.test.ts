import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFailed, buildFinding, buildSeen, recordRun } from '../../../../test/run.ts'
import { createId } from '../../../kit/id.ts'
import { inTransaction } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { sweepScan } from '../../run/retention/store.ts'
import { lockEvidenceShared } from '../table.ts'
import { insertPage, type VersionValues } from './table.ts'

const api = useTestApi()

const readPages = (scanId: string) =>
  api.db
    .selectFrom('page')
    .innerJoin('run', 'run.id', 'page.run_id')
    .select(['run.number', 'page.url', 'page.title', 'page.critical'])
    .where('page.scan_id', '=', scanId)
    .orderBy('run.number')
    .orderBy('page.url')
    .execute()
const countVersions = async (scanId: string): Promise<number> =>
  (await api.db.selectFrom('page_version').select('id').where('scan_id', '=', scanId).execute()).length
const setTitle = (title: string) => ({ ...buildCompleted([buildFinding('a')]), title }) as ReturnType<typeof buildCompleted>

it('is one row for all runs that see the same, and another one for a run that sees something else', async () => {
  const { scanId } = await recordRun(api, undefined, { a: setTitle('First'), b: buildFailed('timeout-generic') }, 'Versions')
  await recordRun(api, scanId, { a: setTitle('First'), b: buildFailed('timeout-generic') })
  expect(await countVersions(scanId)).toBe(2)
  await recordRun(api, scanId, { a: setTitle('Second') })
  await recordRun(api, scanId, { a: setTitle('First') })
  expect(await countVersions(scanId)).toBe(3)
  const url = 'https://example.org/a'
  expect((await readPages(scanId)).filter((page) => page.url === url)).toEqual(
    ['First', 'First', 'Second', 'First'].map((title, index) => ({ number: index + 1, url, title, critical: 1 })),
  )
})

it('is shared by the URLs that runs found and did not visit', async () => {
  const excluded = { other: 'other-domain', left: 'over-limit' } as const
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted() }, 'Unvisited', { excluded })
  await recordRun(api, scanId, { a: buildCompleted() }, '', { excluded })
  expect(await countVersions(scanId)).toBe(3)
  const { body } = await api.call('GET', `/pages?scanId=${scanId}&runNumber=2&sort=url,asc`)
  expect(body).toMatchObject({
    content: [
      { url: 'https://example.org/a', status: 'completed' },
      { url: 'https://example.org/left', status: 'excluded', exclusion: 'over-limit' },
      { url: 'https://example.org/other', status: 'otherDomainIgnored', exclusion: 'other-domain' },
    ],
  })
})

it('keeps contents for a run although an older one with the same version lost them', async () => {
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted([], '<p>kept</p>') }, 'Contents')
  const second = await recordRun(api, scanId, { a: buildCompleted([], '<p>kept</p>') })
  expect(await countVersions(scanId)).toBe(1)
  await sql`update run set contents_cleared_at = now() where scan_id = ${scanId} and number = 1`.execute(api.db)
  await sweepScan(api, scanId)
  const { rows } = await sql<{ id: string }>`select p.id from page p join run on run.id = p.run_id
    where run.scan_id = ${scanId} order by run.number`.execute(api.db)
  const readContent = async (index: number) => {
    const [page, content] = await Promise.all(['', '/content'].map((path) => api.call('GET', `/pages/${rows[index]!.id}${path}`)))
    return [(page!.body as { hasContent: boolean }).hasContent, content!.status]
  }
  expect([await readContent(0), await readContent(1)]).toEqual([
    [false, 404],
    [true, 200],
  ])
  await sql`update run set contents_cleared_at = now() where id = ${second.id}`.execute(api.db)
  await sweepScan(api, scanId)
  expect(await readContent(1)).toEqual([false, 404])
  expect(await api.db.selectFrom('blob').select('hash').where('scan_id', '=', scanId).execute()).toEqual([])
})

it('is deleted with the last page that has it, also by a person', async () => {
  const { scanId } = await recordRun(api, undefined, { a: setTitle('Once'), b: setTitle('Twice') }, 'Deleted')
  await recordRun(api, scanId, { b: setTitle('Twice') })
  const pages = await sql<{
    id: string
    url: string
  }>`select id, url from page where scan_id = ${scanId} order by run_id, url`.execute(api.db)
  for (const { id } of pages.rows.slice(0, 2)) expect((await api.call('DELETE', `/pages/${id}`)).status).toBe(204)
  const versions = await api.db.selectFrom('page_version').select('title').where('scan_id', '=', scanId).execute()
  expect(versions).toEqual([{ title: 'Twice' }])
  expect(await readPages(scanId)).toMatchObject([{ number: 2, title: 'Twice' }])
})

/** Stores a page of a run in a transaction that ends when `done` does. */
const storePage = (scanId: string, runId: string, version: VersionValues, done: Promise<void> = Promise.resolve()) => {
  const id = createId()
  const stored = inTransaction(api.db, async (db: MonitorDb) => {
    await lockEvidenceShared(scanId).execute(db)
    await insertPage(db, scanId, { id, run_id: runId, key_hash: Buffer.from(id), status: 'completed', attempts: 1 }, version)
    await done
  })
  return stored.then(() => api.db.selectFrom('page').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

it('keeps every value that a page can have, byte by byte', async () => {
  const run = await recordRun(api, undefined, { a: buildSeen(1) }, 'Values')
  const version = {
    url: String.raw`https://example.org/\x41?q="{}'%00\u0000\ud83d`,
    final_url: null,
    title: 'Ä "quoted" \\x00 \u{1F600} \u202E',
    source: 'automated' as const,
    http_status: 200,
    mime_type: 'text/html',
    found_on: 'https://example.org/',
    depth: 3,
    content_hash: Buffer.from([0, 92, 120, 255]),
    content_key: '',
    template: '',
    canonical: 'https://example.org/c',
    views: [Buffer.from([1]), Buffer.from([])],
    fingerprint: '{"type":"Buffer","data":[1]}',
    signed_in: false,
    evidence: { words: [1, -2], title: null, share: 0.125 },
    driven: { level: 'page', nested: [{ type: 'Buffer', data: [1, 2] }] },
  }
  expect(await storePage(run.scanId, run.id, version)).toMatchObject(version)
  // PostgreSQL rejects NUL and lone surrogates in a text; they are replaced.
  expect(await storePage(run.scanId, run.id, { url: 'u', depth: 0, title: 'a\0b\\\uD800\uD800c' })).toMatchObject({
    title: 'a\uFFFDb\\\uFFFD\uFFFDc',
  })
})

it('is stored once by two processes at a time', async () => {
  const run = await recordRun(api, undefined, { a: buildCompleted() }, 'Twins')
  const version = { url: 'https://example.org/twin', depth: 0 }
  const countBefore = await countVersions(run.scanId)
  const { promise: firstMayEnd, resolve: endFirst } = Promise.withResolvers<void>()
  const first = storePage(run.scanId, run.id, version, firstMayEnd)
  await new Promise((resolve) => setTimeout(resolve, 100))
  const second = storePage(run.scanId, run.id, version)
  await new Promise((resolve) => setTimeout(resolve, 100))
  endFirst()
  expect(await Promise.all([first, second])).toMatchObject([{ url: version.url }, { url: version.url }])
  expect(await countVersions(run.scanId)).toBe(countBefore + 1)
})
