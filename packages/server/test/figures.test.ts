import { randomInt } from 'node:crypto'
import type { IssueList, IssueSummary } from '@clearway/contract/monitor/issue/schema.ts'
import type { PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import type { RunOverview, RunStats, RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { recordRecheckResult, claimNextRecheck, type RecheckResult } from '../src/monitor/run/recheck/service.ts'
import { apiOfFile } from './api.ts'
import { completed, failed, finding, wholeRun } from './run.ts'
import { axeResults, uploadTo } from './upload.ts'

// Every figure that more than one screen, export or call shows is the same everywhere, whatever people do.

const api = apiOfFile()
let admin: string
beforeAll(async () => {
  admin = await api.token('figures', ['access', 'admin'])
})

async function call<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const reply = await api.call(method, path, { token: admin, ...(body !== undefined && { body }) })
  if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}
const get = <T>(path: string) => call<T>('GET', path)

const pageKeys = ['a', 'b', 'c', 'd']
const kinds = [
  { rule: 'image-alt', severity: 'critical', impact: 'critical' },
  { rule: 'label', severity: 'serious', impact: 'serious' },
  { rule: 'region', severity: 'moderate', impact: 'moderate' },
  { rule: 'tabindex', severity: 'minor', impact: 'minor' },
  { rule: 'color-contrast', severity: 'needs review', impact: 'serious' },
] as const

/** What a page of a run is: absent, failed, or with some of the faults. */
const pageOutcome = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant('failed' as const) },
  { weight: 6, arbitrary: fc.uniqueArray(fc.nat(9), { maxLength: 6 }) },
)
const outcomeOf = (page: number[] | 'failed'): PageOutcome => {
  if (page === 'failed') return failed('http-404')
  return completed(
    page.map((number) => finding(`e${number}`, kinds[number % kinds.length]!)),
    `<p>${page.join()}</p>`,
  )
}

