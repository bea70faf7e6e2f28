import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { getStatusNumber } from '../../issue/model.ts'
import { apiOfFile } from '../../../../test/api.ts'
import { completed, finding, wholeRun } from '../../../../test/run.ts'
import { endOfRecheck, nextRecheck } from '../recheck/service.ts'

// Pages on which nothing has changed since the run before, as the database has them.

const api = apiOfFile()
const admin = () => api.token('runner', ['access', 'admin'])
const get = async <T>(path: string) => (await api.call('GET', path, { token: await admin() })).body as T

/** An outcome with what it says of its fingerprint. */
const but = (outcome: PageOutcome, more: object): PageOutcome => ({ ...outcome, ...more }) as PageOutcome
const printed = (names: readonly string[], print: string, more: object = {}) =>
  but(completed(names.map((name) => finding(name))), { fingerprint: print, ...more })
const unchanged = but(completed(), { unchanged: true })

/** One run after the other of one scan; answers what was known of its pages when they were claimed. */
async function follow(scanId: string, pages: Record<string, PageOutcome>, reuseDays = 30) {
  const known: Record<string, string | null | undefined> = {}
  const run = await wholeRun(api, scanId, pages, undefined, {
    reuseDays,
    onClaim: (claim) => void (known[claim.key] = claim.knownPrint),
  })
  return { ...run, known }
}
type PageRow = { url: string; carriedFrom: number | null; openIssues: { critical: number }; title: string }
const pagesOf = async (scanId: string, run: number) => {
  const { content } = await get<{ content: PageRow[] }>(`/scans/${scanId}/runs/${run}/pages`)
  return Object.fromEntries(content.map((page) => [page.url.split('/').at(-1)!, page]))
}
type Overview = { reuse: { carried: number; audited: number; fault: string | null }; score: number }
const overview = (scanId: string, run: number) => get<Overview>(`/scans/${scanId}/runs/${run}/overview`)
const rulesOf = async (scanId: string, run: number) => {
  const { content } = await get<{
    content: { id: string; change: string; status: string; pageUrl: string }[]
  }>(`/issues?scanId=${scanId}&runNumber=${run}`)
  return content
    .map(({ id, change, status }) => ({ id, change, status }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

describe('an unchanged page', () => {
  it('keeps its issues, its title and its counts, and says from which run they are, over several runs', async () => {
    const first = await wholeRun(
      api,
      undefined,
      { a: printed(['x', 'y'], 'p1'), b: printed(['z'], 'p2') },
      'Kept',
    )
    const { scanId } = first
    const second = await follow(scanId, { a: unchanged, b: printed(['z', 'new'], 'p3') })
    expect(second.known).toEqual({ a: 'p1', b: 'p2' })
    const third = await follow(scanId, { a: unchanged, b: unchanged })
    expect(third.known).toEqual({ a: 'p1', b: 'p3' })
    const pages = await pagesOf(scanId, 3)
    expect([pages.a!.carriedFrom, pages.b!.carriedFrom]).toEqual([1, 2])
    expect(pages.a!.openIssues.critical).toBe(2)
    expect(pages.a!.title).toBe((await pagesOf(scanId, 1)).a!.title)
    const issues = await rulesOf(scanId, 3)
    expect(issues.map(({ change, status }) => `${change} ${status}`)).toEqual(Array(4).fill('still open'))
    expect((await overview(scanId, 3)).reuse).toEqual({ carried: 2, audited: 0, fault: null })
    expect((await overview(scanId, 3)).score).toBe((await overview(scanId, 2)).score)
  })

  it('keeps what people have decided meanwhile', async () => {
    const { scanId } = await wholeRun(api, undefined, { a: printed(['x', 'y'], 'p1') }, 'Decided')
    const [one] = await rulesOf(scanId, 1)
    await sql`update issue set status = ${getStatusNumber('ignored')} where id = ${one!.id}`.execute(api.db)
    const status = (await rulesOf(scanId, 1)).length
    await follow(scanId, { a: unchanged })
    const after = await rulesOf(scanId, 2)
    expect(after.length).toBe(status)
    expect((await pagesOf(scanId, 2)).a!.openIssues.critical).toBe(1)
  })

  it('is analysed again after its days, and is not known where runs do not rely on it', async () => {
    const { scanId } = await wholeRun(api, undefined, { a: printed(['x'], 'p1') }, 'Days')
    await sql`update page set analysed_at = now() - interval '8 days' where scan_id = ${scanId}`.execute(
      api.db,
    )
    expect((await follow(scanId, { a: unchanged }, 10)).known).toEqual({ a: 'p1' })
    // It was not analysed since: eight days ago it stays.
    expect((await follow(scanId, { a: printed(['x'], 'p1') }, 7)).known).toEqual({ a: null })
    const other = await wholeRun(api, undefined, { a: printed(['x'], 'p1') }, 'None')
    const known: unknown[] = []
    await wholeRun(api, other.scanId, { a: printed(['x'], 'p1') }, undefined, {
      onClaim: ({ knownPrint }) => void known.push(knownPrint),
    })
    expect(known).toEqual([undefined])
  })

  it('is visited again where what it kept was removed under it', async () => {
    const { scanId } = await wholeRun(api, undefined, { a: printed(['x'], 'p1') }, 'Removed')
    const run = await wholeRun(api, scanId, { a: unchanged }, undefined, {
      reuseDays: 30,
      onClaim: async () => {
        await sql`update page set fingerprint = null where scan_id = ${scanId}`.execute(api.db)
      },
    })
    // Given back: this run ended before its next turn.
    expect((await pagesOf(scanId, run.number)).a).toMatchObject({ status: 'excluded', carriedFrom: null })
  })
})

describe('an issue of an unchanged page', () => {
  it('says from which run it is, in the API and in exports', async () => {
    const { scanId } = await wholeRun(
      api,
      undefined,
      { a: printed(['x'], 'p1'), b: printed(['y'], 'p2') },
      'Said',
    )
    await follow(scanId, { a: unchanged, b: printed(['y'], 'p3') })
    const { content } = await get<{ content: { pageUrl: string; carriedFrom: number | null }[] }>(
      `/issues?scanId=${scanId}&runNumber=2&sort=pageUrl,asc`,
    )
    expect(content.map(({ carriedFrom }) => carriedFrom)).toEqual([1, null])
    const exported = async (format: string) =>
      (
        await api.app.inject({
          method: 'POST',
          url: `/monitor-api/bulk/issues/export/${format}`,
          headers: { authorization: `Bearer ${await admin()}` },
          payload: { filters: { scanId: [scanId] }, selected: { selectAllMode: true } },
        })
      ).payload
    const { issues } = JSON.parse(await exported('json')) as { issues: typeof content }
    expect(issues.map(({ pageUrl, carriedFrom }) => `${pageUrl.at(-1)} ${carriedFrom}`).sort()).toEqual([
      'a 1',
      'b null',
    ])
    expect(await exported('csv/detailed')).toMatch(/,Carried over from run,WCAG\r\n[^]*,1,SC 1\.1\.1\r\n/)
    expect(await exported('sarif')).toContain('"carriedFrom":1')
    expect(await exported('earl')).toContain('Carried over from run 1')
  })
})

describe('an unchanged page that was analysed all the same', () => {
  it('with the same findings is counted, and nothing else', async () => {
    const { scanId } = await wholeRun(api, undefined, { a: printed(['x'], 'p1') }, 'Same')
    await follow(scanId, { a: printed(['x'], 'p1', { audited: true }) })
    expect((await overview(scanId, 2)).reuse).toEqual({ carried: 0, audited: 1, fault: null })
    expect((await follow(scanId, { a: unchanged })).known).toEqual({ a: 'p1' })
  })

  it('with others stops it for the scan, until somebody saves the scan', async () => {
    const { scanId } = await wholeRun(api, undefined, { a: printed(['x'], 'p1') }, 'Other')
    await follow(scanId, { a: printed(['x', 'more'], 'p1', { audited: true }) })
    expect((await overview(scanId, 2)).reuse).toEqual({
      carried: 0,
      audited: 1,
      fault: 'https://example.org/a',
    })
    expect((await follow(scanId, { a: printed(['x', 'more'], 'p1') })).known).toEqual({ a: null })
    const scan = await get<{ version: number; settings: object }>(`/scans/${scanId}/settings`)
    const saved = await api.call('PUT', `/scans/${scanId}`, {
      token: await admin(),
      body: { settings: scan.settings, version: scan.version },
    })
    expect(saved.status).toBe(200)
    expect((await follow(scanId, { a: unchanged })).known).toEqual({ a: 'p1' })
  })

  it('with others has what the run carried over analysed again, too', async () => {
    const { scanId } = await wholeRun(
      api,
      undefined,
      { a: printed(['x'], 'p1'), b: printed(['y', 'gone'], 'p2'), c: printed(['z'], 'p3') },
      'Again',
    )
    await follow(scanId, { a: printed(['more'], 'p1', { audited: true }), b: unchanged, c: unchanged })
    const deps = { ...api, log: () => undefined }
    const again: string[] = []
    for (let claim = await nextRecheck(deps); claim; claim = await nextRecheck(deps)) {
      again.push(claim.url.at(-1)!)
      await endOfRecheck(deps, claim, completed([finding(claim.url.endsWith('b') ? 'y' : 'new')]))
    }
    expect(again.sort()).toEqual(['b', 'c'])
    const pages = await pagesOf(scanId, 2)
    expect(['b', 'c'].map((name) => pages[name]!.carriedFrom)).toEqual([null, null])
    expect(pages.b!.openIssues.critical).toBe(1)
    expect((await overview(scanId, 2)).reuse).toEqual({
      carried: 0,
      audited: 1,
      fault: 'https://example.org/a',
    })
  })
})
