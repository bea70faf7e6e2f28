/** @module-tag slow */
import type { PageEvidence } from '@clearway/contract/monitor/page/evidence/schema.ts'
import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildFinding, buildSeen, recordRun, type TestRun } from '../../../../test/run.ts'

// Pages with several URLs over several stored runs, without a browser.

const api = useTestApi()

type Fields = { findings?: Finding[]; firstWord?: number; evidence?: Partial<PageEvidence>; canonical?: string; outcome?: object }
/** A page with the given main text. */
const buildPage = (content: string, { findings = [], firstWord = 1, evidence, canonical, outcome }: Fields = {}) =>
  ({
    ...buildSeen(firstWord, findings, evidence),
    signature: {
      content,
      masked: content,
      template: 't',
      isUnlisted: false,
      isListing: false,
      canonical: canonical ?? null,
      isSeparate: false,
    },
    ...outcome,
  }) as unknown as PageOutcome
const logo = buildFinding('logo')
const focus = buildFinding('focus', { rule: 'driven-focus', engine: 'driven' })

/** Records a run whose first page is the only start page. */
function record(
  scanId: string | undefined,
  pages: Record<string, PageOutcome>,
  options: { onClaim?: () => Promise<void>; issuesPerPage?: number } = {},
) {
  const [start = '', ...others] = Object.keys(pages)
  return recordRun(api, scanId, pages, crypto.randomUUID(), {
    foundOn: Object.fromEntries(others.map((key) => [key, start])),
    ...options,
  })
}
const getOverview = async ({ scanId, number }: TestRun) =>
  (await api.call('GET', `/scans/${scanId}/runs/${number}/overview`)).body as object
async function listJoined({ id }: TestRun): Promise<string[]> {
  const pages = api.db.selectFrom('page').select('url').where('run_id', '=', id).where('exclusion', '=', 'duplicate')
  return (await pages.orderBy('url').execute()).map(({ url }) => url.slice('https://example.org/'.length))
}
async function listIssues(scanId: string) {
  const issues = api.db.selectFrom('issue').select(['id', 'page_key', 'status', 'first_run', 'presence', 'fixed_in_run'])
  return issues.where('scan_id', '=', scanId).orderBy('first_run').orderBy('id').execute()
}
const buildPages = (paths: readonly string[], build: (index: number) => PageOutcome) =>
  Object.fromEntries(paths.map((path, index) => [path, build(index)]))

const queries = Array.from({ length: 12 }, (_, index) => `index.php?id=${index}`)
const buildOwn = (index: number) =>
  buildPage(`text ${index}`, { firstWord: 100 * (index + 1), findings: [buildFinding(`own${index}`)] })
const countAll = { completed: 12, excluded: 0, walled: 12 }

it('joins no pages that an outage made equal', async () => {
  const { scanId } = await record(undefined, buildPages(queries, buildOwn))
  const outage = await record(
    scanId,
    buildPages(queries, () => buildPage('back soon', { firstWord: 9000 })),
  )
  expect(await getOverview(outage)).toMatchObject({
    score: null,
    pages: countAll,
    change: { fixed: 0, issuesGone: 0, pagesGone: 0, notRechecked: 12 },
    unconfirmed: { issues: 12 },
  })
})

it('joins no pages of a wall that names one canonical URL, nor pages that are not signed in', async () => {
  const paths = Array.from({ length: 12 }, (_, index) => `page-${index}`)
  const { scanId } = await record(undefined, buildPages(paths, buildOwn))
  const wall = { firstWord: 9000, canonical: 'https://example.org/no-access' }
  const partWall = buildPages(paths, (index) => (index < 5 ? buildPage('no access', wall) : buildOwn(index)))
  expect(await listJoined(await record(scanId, partWall))).toEqual([])
  const isProved = false
  const signedOut = buildPages(queries, () => buildPage('no access', { firstWord: 1, findings: [logo], outcome: { isProved } }))
  expect(await listJoined(await record(undefined, signedOut))).toEqual([])
})

it('joins pages of a first run that show content, or have an issue', async () => {
  const few = { textLength: 40, links: 0 }
  const joined = async (fields: Fields) =>
    (
      await listJoined(
        await record(
          undefined,
          buildPages(queries, () => buildPage('same', fields)),
        ),
      )
    ).length
  expect(await joined({ evidence: few })).toBe(0)
  expect(await joined({ evidence: few, findings: [logo] })).toBe(11)
  expect(await joined({})).toBe(11)
})

it('joins no pages with more issues than were stored', async () => {
  const page = buildPage('same', { findings: [logo, buildFinding('icon')] })
  expect(await listJoined(await record(undefined, { a: page, 'a?x=1': page }, { issuesPerPage: 1 }))).toEqual([])
})