const action = fc.oneof(
  fc.record({
    kind: fc.constant('run' as const),
    pages: fc.tuple(pageOutcome, pageOutcome, pageOutcome, pageOutcome),
  }),
  fc.record({
    kind: fc.constant('status' as const),
    at: fc.nat(50),
    status: fc.constantFrom('open', 'fixed', 'ignored'),
    scope: fc.constantFrom('issue', 'group', 'rule-on-page', 'rule'),
  }),
  fc.record({ kind: fc.constant('mark' as const), at: fc.nat(50), isIssue: fc.boolean() }),
  fc.record({ kind: fc.constant('delete issue' as const), at: fc.nat(50) }),
  fc.record({ kind: fc.constant('delete page' as const), at: fc.nat(50) }),
  fc.record({
    kind: fc.constant('re-check' as const),
    at: fc.nat(50),
    found: fc.uniqueArray(fc.nat(9), { maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('upload' as const),
    nodes: fc.integer({ min: 1, max: 3 }),
    page: fc.nat(2),
  }),
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

const everyStatus = 'status=open&status=fixed&status=ignored&status=none'
const issuesOf = (scan: string, query = everyStatus) =>
  get<IssueList>(`/issues?scanId=${scan}&size=500&${query}`)
const pagesOf = async (scan: string, run?: number) =>
  (await get<{ content: PageSummary[] }>(`/pages?scanId=${scan}&size=500${run ? `&runNumber=${run}` : ''}`))
    .content

/** Does it. @returns false where there was nothing to do it to */
async function act(scan: string, done: Action): Promise<boolean> {
  if (done.kind === 'run') {
    const pages = Object.fromEntries(
      pageKeys.flatMap((key, index) => {
        const page = done.pages[index]!
        return page === null ? [] : [[key, outcomeOf(page)]]
      }),
    )
    // Without a page a run fails; that is another matter.
    await wholeRun(api, scan, Object.keys(pages).length > 0 ? pages : { a: completed([]) })
    return true
  }
  const run = (await get<{ content: RunSummary[] }>(`/scans/${scan}/runs?size=1`)).content[0]!
  const one = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]
  if (done.kind === 'upload') {
    const text = axeResults(`https://example.org/uploaded-${done.page}`, done.nodes)
    if (run.status !== 'completed') return false
    const reply = await uploadTo(api, { token: admin, scan, run: run.number }, [{ text }])
    expect([reply.status, reply.body]).toMatchObject([200, expect.anything()])
    return true
  }
  if (done.kind === 'delete page' || done.kind === 're-check') {
    const page = one(await pagesOf(scan), done.at)
    if (!page) return false
    if (done.kind === 'delete page') {
      await call('DELETE', `/pages/${page.id}`)
      return true
    }
    const asked = await api.call('POST', `/pages/${page.id}/recheck`, { token: admin })
    if (asked.status !== 202) return false
    const deps = { ...api, log: () => undefined }
    const claim = await claimNextRecheck(deps)
    await recordRecheckResult(deps, claim!, outcomeOf(done.found) as RecheckResult)
    return true
  }
  const issue = one((await issuesOf(scan)).content, done.at)
  if (!issue) return false
  if (done.kind === 'delete issue') await call('DELETE', `/issues/${issue.id}`)
  else {
    const fields =
      done.kind === 'mark'
        ? { markAsIssue: done.isIssue }
        : done.status === 'ignored'
          ? { status: 'ignored', ignore: { scope: done.scope, reason: '' } }
          : { status: done.status }
    await call('PATCH', `/issues/${issue.id}`, { fieldsToUpdate: fields })
  }
  return true
}

type Counts = RunSummary['openIssues']
const severityKeys = ['critical', 'serious', 'moderate', 'minor', 'needsReview'] as const
const sum = (counts: readonly Counts[]): Counts =>
  Object.fromEntries(
    severityKeys.map((key) => [key, counts.reduce((total, one) => total + one[key], 0)]),
  ) as Counts
const minus = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(severityKeys.map((key) => [key, a[key] - b[key]])) as Counts
const countIssues = (issues: readonly Pick<IssueSummary, 'severity'>[]): Counts =>
  Object.fromEntries(
    severityKeys.map((key) => [
      key,
      issues.filter(({ severity }) => severity === (key === 'needsReview' ? 'needs review' : key)).length,
    ]),
  ) as Counts
const issuesIn = (counts: Counts) => counts.critical + counts.serious + counts.moderate + counts.minor

/** Every figure of the newest completed run, from each place that shows it. */
async function expectAgreement(scan: string): Promise<void> {
  const runs = (await get<{ content: RunSummary[] }>(`/scans/${scan}/runs?size=100`)).content
  const [now, before] = runs.filter(({ status }) => status === 'completed')
  if (!now) return
  const path = `/scans/${scan}/runs/${now.number}`
  const overview = await get<RunOverview>(`${path}/overview`)
  const list = await issuesOf(scan, `status=open&runNumber=${now.number}`)
  const pages = await pagesOf(scan, now.number)
  const open = countIssues(list.content)
  const figures = {
    overview: overview.openIssues,
    runs: now.openIssues,
    'issues by status': (await get<{ openIssues: Counts }>(`${path}/overview/issues`)).openIssues,
    'filters of the list': list.severities,
    'issues by source': sum([
      (await issuesOf(scan, `status=open&source=automated&runNumber=${now.number}`)).severities,
      (await issuesOf(scan, `status=open&source=uploaded&runNumber=${now.number}`)).severities,
    ]),
    pages: sum(pages.map(({ openIssues }) => openIssues)),
    'trend of the run': (await get<RunStats>(`${path}/stats`)).trend.at(-1)!.openIssues,
    'trend of the scan': (await get<RunStats>(`/scans/${scan}/trend`)).trend.at(-1)!.openIssues,
    dashboard: (
      await get<{ points: { openIssues: Counts }[] }>(`/rollup/trend?scanId=${scan}&by=day&days=2`)
    ).points.at(-1)!.openIssues,
    export: countIssues(
      (
        await call<{ issues: Pick<IssueSummary, 'severity'>[] }>('POST', '/bulk/issues/export/json', {
          filters: { scanId: [scan], status: ['open'], runNumber: now.number },
          selected: { selectAllMode: true, deselectedIssues: [] },
        })
      ).issues,
    ),
  }
  expect(figures).toEqual(Object.fromEntries(Object.keys(figures).map((name) => [name, open])))
  const scans = await get<{ content: { id: string; score: number | null; scoreChange: number | null }[] }>(
    '/scans?size=500',
  )
  const listed = scans.content.find(({ id }) => id === scan)!
  expect([listed.score, overview.score]).toEqual([now.score, now.score])
  expect(listed.scoreChange).toBe(overview.change?.score ?? null)
  const rules = (
    await get<{ content: { issues: number; needsReview: number }[] }>(`${path}/violations?size=500`)
  ).content
  expect(rules.reduce((total, rule) => total + rule.issues, 0)).toBe(issuesIn(open))
  await expectChange(scan, now, before, overview)
}

/** The change since the run before: the same sums as of both runs, the same rows as the list has. */
async function expectChange(
  scan: string,
  now: RunSummary,
  before: RunSummary | undefined,
  { change, openIssues }: RunOverview,
): Promise<void> {
  expect(change === null).toBe(before === undefined)
  if (!before) return
  const { byRuleSet } = change!
  expect(change!.previousNumber).toBe(before.number)
  expect(change!.openIssues).toEqual(minus(now.openIssues, before.openIssues))
  const score = now.score === null || before.score === null ? null : now.score - before.score
  if (score === null) expect(change!.score).toBeNull()
  else expect(change!.score).toBeCloseTo(score, 6)
  const count = async (query: string) =>
    issuesIn(countIssues((await issuesOf(scan, `runNumber=${now.number}&${query}`)).content))
  expect({
    new: change!.new + byRuleSet.new,
    back: change!.back,
    still: change!.stillOpen,
    fixed: change!.fixed + byRuleSet.fixed,
  }).toEqual({
    new: await count('status=open&change=new'),
    back: await count('status=open&change=back'),
    still: await count('status=open&change=still'),
    fixed: await count('status=fixed&change=fixed'),
  })
  expect(change!.new + byRuleSet.new + change!.back + change!.stillOpen).toBe(issuesIn(openIssues))
  await expectPageChanges(scan, change!)
  type Compared = { onlyHere: Counts; both: Counts; onlyThere: Counts; score: number | null }
  const compared = await get<Compared>(`/scans/${scan}/runs/${now.number}/compare/${before.number}`)
  expect(sum([compared.onlyHere, compared.both])).toEqual(now.openIssues)
  if (score !== null) expect(compared.score).toBeCloseTo(score, 3)
  type Changes = { total: { new: number; fixed: number; back: number } }
  const { total } = await get<Changes>(`/rollup/changes?scanId=${scan}&days=2`)
  expect(total.new).toBeGreaterThanOrEqual(change!.new)
}

/** The changes of the pages, with the pages that are gone, are the change of their run. */
async function expectPageChanges(scan: string, change: NonNullable<RunOverview['change']>): Promise<void> {
  const tested = async (run?: number) =>
    (await pagesOf(scan, run)).filter(({ status }) => status === 'completed')
  const [now, before] = [await tested(), await tested(change.previousNumber)]
  const added = now.filter((page) => page.change!.isNew)
  const urls = new Set(now.map(({ url }) => url))
  const gone = before.filter(({ url }) => !urls.has(url))
  expect([added.length, gone.length]).toEqual([change.pagesAdded, change.pagesGone])
  const total = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
  expect(
    total(now.map((page) => page.change!.openIssues)) -
      total(gone.map(({ openIssues }) => issuesIn(openIssues))),
  ).toBe(issuesIn(change.openIssues))
  expect(new Set(now.map((page) => page.change!.previousNumber)).size).toBeLessThanOrEqual(1)
}

it(
  'every place that shows a figure shows the same, after each of 240 things that people do',
  { timeout: 600_000 },
  async () => {
    const done = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 8 }), async (actions) => {
        const first = await wholeRun(
          api,
          undefined,
          { a: completed([finding('e0'), finding('e1', kinds[1])]), b: completed([finding('e0')]) },
          `Figures ${randomInt(1e9)}`,
        )
        for (const one of actions) {
          if (await act(first.scanId, one)) done.set(one.kind, (done.get(one.kind) ?? 0) + 1)
          await expectAgreement(first.scanId)
        }
      }),
      { numRuns: 30, endOnFailure: true },
    )
    // Each kind happened, and not to nothing.
    expect(Math.min(...done.values())).toBeGreaterThan(3)
    expect(done.size).toBe(7)
  },
)

it('results of a page that are uploaded to a later run replace what that run has carried over', async () => {
  const { scanId } = await wholeRun(api, undefined, { a: completed([finding('e0')]) }, 'Uploaded twice')
  const send = async (run: number, nodes: number) => {
    const files = [{ text: axeResults('https://example.org/uploaded', nodes) }]
    expect((await uploadTo(api, { token: admin, scan: scanId, run }, files)).status).toBe(200)
  }
  await send(1, 2)
  await wholeRun(api, scanId, { a: completed([finding('e0')]) })
  await send(2, 1)
  const { content } = await issuesOf(scanId, `${everyStatus}&runNumber=2&rule=link-name`)
  expect(content.map(({ selector, change }) => [selector, change])).toEqual([['#up0', 'still']])
  await expectAgreement(scanId)
})
