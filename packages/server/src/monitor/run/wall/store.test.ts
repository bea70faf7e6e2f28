/** @module-tag slow */
import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFailed, buildFinding, buildSeen, recordRun, type TestRun } from '../../../../test/run.ts'

// Walls over several stored runs, without a browser.

const api = useTestApi()

/** A page that lost its words, links and landmarks. */
const buildWalled = () => buildSeen(5000, [], { links: 0, landmarks: 0, title: 'Wait' })
const buildRepeated = (findings: Finding[] = []) => buildSeen(1, findings, { textHash: 'same', textLength: 90 })
const buildFindings = (count: number) => Array.from({ length: count }, (_, number) => buildFinding(`lost${number}`))

const allChanges = ['new', 'still', 'back', 'fixed', 'not-rechecked', 'page-gone'].map((change) => `change=${change}`).join('&')
async function listChanges({ scanId, number }: TestRun): Promise<Record<string, string>> {
  const { body } = await api.call(
    'GET',
    `/issues?scanId=${scanId}&runNumber=${number}&${allChanges}&status=open&status=fixed&size=100`,
  )
  const { content } = body as { content: { selector: string; change: string }[] }
  return Object.fromEntries(content.map(({ selector, change }) => [selector.replace(/\W/g, '').slice(3), change]))
}
async function countChanges(run: TestRun): Promise<Record<string, number>> {
  const changes = Object.values(await listChanges(run))
  return Object.fromEntries([...Map.groupBy(changes, (change) => change)].map(([change, { length }]) => [change, length]))
}
const getOverview = async ({ scanId, number }: TestRun) =>
  (await api.call('GET', `/scans/${scanId}/runs/${number}/overview`)).body as object
const accept = async ({ scanId, number }: TestRun) =>
  (await api.call('POST', `/scans/${scanId}/runs/${number}/accept`)).body as object
const readFindings = ({ id }: TestRun) =>
  api.db.selectFrom('finding').select(['issue_id', 'change', 'page_id']).where('run_id', '=', id).orderBy('issue_id').execute()

describe('acceptance', () => {
  it('lets no run start before its end', async () => {
    const { scanId } = await recordRun(api, undefined, { a: buildSeen(1), b: buildSeen(1, [buildFinding('b')]) }, 'Not yet')
    const walled = await recordRun(api, scanId, { a: buildSeen(1), b: buildWalled() })
    const countWaiting = async () => (await sql`select 1 from pg_locks where not granted`.execute(api.db)).rows.length
    const replies: Promise<{ status: number }>[] = []
    await api.db.transaction().execute(async (otherTransaction) => {
      await sql`select from run where id = ${walled.id} for no key update`.execute(otherTransaction)
      for (const path of [`runs/${walled.number}/accept`, 'startRun']) {
        replies.push(api.call('POST', `/scans/${scanId}/${path}`))
        await expect.poll(countWaiting).toBe(replies.length)
      }
    })
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 202])
    expect(await listChanges(walled)).toEqual({ b: 'fixed' })
    expect((await api.call('POST', `/scans/${scanId}/runs/${walled.number}/accept`)).body).toMatchObject({ code: 'run-active' })
  })

  it('takes no page as gone in a run that stopped at its page limit', async () => {
    const { scanId } = await recordRun(
      api,
      undefined,
      { a: buildSeen(1), b: buildSeen(1, [buildFinding('b')]), c: buildSeen(1, [buildFinding('c')]) },
      'Page limit',
    )
    const pages = { a: buildSeen(1), b: buildWalled(), d: buildSeen(1) }
    const limited = await recordRun(api, scanId, pages, undefined, { pageLimit: 2 })
    expect(await getOverview(limited)).toMatchObject({ partial: true, problem: 'wall', pages: { walled: 1 } })
    expect(await accept(limited)).toMatchObject({ partial: false, problem: null })
    expect(await listChanges(limited)).toEqual({ b: 'fixed', c: 'not-rechecked' })
  })

  it('changes nothing in a run that failed', async () => {
    const { scanId } = await recordRun(api, undefined, { a: buildSeen(1, [buildFinding('a')]) }, 'Failed')
    const failed = await recordRun(api, scanId, { a: buildFailed('http-404') })
    const overview = await getOverview(failed)
    expect(await accept(failed)).toMatchObject({ status: 'failed' })
    expect([await getOverview(failed), await readFindings(failed)]).toEqual([overview, []])
  })

  it('changes nothing in a run with nothing to accept', async () => {
    const { scanId } = await recordRun(api, undefined, { a: buildSeen(1, [buildFinding('a')]) }, 'Clean')
    const clean = await recordRun(api, scanId, { a: { ...buildSeen(1), notices: ['did-not-settle'] } as PageOutcome })
    await api.db.updateTable('run_page').set({ notices: null }).where('run_id', '=', clean.id).execute()
    const findings = await readFindings(clean)
    expect(await accept(clean)).toMatchObject({ status: 'completed', partial: false })
    expect(await readFindings(clean)).toEqual(findings)
    expect(await listChanges(clean)).toEqual({ a: 'not-rechecked' })
  })

  it('keeps issues whose earlier findings are archived', async () => {
    const first = await recordRun(
      api,
      undefined,
      { a: buildSeen(1), b: buildSeen(1, [buildFinding('b', { tags: ['experimental'] })]) },
      'Archived findings',
    )
    const walled = await recordRun(api, first.scanId, { a: buildSeen(1), b: buildWalled() })
    await api.db.deleteFrom('finding_span').where('scan_id', '=', first.scanId).where('until_run', '=', first.number).execute()
    await accept(walled)
    expect(await listChanges(walled)).toEqual({ b: 'not-rechecked' })
  })
})