it('keeps pages joined when an issue of them is ignored', async () => {
  const page = buildPage('same', { findings: [logo] })
  const pages = { a: page, 'a?x=1': page }
  const { scanId } = await record(undefined, pages)
  const [{ id } = { id: '' }] = await listIssues(scanId)
  await api.call('PATCH', `/issues/${id}`, { body: { fieldsToUpdate: { status: 'ignored' } } })
  expect(await listJoined(await record(scanId, pages))).toEqual(['a?x=1'])
  expect((await listIssues(scanId)).map((issue) => issue.id)).toEqual([id])
})

it('keeps a page apart whose known issue is ignored, if the one of the other page is not', async () => {
  const build = (content: string) => buildPage(content, { findings: [logo] })
  const { scanId } = await record(undefined, { a: build('one'), 'a?x=1': build('two') })
  const { id } = await api.db
    .selectFrom('issue')
    .innerJoin('page', 'page.key_hash', 'issue.page_key')
    .select('issue.id')
    .where('issue.scan_id', '=', scanId)
    .where('page.url', '=', 'https://example.org/a?x=1')
    .executeTakeFirstOrThrow()
  await api.call('PATCH', `/issues/${id}`, { body: { fieldsToUpdate: { status: 'ignored' } } })
  expect(await listJoined(await record(scanId, { a: build('same'), 'a?x=1': build('same') }))).toEqual([])
})

it('joins a page that was not driven to the one that was', async () => {
  const driven = { driven: { level: 'full', version: 1, isPartial: false } }
  const run = await record(undefined, {
    start: buildPage('start'),
    a: buildPage('same', { findings: [logo] }),
    'a?x=1': buildPage('same', { findings: [logo, focus], outcome: driven }),
  })
  expect(await listJoined(run)).toEqual(['a'])
})

it('reopens no fixed issue of a joined page', async () => {
  const page = buildPage('same', { findings: [logo] })
  const { scanId } = await record(undefined, { a: buildPage('other'), 'a?x=1': page })
  await record(scanId, { a: buildPage('other'), 'a?x=1': buildPage('same') })
  const [fixedIssue] = await listIssues(scanId)
  const run = await record(scanId, { a: page, 'a?x=1': page })
  expect(await listJoined(run)).toEqual(['a?x=1'])
  expect((await listIssues(scanId))[0]).toEqual(fixedIssue)
  expect(fixedIssue).toMatchObject({ fixed_in_run: 2 })
})

it('keeps a page apart whose new issue was commented on during the run', async () => {
  const page = buildPage('same', { findings: [logo] })
  const { scanId } = await record(undefined, { start: buildPage('start') })
  const onClaim = async () => {
    for (const { id } of await listIssues(scanId)) await api.call('POST', `/issues/${id}/comments`, { body: { text: 'Why?' } })
  }
  const run = await record(scanId, { start: buildPage('start'), a: page, 'a?x=1': page, 'a?x=2': page, last: page }, { onClaim })
  expect((await listJoined(run)).length).toBe(0)
  const comments = await api.db.selectFrom('issue_comment').select('issue_id').execute()
  expect(new Set(comments.map(({ issue_id }) => issue_id)).size).toBe(3)
})

it('deletes a page with its further addresses, and an address without its page', async () => {
  const token = await api.token('runner', ['access', 'admin'])
  const page = buildPage('same', { findings: [logo] })
  const other = buildPage('other', { firstWord: 100 })
  const run = await record(undefined, { start: other, a: page, 'a?x=1': page, 'a?x=2': page })
  const listPages = async () => {
    const pages = await api.db.selectFrom('page').select(['id', 'url']).where('run_id', '=', run.id).orderBy('url').execute()
    return new Map(pages.map(({ id, url }) => [url.slice('https://example.org/'.length), id]))
  }
  const before = await listPages()
  expect([...before.keys()]).toEqual(['a', 'a?x=1', 'a?x=2', 'start'])
  await api.call('DELETE', `/pages/${before.get('a?x=2')}`, { token })
  expect([...(await listPages()).keys()]).toEqual(['a', 'a?x=1', 'start'])
  const selected = { selectAllMode: false, selectedPages: [before.get('a'), before.get('start')] }
  const deleted = await api.call('POST', '/bulk/pages/delete', { token, body: { selected } })
  expect(deleted.body).toMatchObject({ changed: 2, skipped: 0 })
  expect([...(await listPages()).keys()]).toEqual([])
  expect(await listIssues(run.scanId)).toEqual([])
})
