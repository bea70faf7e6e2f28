/** @module-tag slow */
import { randomInt } from 'node:crypto'
import type { IssueList, IssueSummary } from '@clearway/contract/monitor/issue/schema.ts'
import { computeHealth, healthScores } from '@clearway/contract/monitor/page/model.ts'
import type { PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import type { ComparedIssue, RunComparison, RunOverview, RunStats, RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { recordRecheckResult, claimNextRecheck, type RecheckResult } from '../src/monitor/run/recheck/service.ts'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFailed, buildFinding, recordRun } from './run.ts'
import { buildAxeResults, uploadTo } from './upload.ts'
import { expectDashboard, expectGroupedRows, expectGroups, expectTrendParts } from './list-figures.ts'
import { expectListedCounts } from './listed-counts.ts'
import { expectRuleCounts } from './rule-counts.ts'

// Every figure shown on more than one screen, export or call must be equal everywhere, after any action.
const api = useTestApi()
let admin: string
beforeAll(async () => {
  admin = await api.token('figures', ['access', 'admin'])
})

async function callApi<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const reply = await api.call(method, path, { token: admin, ...(body !== undefined && { body }) })
  if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}
/** Replies while figures are compared, which changes nothing; null at other times. Many figures come from the same call. */
let knownReplies: Map<string, Promise<unknown>> | null = null
function getBody<T>(path: string): Promise<T> {
  const reply = knownReplies?.get(path) ?? callApi<T>('GET', path)
  knownReplies?.set(path, reply)
  return reply as Promise<T>
}

const pageKeys = ['a', 'b', 'c', 'd']
const kinds = [
  { rule: 'image-alt', severity: 'critical', impact: 'critical' },
  { rule: 'label', severity: 'serious', impact: 'serious' },
  { rule: 'region', severity: 'moderate', impact: 'moderate' },
  { rule: 'tabindex', severity: 'minor', impact: 'minor' },
  { rule: 'color-contrast', severity: 'needs review', impact: 'serious' },
] as const

/** State of a page in a run: absent, failed, or with some of the violations. */
const pageOutcome = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant('failed' as const) },
  { weight: 6, arbitrary: fc.uniqueArray(fc.nat(9), { maxLength: 6 }) },
)
const toOutcome = (page: number[] | 'failed'): PageOutcome => {
  if (page === 'failed') return buildFailed('http-404')
  return buildCompleted(
    page.map((number) => buildFinding(`e${number}`, kinds[number % kinds.length]!)),
    `<p>${page.join()}</p>`,
  )
}