describe('a run after a partial one', () => {
  const end = { kind: 'problem', problem: 'run-timeout', detail: '' } as const

  it('has to meet the pages of the last whole run', async () => {
    const { scanId } = await recordRun(
      api,
      undefined,
      { a: buildSeen(1), b: buildSeen(1, [buildFinding('b')]), c: buildSeen(1), d: buildSeen(1) },
      'Partial predecessor',
    )
    expect(await getOverview(await recordRun(api, scanId, { a: buildSeen(1) }, undefined, { end }))).toMatchObject({
      partial: true,
    })
    expect(await listChanges(await recordRun(api, scanId, { a: buildSeen(1) }))).toEqual({ b: 'not-rechecked' })
    expect(await listChanges(await recordRun(api, scanId, { a: buildSeen(1) }))).toEqual({ b: 'page-gone' })
  })

  it('has to be confirmed if most issues disappear', async () => {
    const { scanId } = await recordRun(
      api,
      undefined,
      { a: buildSeen(1), b: buildSeen(1, buildFindings(12)) },
      'Partial before doubt',
    )
    await recordRun(api, scanId, { a: buildSeen(1) }, undefined, { end })
    const third = await recordRun(api, scanId, { a: buildSeen(1) })
    expect(await countChanges(third)).toEqual({ 'not-rechecked': 12 })
    expect(await getOverview(third)).toMatchObject({ unconfirmed: { issues: 12 } })
    expect(await countChanges(await recordRun(api, scanId, { a: buildSeen(1) }))).toEqual({ 'page-gone': 12 })
  })
})

describe('a run in which most issues disappear', () => {
  const keptPages = { a: buildSeen(1), b: buildSeen(200, [buildFinding('kept')]) }
  const before = { ...keptPages, c: buildSeen(400, buildFindings(12)), d: buildSeen(600) }
  const after = { ...keptPages, c: buildSeen(4000), d: buildSeen(6000) }
  const getScore = async (run: TestRun) => ((await getOverview(run)) as { score: number }).score

  it('has no health of the pages that changed, and the score of the others', async () => {
    const first = await recordRun(api, undefined, before, 'Half changed')
    const changed = await recordRun(api, first.scanId, after)
    const { score: keptScore } = (await getOverview(await recordRun(api, undefined, keptPages, 'Kept'))) as { score: number }
    expect(await getOverview(changed)).toMatchObject({
      unconfirmed: { issues: 12 },
      pages: { completed: 4, walled: 2 },
      score: keptScore,
    })
    const pages = await api.db
      .selectFrom('page')
      .select(['url', 'health', 'notices'])
      .where('run_id', '=', changed.id)
      .orderBy('url')
      .execute()
    expect(pages.filter(({ health }) => health === null).map(({ url }) => url.slice(-1))).toEqual(['c', 'd'])
    expect(pages.flatMap(({ notices }) => notices)).toEqual(['issues-disappeared', 'issues-disappeared'])
    await accept(changed)
    expect(await getOverview(changed)).toMatchObject({ unconfirmed: null, pages: { walled: 0 } })
    expect(await getScore(changed)).toBeGreaterThan(keptScore)
    expect(await countChanges(changed)).toEqual({ still: 1, fixed: 12 })
  })

  it('is confirmed by the next run that shows the same, and taken back by one that shows what was there', async () => {
    const first = await recordRun(api, undefined, before, 'Confirmed')
    await recordRun(api, first.scanId, after)
    const confirmed = await recordRun(api, first.scanId, after)
    expect(await getOverview(confirmed)).toMatchObject({ unconfirmed: null, pages: { walled: 0 }, problem: null })
    expect(await countChanges(confirmed)).toEqual({ still: 1, fixed: 12 })

    const other = await recordRun(api, undefined, before, 'Taken back')
    await recordRun(api, other.scanId, after)
    const restored = await recordRun(api, other.scanId, before)
    expect(await getOverview(restored)).toMatchObject({ unconfirmed: null, pages: { walled: 0 } })
    expect(await countChanges(restored)).toEqual({ still: 13 })
    expect(await getScore(restored)).toBe(await getScore(other))
  })

  it('has to be confirmed again when the next run shows something else', async () => {
    const first = await recordRun(api, undefined, before, 'Something else')
    await recordRun(api, first.scanId, after)
    const other = { ...keptPages, c: buildSeen(7000), d: buildSeen(8000) }
    const changedAgain = await recordRun(api, first.scanId, other)
    expect(await getOverview(changedAgain)).toMatchObject({ unconfirmed: { issues: 12 }, pages: { walled: 2 } })
    expect(await countChanges(await recordRun(api, first.scanId, other))).toEqual({ still: 1, fixed: 12 })
  })
})

