/** @module-tag slow */
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { getStatusNumber } from '../../issue/model.ts'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, recordRun } from '../../../../test/run.ts'
import { recordRecheckResult, claimNextRecheck } from '../recheck/service.ts'

// Reuse of unchanged pages from the previous run, in the database.

const api = useTestApi()
const getAdminToken = () => api.token('runner', ['access', 'admin'])
const get = async <T>(path: string) => (await api.call('GET', path, { token: await getAdminToken() })).body as T

/** Extends an outcome, for example by a fingerprint. */
const withFields = (outcome: PageOutcome, more: object): PageOutcome => ({ ...outcome, ...more }) as PageOutcome
const withPrint = (names: readonly string[], print: string, more: object = {}) =>
  withFields(buildCompleted(names.map((name) => buildFinding(name))), { fingerprint: print, ...more })
const unchanged = withFields(buildCompleted(), { unchanged: true })

/** Executes another run of a scan; returns the known fingerprints of its pages at the time of their claims. */
async function runAgain(scanId: string, pages: Record<string, PageOutcome>, reuseDays = 30) {
  const knownPrints: Record<string, string | null | undefined> = {}
  const run = await recordRun(api, scanId, pages, undefined, {
    reuseDays,
    onClaim: (claim) => void (knownPrints[claim.key] = claim.knownPrint),
  })
  return { ...run, known: knownPrints }
}
type PageRow = { url: string; carriedFrom: number | null; openIssues: { critical: number }; title: string }
const listPages = async (scanId: string, run: number) => {
  const { content } = await get<{ content: PageRow[] }>(`/scans/${scanId}/runs/${run}/pages`)
  return Object.fromEntries(content.map((page) => [page.url.split('/').at(-1)!, page]))
}
type Overview = { reuse: { carried: number; audited: number; fault: string | null }; score: number }
const readOverview = (scanId: string, run: number) => get<Overview>(`/scans/${scanId}/runs/${run}/overview`)
const listRules = async (scanId: string, run: number) => {
  const { content } = await get<{
    content: { id: string; change: string; status: string; pageUrl: string }[]
  }>(`/issues?scanId=${scanId}&runNumber=${run}`)
  return content.map(({ id, change, status }) => ({ id, change, status })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

describe('an unchanged page', () => {
  it('keeps its issues, title and counts over several runs, and names the run that they are from', async () => {
    const first = await recordRun(api, undefined, { a: withPrint(['x', 'y'], 'p1'), b: withPrint(['z'], 'p2') }, 'Kept')
    const { scanId } = first
    const second = await runAgain(scanId, { a: unchanged, b: withPrint(['z', 'new'], 'p3') })
    expect(second.known).toEqual({ a: 'p1', b: 'p2' })
    const third = await runAgain(scanId, { a: unchanged, b: unchanged })
    expect(third.known).toEqual({ a: 'p1', b: 'p3' })
    const pages = await listPages(scanId, 3)
    expect([pages.a!.carriedFrom, pages.b!.carriedFrom]).toEqual([1, 2])
    expect(pages.a!.openIssues.critical).toBe(2)
    expect(pages.a!.title).toBe((await listPages(scanId, 1)).a!.title)
    const issues = await listRules(scanId, 3)
    expect(issues.map(({ change, status }) => `${change} ${status}`)).toEqual(Array(4).fill('still open'))
    expect((await readOverview(scanId, 3)).reuse).toEqual({ carried: 2, audited: 0, fault: null })
    expect((await readOverview(scanId, 3)).score).toBe((await readOverview(scanId, 2)).score)
  })

  it('has the content key of its visit, since the method may have changed', async () => {
    const sign = (content: string) => ({ signature: { content, masked: content, template: 't', isUnlisted: false } })
    const { scanId } = await recordRun(
      api,
      undefined,
      { a: withPrint([], 'p1', sign('old')), b: withPrint([], 'p2', sign('b')) },
      'Key',
    )
    await runAgain(scanId, { a: withFields(unchanged, sign('new')), b: unchanged })
    const { rows } = await sql<{ key: string }>`select content_key as key from page p join run r on r.id = p.run_id
      where r.scan_id = ${scanId} and r.number = 2 order by url`.execute(api.db)
    expect(rows).toEqual([{ key: 'new' }, { key: 'b' }])
  })

  it('keeps edits made since', async () => {
    const { scanId } = await recordRun(api, undefined, { a: withPrint(['x', 'y'], 'p1') }, 'Decided')
    const [one] = await listRules(scanId, 1)
    await sql`update issue set status = ${getStatusNumber('ignored')} where id = ${one!.id}`.execute(api.db)
    const status = (await listRules(scanId, 1)).length
    await runAgain(scanId, { a: unchanged })
    const after = await listRules(scanId, 2)
    expect(after.length).toBe(status)
    expect((await listPages(scanId, 2)).a!.openIssues.critical).toBe(1)
  })

  it('brings back an issue that was fixed since, as a change of that moment', async () => {
    const { scanId } = await recordRun(api, undefined, { a: withPrint(['x', 'y'], 'p1') }, 'Back')
    const [fixed, other] = await listRules(scanId, 1)
    await sql`update issue set updated_at = '2026-01-01' where scan_id = ${scanId}`.execute(api.db)
    await sql`update issue set status = ${getStatusNumber('fixed')} where id = ${fixed!.id}`.execute(api.db)
    await runAgain(scanId, { a: unchanged })
    const read = (id: string) => get<{ status: string; updatedAt: string }>(`/issues/${id}`)
    const [back, unchangedOne] = [await read(fixed!.id), await read(other!.id)]
    expect([back.status, Date.parse(back.updatedAt) > Date.now() - 60_000]).toEqual(['open', true])
    expect(unchangedOne).toMatchObject({ status: 'open', updatedAt: '2026-01-01T00:00:00.000Z' })
  })

  it('is analyzed again after the reuse period, and has no known fingerprint without reuse', async () => {
    const { scanId } = await recordRun(api, undefined, { a: withPrint(['x'], 'p1') }, 'Days')
    await sql`update run_page set analysed_at = now() - interval '8 days' where run_id in (select id from run where scan_id = ${scanId})`.execute(
      api.db,
    )
    expect((await runAgain(scanId, { a: unchanged }, 10)).known).toEqual({ a: 'p1' })
    // Not analyzed since, so its age is still eight days.
    expect((await runAgain(scanId, { a: withPrint(['x'], 'p1') }, 7)).known).toEqual({ a: null })
    const other = await recordRun(api, undefined, { a: withPrint(['x'], 'p1') }, 'None')
    const knownPrints: unknown[] = []
    await recordRun(api, other.scanId, { a: withPrint(['x'], 'p1') }, undefined, {
      onClaim: ({ knownPrint }) => void knownPrints.push(knownPrint),
    })
    expect(knownPrints).toEqual([undefined])
  })

  it('is visited again when its previous version was removed', async () => {
    const { scanId } = await recordRun(api, undefined, { a: withPrint(['x'], 'p1') }, 'Removed')
    const run = await recordRun(api, scanId, { a: unchanged }, undefined, {
      reuseDays: 30,
      onClaim: async () => {
        await sql`update page_version set fingerprint = null where scan_id = ${scanId}`.execute(api.db)
      },
    })
    // Released: this run ended before its next attempt.
    expect((await listPages(scanId, run.number)).a).toMatchObject({ status: 'excluded', carriedFrom: null })
  })
})

describe('an issue of an unchanged page', () => {
  it('names its original run in the API and in exports', async () => {
    const { scanId } = await recordRun(api, undefined, { a: withPrint(['x'], 'p1'), b: withPrint(['y'], 'p2') }, 'Said')
    await runAgain(scanId, { a: unchanged, b: withPrint(['y'], 'p3') })
    const { content } = await get<{ content: { pageUrl: string; carriedFrom: number | null }[] }>(
      `/issues?scanId=${scanId}&runNumber=2&sort=pageUrl,asc`,
    )
    expect(content.map(({ carriedFrom }) => carriedFrom)).toEqual([1, null])
    const exported = async (format: string) =>
      (
        await api.app.inject({
          method: 'POST',
          url: `/monitor-api/bulk/issues/export/${format}`,
          headers: { authorization: `Bearer ${await getAdminToken()}` },
          payload: { filters: { scanId: [scanId] }, selected: { selectAllMode: true } },
        })
      ).payload
    const { issues } = JSON.parse(await exported('json')) as { issues: typeof content }
    expect(issues.map(({ pageUrl, carriedFrom }) => `${pageUrl.at(-1)} ${carriedFrom}`).sort()).toEqual(['a 1', 'b null'])
    expect(await exported('csv/detailed')).toMatch(/,Carried over from run,WCAG,Engine,Seen in\r\n[^]*,1,SC 1\.1\.1,axe,\r\n/)
    expect(await exported('sarif')).toContain('"carriedFrom":1')
    expect(await exported('earl')).toContain('Carried over from run 1')
  })
})

describe('an audited unchanged page', () => {
  it('with the same findings is only counted', async () => {
    const { scanId } = await recordRun(api, undefined, { a: withPrint(['x'], 'p1') }, 'Same')
    await runAgain(scanId, { a: withPrint(['x'], 'p1', { audited: true }) })
    expect((await readOverview(scanId, 2)).reuse).toEqual({ carried: 0, audited: 1, fault: null })
    expect((await runAgain(scanId, { a: unchanged })).known).toEqual({ a: 'p1' })
  })

  it('may be driven further than before, or less', async () => {
    const driven = { level: 'narrow', version: 1, isPartial: false } as const
    const cut = buildFinding('cut', { rule: 'drive-reflow', engine: 'driven' })
    const { scanId } = await recordRun(api, undefined, { a: withPrint(['x'], 'p1') }, 'Driven')
    await runAgain(scanId, { a: withPrint(['x'], 'p1', { audited: true, driven, findings: [buildFinding('x'), cut] }) })
    expect((await listRules(scanId, 2)).map(({ change }) => change).sort()).toEqual(['new', 'still'])
    await runAgain(scanId, { a: withPrint(['x'], 'p1', { audited: true }) })
    for (const run of [2, 3]) expect((await readOverview(scanId, run)).reuse).toEqual({ carried: 0, audited: 1, fault: null })
  })

  it('with other findings stops reuse until the scan is saved', async () => {
    const { scanId } = await recordRun(api, undefined, { a: withPrint(['x'], 'p1') }, 'Other')
    await runAgain(scanId, { a: withPrint(['x', 'more'], 'p1', { audited: true }) })
    expect((await readOverview(scanId, 2)).reuse).toEqual({
      carried: 0,
      audited: 1,
      fault: 'https://example.org/a',
    })
    expect((await runAgain(scanId, { a: withPrint(['x', 'more'], 'p1') })).known).toEqual({ a: null })
    const scan = await get<{ version: number; settings: object }>(`/scans/${scanId}/settings`)
    const saved = await api.call('PUT', `/scans/${scanId}`, {
      token: await getAdminToken(),
      body: { settings: scan.settings, version: scan.version },
    })
    expect(saved.status).toBe(200)
    expect((await runAgain(scanId, { a: unchanged })).known).toEqual({ a: 'p1' })
  })

  it('with other findings triggers re-checks of all carried pages', async () => {
    const { scanId } = await recordRun(
      api,
      undefined,
      { a: withPrint(['x'], 'p1'), b: withPrint(['y', 'gone'], 'p2'), c: withPrint(['z'], 'p3') },
      'Again',
    )
    await runAgain(scanId, { a: withPrint(['more'], 'p1', { audited: true }), b: unchanged, c: unchanged })
    const deps = { ...api, log: () => undefined }
    const again: string[] = []
    for (let claim = await claimNextRecheck(deps); claim; claim = await claimNextRecheck(deps)) {
      again.push(claim.url.at(-1)!)
      await recordRecheckResult(deps, claim, buildCompleted([buildFinding(claim.url.endsWith('b') ? 'y' : 'new')]))
    }
    expect(again.sort()).toEqual(['b', 'c'])
    const pages = await listPages(scanId, 2)
    expect(['b', 'c'].map((name) => pages[name]!.carriedFrom)).toEqual([null, null])
    expect(pages.b!.openIssues.critical).toBe(1)
    expect((await readOverview(scanId, 2)).reuse).toEqual({
      carried: 0,
      audited: 1,
      fault: 'https://example.org/a',
    })
  })
})