const action = fc.oneof(
  fc.record({ kind: fc.constant('run' as const), pages: fc.tuple(pageOutcome, pageOutcome, pageOutcome, pageOutcome) }),
  fc.record({
    kind: fc.constant('status' as const),
    at: fc.nat(50),
    status: fc.constantFrom('open', 'fixed', 'ignored'),
    scope: fc.constantFrom('issue', 'group', 'rule-on-page', 'rule'),
  }),
  fc.record({ kind: fc.constant('mark' as const), at: fc.nat(50), isIssue: fc.boolean() }),
  fc.record({
    kind: fc.constant('bulk' as const),
    severities: fc.uniqueArray(fc.constantFrom('critical', 'serious', 'moderate', 'minor', 'needs review'), { minLength: 1 }),
    fields: fc.constantFrom<object>(
      { status: 'ignored', ignore: { scope: 'rule', reason: 'Accepted' } },
      ...['ignored', 'open', 'fixed'].map((status) => ({ status })),
      ...[true, false].map((markAsIssue) => ({ markAsIssue })),
      ...['issue', 'not-issue', 'unsure', null].map((answer) => ({ review: { answer } })),
    ),
    isUndone: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('delete issue' as const), at: fc.nat(50) }),
  fc.record({ kind: fc.constant('delete page' as const), at: fc.nat(50) }),
  fc.record({ kind: fc.constant('re-check' as const), at: fc.nat(50), found: fc.uniqueArray(fc.nat(9), { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('upload' as const), nodes: fc.integer({ min: 1, max: 3 }), page: fc.nat(2) }),
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never
const everyStatus = 'status=open&status=fixed&status=ignored&status=none'
const fetchIssues = (scan: string, query = everyStatus) => getBody<IssueList>(`/issues?scanId=${scan}&size=500&${query}`)
const fetchPages = async (scan: string, run?: number) =>
  (await getBody<{ content: PageSummary[] }>(`/pages?scanId=${scan}&size=500${run ? `&runNumber=${run}` : ''}`)).content

/** Performs an action. @returns false if there was nothing to act on */
async function performAction(scan: string, userAction: Action): Promise<boolean> {
  if (userAction.kind === 'run') {
    const pages = Object.fromEntries(
      pageKeys.flatMap((key, index) => {
        const page = userAction.pages[index]!
        return page === null ? [] : [[key, toOutcome(page)]]
      }),
    )
    // A run without pages fails; that is a separate test.
    await recordRun(api, scan, Object.keys(pages).length > 0 ? pages : { a: buildCompleted([]) })
    return true
  }
  const run = (await getBody<{ content: RunSummary[] }>(`/scans/${scan}/runs?size=1`)).content[0]!
  const pickItem = <T>(candidates: readonly T[], position: number): T | undefined =>
    candidates[position % Math.max(1, candidates.length)]
  if (userAction.kind === 'upload') {
    const uploadText = buildAxeResults(`https://example.org/uploaded-${userAction.page}`, userAction.nodes)
    if (run.status !== 'completed') return false
    const reply = await uploadTo(api, { token: admin, scan, run: run.number }, [{ text: uploadText }])
    expect([reply.status, reply.body]).toMatchObject([200, expect.anything()])
    return true
  }
  if (userAction.kind === 'delete page' || userAction.kind === 're-check') {
    const page = pickItem(await fetchPages(scan), userAction.at)
    if (!page) return false
    if (userAction.kind === 'delete page') {
      await callApi('DELETE', `/pages/${page.id}`)
      return true
    }
    const recheckReply = await api.call('POST', `/pages/${page.id}/recheck`, { token: admin })
    if (recheckReply.status !== 202) return false
    const deps = { ...api, log: () => undefined }
    const claim = await claimNextRecheck(deps)
    await recordRecheckResult(deps, claim!, toOutcome(userAction.found) as RecheckResult)
    return true
  }
  if (userAction.kind === 'bulk') {
    const { undo, changed } = await callApi<{ undo: string; changed: number }>('PATCH', '/bulk/issues', {
      filters: { scanId: [scan], severity: userAction.severities },
      selected: { selectAllMode: true, deselectedIssues: [] },
      fieldsToUpdate: userAction.fields,
    })
    if (userAction.isUndone && changed > 0) await callApi('POST', '/bulk/issues/undo', { undo })
    return changed > 0
  }
  const issue = pickItem((await fetchIssues(scan)).content, userAction.at)
  if (!issue) return false
  if (userAction.kind === 'delete issue') await callApi('DELETE', `/issues/${issue.id}`)
  else {
    const fields =
      userAction.kind === 'mark'
        ? { markAsIssue: userAction.isIssue }
        : userAction.status === 'ignored'
          ? { status: 'ignored', ignore: { scope: userAction.scope, reason: '' } }
          : { status: userAction.status }
    await callApi('PATCH', `/issues/${issue.id}`, { fieldsToUpdate: fields })
  }
  return true
}

type Counts = RunSummary['openIssues']
const severityKeys = ['critical', 'serious', 'moderate', 'minor', 'needsReview'] as const
const sumCounts = (counts: readonly Counts[]): Counts =>
  Object.fromEntries(severityKeys.map((key) => [key, counts.reduce((total, current) => total + current[key], 0)])) as Counts
const subtractCounts = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(severityKeys.map((key) => [key, a[key] - b[key]])) as Counts
const countIssues = (issues: readonly Pick<IssueSummary, 'severity'>[]): Counts =>
  Object.fromEntries(
    severityKeys.map((key) => [
      key,
      issues.filter(({ severity }) => severity === (key === 'needsReview' ? 'needs review' : key)).length,
    ]),
  ) as Counts
const countAll = (counts: Counts) => counts.critical + counts.serious + counts.moderate + counts.minor

async function expectAgreement(scan: string): Promise<void> {
  knownReplies = new Map()
  await expectEqualFigures(scan).finally(() => (knownReplies = null))
}

/** Compares every figure of the newest completed run, from each place that shows it. */
async function expectEqualFigures(scan: string): Promise<void> {
  const runs = (await getBody<{ content: RunSummary[] }>(`/scans/${scan}/runs?size=100`)).content
  const [newestRun, previousRun] = runs.filter(({ status }) => status === 'completed')
  if (!newestRun) return
  const path = `/scans/${scan}/runs/${newestRun.number}`
  const overview = await getBody<RunOverview>(`${path}/overview`)
  const issueList = await fetchIssues(scan, `status=open&runNumber=${newestRun.number}`)
  const pages = await fetchPages(scan, newestRun.number)
  const openCounts = countIssues(issueList.content)
  const figures = {
    overview: overview.openIssues,
    runs: newestRun.openIssues,
    'issues by status': (await getBody<{ openIssues: Counts }>(`${path}/overview/issues`)).openIssues,
    'filters of the list': issueList.severities,
    'issues by source': sumCounts([
      (await fetchIssues(scan, `status=open&source=automated&runNumber=${newestRun.number}`)).severities,
      (await fetchIssues(scan, `status=open&source=uploaded&runNumber=${newestRun.number}`)).severities,
    ]),
    pages: sumCounts(pages.map(({ openIssues }) => openIssues)),
    'trend of the run': (await getBody<RunStats>(`${path}/stats`)).trend.at(-1)!.openIssues,
    'trend of the scan': (await getBody<RunStats>(`/scans/${scan}/trend`)).trend.at(-1)!.openIssues,
    dashboard: (await getBody<{ points: { openIssues: Counts }[] }>(`/rollup/trend?scanId=${scan}&by=day&days=2`)).points.at(-1)!
      .openIssues,
    export: countIssues(
      (
        await callApi<{ issues: Pick<IssueSummary, 'severity'>[] }>('POST', '/bulk/issues/export/json', {
          filters: { scanId: [scan], status: ['open'], runNumber: newestRun.number },
          selected: { selectAllMode: true, deselectedIssues: [] },
        })
      ).issues,
    ),
  }
  expect(figures).toEqual(Object.fromEntries(Object.keys(figures).map((name) => [name, openCounts])))
  const scans = await getBody<{
    content: Pick<ScanSummary, 'id' | 'score' | 'scoreChange' | 'scoreChangeByDecisions' | 'ignoredIssues'>[]
  }>('/scans?size=500')
  const listed = scans.content.find(({ id }) => id === scan)!
  expect([listed.score, overview.score]).toEqual([newestRun.score, newestRun.score])
  expect([listed.scoreChange, listed.scoreChangeByDecisions]).toEqual([
    overview.change?.score ?? null,
    overview.change?.byDecisions.score ?? null,
  ])
  const allIssues = (await fetchIssues(scan, `${everyStatus}&runNumber=${newestRun.number}`)).content
  const presentIssues = allIssues.filter(({ change }) => isPresent(change))
  const ignoredCount = countAll(countIssues(presentIssues.filter(({ status }) => status === 'ignored')))
  expect([
    newestRun.ignoredIssues,
    overview.ignoredIssues,
    listed.ignoredIssues,
    overview.change?.ignored ?? ignoredCount,
  ]).toEqual(Array(4).fill(ignoredCount))
  const rules = (await getBody<{ content: { issues: number; needsReview: number }[] }>(`${path}/violations?size=500`)).content
  expect(rules.reduce((total, rule) => total + rule.issues, 0)).toBe(countAll(openCounts))
  const offeredPath = `/violations?scanId=${scan}&runNumber=${newestRun.number}&size=500`
  const offered = (await getBody<{ content: { rule: string; issues: number }[] }>(offeredPath)).content
  expect(new Map(offered.map(({ rule, issues }) => [rule, issues]))).toEqual(
    new Map([...Map.groupBy(presentIssues, ({ rule }) => rule)].map(([rule, issues]) => [rule, issues.length])),
  )
  await expectGroups(getBody, scan, newestRun)
  await expectGroupedRows(getBody, scan, newestRun)
  await expectRuleCounts(getBody, { scan, run: newestRun.number }, issueList.content)
  await expectChange(scan, newestRun, previousRun, overview)
}

/** Compares the change since the previous run: equal sums as of both runs, equal rows as in the list. */
async function expectChange(
  scan: string,
  newestRun: RunSummary,
  previousRun: RunSummary | undefined,
  { change, openIssues }: RunOverview,
): Promise<void> {
  expect(change === null).toBe(previousRun === undefined)
  if (!previousRun) return
  const { byRuleSet } = change!
  expect(change!.previousNumber).toBe(previousRun.number)
  expect(change!.openIssues).toEqual(subtractCounts(newestRun.openIssues, previousRun.openIssues))
  const score = newestRun.score === null || previousRun.score === null ? null : newestRun.score - previousRun.score
  if (score === null) expect([change!.score, change!.byDecisions.score]).toEqual([null, null])
  else expect(change!.score! + change!.byDecisions.score!).toBeCloseTo(score, 3)
  expect(change!.byDecisions).toEqual(await computeDecisions(scan, newestRun, previousRun))
  const countChanges = async (query: string) =>
    countAll(countIssues((await fetchIssues(scan, `runNumber=${newestRun.number}&${query}`)).content))
  expect({
    new: change!.new + byRuleSet.new,
    back: change!.back,
    still: change!.stillOpen,
    fixed: change!.fixed + byRuleSet.fixed,
    notRechecked: change!.notRechecked,
    issuesGone: change!.issuesGone,
  }).toEqual({
    new: await countChanges('status=open&change=new'),
    back: await countChanges('status=open&change=back'),
    still: await countChanges('status=open&change=still'),
    fixed: await countChanges('status=fixed&change=fixed'),
    notRechecked: await countChanges('status=open&change=not-rechecked'),
    issuesGone: await countChanges('status=open&change=page-gone'),
  })
  expect(change!.new + byRuleSet.new + change!.back + change!.stillOpen).toBe(countAll(openIssues))
  await expectPageChanges(scan, change!)
  await expectComparison(scan, newestRun, previousRun, change!)
  await expectTrendParts(getBody, scan, computeDecisions)
  await expectDashboard(getBody, scan, change!)
}

/** A comparison in both directions, and its lists. */
async function expectComparison(
  scan: string,
  newestRun: RunSummary,
  previousRun: RunSummary,
  change: NonNullable<RunOverview['change']>,
): Promise<void> {
  for (const [run, other] of [
    [newestRun, previousRun],
    [previousRun, newestRun],
  ] as const) {
    const path = `/scans/${scan}/runs/${run.number}/compare/${other.number}`
    const compared = await getBody<RunComparison>(path)
    expect(sumCounts([compared.onlyHere, compared.both, compared.ignored.onlyHere])).toEqual(run.openIssues)
    const sign = run === newestRun ? 1 : -1
    if (change.score === null) expect([compared.score, compared.scoreByDecisions]).toEqual([null, null])
    else {
      expect(compared.score).toBeCloseTo(sign * change.score, 3)
      expect(compared.scoreByDecisions).toBeCloseTo(sign * change.byDecisions.score!, 3)
    }
    for (const side of ['onlyHere', 'both', 'onlyThere', 'ignored'] as const) {
      const issues = await getBody<{ content: ComparedIssue[] }>(`${path}/issues?side=${side}&size=500`)
      expect([side, issues.content.length]).toEqual([side, compared.rules.reduce((total, rule) => total + rule[side], 0)])
    }
  }
}

const isPresent = (change: IssueSummary['change']) => ['new', 'still', 'back'].includes(change!)

/** The part of a change that decisions caused, computed from the lists of both runs. */
async function computeDecisions(scan: string, newestRun: RunSummary, previousRun: RunSummary) {
  const listPresent = async (run: number) =>
    (await fetchIssues(scan, `${everyStatus}&runNumber=${run}`)).content.filter(({ change }) => isPresent(change))
  const newestById = new Map((await listPresent(newestRun.number)).map((issue) => [issue.id, issue]))
  const previousIssues = await listPresent(previousRun.number)
  const decidedIssues = previousIssues.map((issue) => {
    const newest = newestById.get(issue.id)
    if (!newest) return issue
    const becameIssue = issue.severity === 'needs review' && newest.markedAsIssue
    const severity = newest.severity === 'needs review' || becameIssue ? newest.severity : issue.severity
    return { ...issue, status: newest.status, severity }
  })
  const listOpen = (issues: readonly IssueSummary[]) => issues.filter(({ status }) => status === 'open')
  const scoredPages = (await fetchPages(scan, previousRun.number)).filter(({ health }) => health !== null)
  const computeRunScore = (issues: readonly IssueSummary[]) =>
    scoredPages.reduce(
      (total, { id }) =>
        total + healthScores[computeHealth(issues.filter(({ pageId }) => pageId === id).map(({ severity }) => severity))],
      0,
    ) / scoredPages.length
  const isScored = newestRun.score !== null && previousRun.score !== null
  const score = computeRunScore(listOpen(decidedIssues)) - computeRunScore(listOpen(previousIssues))
  return {
    score: isScored ? expect.closeTo(score, 3) : null,
    openIssues: subtractCounts(countIssues(listOpen(decidedIssues)), countIssues(listOpen(previousIssues))),
  }
}

/** The changes of the pages, including removed pages, sum up to the change of their run. */
async function expectPageChanges(scan: string, change: NonNullable<RunOverview['change']>): Promise<void> {
  const listTestedPages = async (run?: number) => (await fetchPages(scan, run)).filter(({ status }) => status === 'completed')
  const [newestPages, previousPages] = [await listTestedPages(), await listTestedPages(change.previousNumber)]
  const added = newestPages.filter((page) => page.change!.isNew)
  const removedPages = previousPages.filter(({ url }) => !newestPages.some((page) => page.url === url))
  expect([added.length, removedPages.length]).toEqual([change.pagesAdded, change.pagesGone])
  const sumNumbers = (counts: readonly number[]) => counts.reduce((subtotal, current) => subtotal + current, 0)
  expect(
    sumNumbers(newestPages.map((page) => page.change!.openIssues)) -
      sumNumbers(removedPages.map(({ openIssues }) => countAll(openIssues))),
  ).toBe(countAll(change.openIssues))
  expect(new Set(newestPages.map((page) => page.change!.previousNumber)).size).toBeLessThanOrEqual(1)
}

/** `FIGURE_SEQUENCES=500` tries more of them. */
const sequenceCount = Number(process.env.FIGURE_SEQUENCES ?? 30)

it(
  'every place shows the same figure, after each of 240 user actions',
  { timeout: 600_000 + sequenceCount * 40_000 },
  async () => {
    const actionCounts = new Map<string, number>()
    let sequences = 0
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 8 }), async (actions) => {
        // Tokens expire after ten minutes.
        admin = await api.token('figures', ['access', 'admin'])
        const firstRun = await recordRun(
          api,
          undefined,
          { a: buildCompleted([buildFinding('e0'), buildFinding('e1', kinds[1])]), b: buildCompleted([buildFinding('e0')]) },
          `Figures ${randomInt(1e9)}`,
        )
        for (const nextAction of actions) {
          if (await performAction(firstRun.scanId, nextAction))
            actionCounts.set(nextAction.kind, (actionCounts.get(nextAction.kind) ?? 0) + 1)
          await expectAgreement(firstRun.scanId)
        }
        if (sequences++ % 3 === 0) await expectListedCounts(api, (path) => callApi('GET', path), firstRun.scanId)
      }),
      { numRuns: sequenceCount, endOnFailure: true },
    )
    // Each kind of action happened, and had an effect.
    expect(Math.min(...actionCounts.values())).toBeGreaterThan(3)
    expect(actionCounts.size).toBe(8)
  },
)

it('uploaded results of a page replace the results that a later run has carried over', async () => {
  const { scanId } = await recordRun(api, undefined, { a: buildCompleted([buildFinding('e0')]) }, 'Uploaded twice')
  const uploadResults = async (run: number, nodes: number) => {
    const files = [{ text: buildAxeResults('https://example.org/uploaded', nodes) }]
    expect((await uploadTo(api, { token: admin, scan: scanId, run }, files)).status).toBe(200)
  }
  await uploadResults(1, 2)
  await recordRun(api, scanId, { a: buildCompleted([buildFinding('e0')]) })
  await uploadResults(2, 1)
  const { content } = await fetchIssues(scanId, `${everyStatus}&runNumber=2&rule=link-name`)
  expect(content.map(({ selector, change }) => [selector, change])).toEqual([['#up0', 'still']])
  await expectAgreement(scanId)
})