describe('a page whose content disappears', () => {
  const home = buildSeen(1, [buildFinding('kept')])
  const runTwice = async (name: string, before: Record<string, PageOutcome>, after: Record<string, PageOutcome>) => {
    const { scanId } = await recordRun(api, undefined, { home, ...before }, name)
    const second = await recordRun(api, scanId, { home, ...after })
    const third = await recordRun(api, scanId, { home, ...after })
    return { second, changes: [await countChanges(second), await countChanges(third)] }
  }
  const small = { a: buildSeen(200, buildFindings(3)) }

  it.each([
    ['half of its length', { textLength: 400 }],
    ['its links', { links: 2 }],
    ['its landmarks', { landmarks: 0 }],
  ])('keeps few issues open until the next run shows the same: %s', async (lost, fields) => {
    const { second, changes } = await runTwice(`Small site, ${lost}`, small, { a: buildSeen(228, [], fields) })
    expect(changes).toEqual([
      { still: 1, 'not-rechecked': 3 },
      { still: 1, fixed: 3 },
    ])
    expect(await getOverview(second)).toMatchObject({ unconfirmed: { issues: 3 }, pages: { walled: 1 } })
  })

  it('keeps a third of the issues open if their pages have one title since', async () => {
    const titles = ['Prices', 'Places', 'People']
    const build = (getTitle: (title: string) => string, count: number, word: number) =>
      Object.fromEntries(
        titles.map((title, index) => [
          title,
          buildSeen(word + 100 * index, buildFindings(12).slice(index * 4, index * 4 + count), { title: getTitle(title) }),
        ]),
      )
    const many = {
      many: buildSeen(
        90,
        Array.from({ length: 23 }, (_, index) => buildFinding(`many${index}`)),
      ),
    }
    const before = { ...many, ...build((title) => title, 4, 1000) }
    const { changes } = await runTwice('One title', before, { ...many, ...build(() => 'Shop', 0, 5000) })
    expect(changes).toEqual([
      { still: 24, 'not-rechecked': 12 },
      { still: 24, fixed: 12 },
    ])
  })

  it('keeps few issues open if the same words came on several pages', async () => {
    const build = (getWord: (index: number) => number, count: number) =>
      Object.fromEntries(
        ['x', 'y', 'z'].map((path, index) => [
          path,
          buildSeen(getWord(index), buildFindings(3).slice(index, index + count), { title: path }),
        ]),
      )
    const before = build((index) => 1000 * (index + 1), 1)
    const { changes } = await runTwice(
      'Teasers',
      before,
      build((index) => 7000 + index, 0),
    )
    expect(changes).toEqual([
      { still: 1, 'not-rechecked': 3 },
      { still: 1, fixed: 3 },
    ])
    const rewritten = await runTwice(
      'Each rewritten',
      before,
      build((index) => 7000 + 100 * index, 0),
    )
    expect(rewritten.changes[0]).toEqual({ still: 1, fixed: 3 })
  })

  it('keeps few issues open if pages lost half of their text but few words, and the same words came', async () => {
    const build = (getWord: (index: number) => number, count: number, textLength: number) =>
      Object.fromEntries(
        ['x', 'y'].map((path, index) => [
          path,
          buildSeen(getWord(index), buildFindings(2).slice(index, index + count), { title: path, textLength }),
        ]),
      )
    const before = build(() => 1000, 1, 900)
    const teasers = await runTwice(
      'Short teasers',
      before,
      build(() => 1018, 0, 400),
    )
    expect(teasers.changes).toEqual([
      { still: 1, 'not-rechecked': 2 },
      { still: 1, fixed: 2 },
    ])
    expect(await getOverview(teasers.second)).toMatchObject({ unconfirmed: { issues: 2 }, pages: { walled: 2 } })
    const shortened = await runTwice(
      'Each shortened',
      before,
      build((index) => (index === 0 ? 982 : 1018), 0, 400),
    )
    expect(shortened.changes[0]).toEqual({ still: 1, fixed: 2 })
    const lengthened = await runTwice(
      'A common footer',
      before,
      build(() => 1018, 0, 1000),
    )
    expect(lengthened.changes[0]).toEqual({ still: 1, fixed: 2 })
  })

  it('closes the issues of pages that were rewritten, shortened with most of their words, or removed', async () => {
    const rewritten = await runTwice('Rewritten', small, { a: buildSeen(4000, [], { title: 'Other shop' }) })
    expect(rewritten.changes[0]).toEqual({ still: 1, fixed: 3 })
    const shortened = await runTwice('Shortened', small, { a: buildSeen(215, [], { textLength: 400 }) })
    expect(shortened.changes[0]).toEqual({ still: 1, fixed: 3 })
    const removed = await runTwice('Removed', small, { a: buildFailed('http-404') })
    expect(removed.changes[0]).toEqual({ still: 1, 'page-gone': 3 })
  })
})

describe('a wall', () => {
  it('is still one after many runs in front of it, until a person accepts the pages', async () => {
    const { scanId } = await recordRun(api, undefined, { a: buildSeen(1, [buildFinding('a')]) }, 'Long wall')
    let lastRun: TestRun | undefined
    for (let number = 2; number <= 26; number += 1) lastRun = await recordRun(api, scanId, { a: buildWalled() })
    expect(await getOverview(lastRun!)).toMatchObject({ partial: true, problem: 'wall', pages: { walled: 1 } })
    expect(await listChanges(lastRun!)).toEqual({ a: 'not-rechecked' })
    await accept(lastRun!)
    expect(await listChanges(lastRun!)).toEqual({ a: 'fixed' })
    expect(await getOverview(await recordRun(api, scanId, { a: buildWalled() }))).toMatchObject({ pages: { walled: 0 } })
  })

  it('on one page hides only the pages behind it', async () => {
    const foundOn = { b: 'a', c: 'a', d: 'b', e: 'a' }
    const { scanId } = await recordRun(
      api,
      undefined,
      {
        a: buildSeen(1),
        b: buildSeen(1),
        c: buildSeen(1),
        d: buildSeen(1, [buildFinding('behind')]),
        e: buildSeen(1, [buildFinding('gone')]),
      },
      'One wall',
      { foundOn },
    )
    const pages = { a: buildSeen(1), b: buildWalled(), c: buildSeen(1) }
    const second = await recordRun(api, scanId, pages, undefined, { foundOn })
    expect(await getOverview(second)).toMatchObject({ partial: false, pages: { walled: 1 } })
    expect(await listChanges(second)).toEqual({ behind: 'not-rechecked', gone: 'page-gone' })
  })
})

describe('a text on several pages', () => {
  it('is no wall after a person accepted it, except on other pages', async () => {
    const withIssue = { x: buildRepeated([buildFinding('x')]), y: buildRepeated(), z: buildRepeated() }
    const first = await recordRun(api, undefined, withIssue, 'Repeated')
    expect(await getOverview(first)).toMatchObject({ problem: 'wall', pages: { walled: 3 } })
    await accept(first)
    expect(await getOverview(first)).toMatchObject({ problem: null, pages: { walled: 0 } })
    const pages = { x: buildRepeated(), y: buildRepeated(), z: buildRepeated() }
    const second = await recordRun(api, first.scanId, pages)
    expect(await getOverview(second)).toMatchObject({ partial: false, problem: null, pages: { walled: 0 } })
    expect(await listChanges(second)).toEqual({ x: 'fixed' })
    const other = await recordRun(api, first.scanId, { ...pages, other: buildRepeated() })
    expect(await getOverview(other)).toMatchObject({ pages: { walled: 1 } })
  })
})

describe('a page without evidence', () => {
  const run = (scanId: string | undefined, page: PageOutcome, name?: string) => recordRun(api, scanId, { a: page }, name)

  it('is doubtful if its last visit had some', async () => {
    const { scanId } = await run(undefined, buildSeen(1, buildFindings(12)), 'Lost evidence')
    const second = await run(scanId, buildCompleted())
    expect(await countChanges(second)).toEqual({ 'not-rechecked': 12 })
    expect(await countChanges(await run(scanId, buildCompleted()))).toEqual({ fixed: 12 })
  })

  it('is not doubtful if it is older than evidence', async () => {
    const { scanId } = await run(undefined, buildCompleted(buildFindings(12)), 'Old evidence')
    expect(await countChanges(await run(scanId, buildSeen(1)))).toEqual({ fixed: 12 })
  })
})
