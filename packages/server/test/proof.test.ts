/** @module-tag slow */
import { exclusionProofs, failureProofs, noticeProofs, type PageProof } from '@clearway/contract/monitor/page/proof/model.ts'
import { hasWall } from '@clearway/contract/monitor/page/wall/model.ts'
import type { ExclusionReason, FailureReason, PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { expect, it } from 'vitest'
import { listUnprovenRuns } from '../src/monitor/issue/lifecycle/service.ts'
import { claimNextRecheck, recordRecheckResult } from '../src/monitor/run/recheck/service.ts'
import { useTestApi } from './api.ts'
import { buildCompleted, buildFailed, buildFinding, buildSeen, recordRun, type TestRun } from './run.ts'

// The table of the contract, row by row: the change of an issue that a run did not find on a page with this outcome.

const api = useTestApi()

const buildNoticed = (notice: PageNotice): PageOutcome => ({ ...buildCompleted(), notices: [notice] }) as PageOutcome
const buildExcluded = (reason: ExclusionReason): PageOutcome => ({ kind: 'excluded', reason, detail: '', durationMs: 1 })
const buildTable = <Reason extends string>(
  proofs: Readonly<Record<Reason, PageProof>>,
  buildOutcome: (reason: Reason) => PageOutcome,
) =>
  (Object.entries(proofs) as [Reason, PageProof][]).map(([reason, proof]) => ({ reason, proof, outcome: buildOutcome(reason) }))
const tables = {
  notice: buildTable<PageNotice>(noticeProofs, buildNoticed),
  failure: buildTable<FailureReason>(failureProofs, buildFailed),
  exclusion: buildTable<ExclusionReason>(exclusionProofs, buildExcluded),
}
const rows = Object.entries(tables).flatMap(([table, reasons]) =>
  reasons.map(({ reason, ...row }) => ({ key: `${table}-${reason}`, ...row })),
)
/** Outcomes that make a run partial: the limit was reached, or the scan was not signed in. */
const notClear = new Set(['exclusion-over-limit', 'notice-asks-for-password', 'failure-session-failed', 'failure-authentication'])
/** Reasons for which the scan skips a URL without a visit. */
const unvisitedReasons = tables.exclusion.map(({ reason }) => reason as ExclusionReason)

const buildWithIssue = (key: string) => buildCompleted([buildFinding(`of-${key}`)])
const buildWithIssues = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, buildWithIssue(key)]))

async function listChanges({ scanId, number }: TestRun): Promise<Record<string, string>> {
  const changes = ['new', 'still', 'back', 'fixed', 'not-rechecked', 'page-gone'].map((change) => `change=${change}`).join('&')
  const { body } = await api.call('GET', `/issues?scanId=${scanId}&runNumber=${number}&${changes}&size=500`)
  const { content } = body as { content: { selector: string; change: string }[] }
  return Object.fromEntries(content.map(({ selector, change }) => [selector.replace(/^img\.of-|\uFFFD/g, ''), change]))
}

/** The change that a proof leads to. */
const toChange = (proof: PageProof, isClear: boolean): string =>
  proof === 'presence-and-absence' || proof === 'presence-and-absence-outside-frames'
    ? 'fixed'
    : proof === 'page-gone' || (proof === 'page-gone-in-clear-run' && isClear)
      ? 'page-gone'
      : 'not-rechecked'

it.each([
  ['met most pages of the previous run', true],
  ['met few of them', false],
])('every outcome proves what the table says, in a run that %s', async (name, isClear) => {
  // A run with walls, without its sign-in, or with URLs beyond its limit is not clear; these are tested in the other one.
  const isClearRow = ({ key, outcome }: (typeof rows)[number]) =>
    !notClear.has(key) && (outcome.kind !== 'completed' || !hasWall(outcome.notices))
  const tested = isClear ? rows.filter(isClearRow) : rows
  const skippedReasons = unvisitedReasons.filter((reason) => !isClear || reason !== 'over-limit')
  const unvisited = Object.fromEntries(skippedReasons.map((reason) => [`skipped-${reason}`, reason]))
  const fillers = Array.from({ length: isClear ? 80 : 0 }, (_, number) => `filler-${number}`)
  const keys = [...tested.map(({ key }) => key), ...Object.keys(unvisited), 'unmet']
  const first = await recordRun(api, undefined, { ...buildWithIssues(keys), ...buildWithIssues(fillers) }, `Proof ${name}`)
  const outcomes = Object.fromEntries(tested.map(({ key, outcome }) => [key, outcome]))
  const second = await recordRun(api, first.scanId, { ...outcomes, ...buildWithIssues(fillers) }, undefined, {
    excluded: unvisited,
  })
  // A visited URL was excluded because of the site's answer, which only a clear run believes.
  const believe = (key: string, proof: PageProof): PageProof =>
    key.startsWith('exclusion-') && proof === 'page-gone' ? 'page-gone-in-clear-run' : proof
  expect(await listChanges(second)).toEqual({
    ...Object.fromEntries(tested.map(({ key, proof }) => [key, toChange(believe(key, proof), isClear)])),
    ...Object.fromEntries(Object.entries(unvisited).map(([key, reason]) => [key, toChange(exclusionProofs[reason], isClear)])),
    ...Object.fromEntries(fillers.map((key) => [key, 'still'])),
    unmet: isClear ? 'page-gone' : 'not-rechecked',
  })
})

it('a re-check of one page proves the same', async () => {
  const notices = Object.entries(noticeProofs) as [PageNotice, PageProof][]
  const run = await recordRun(api, undefined, buildWithIssues(notices.map(([notice]) => notice)), 'Rechecked proof')
  const admin = await api.token('admin', ['access', 'admin'])
  const { content } = (await api.call('GET', `/pages?scanId=${run.scanId}&size=100`, { token: admin })).body as {
    content: { id: string; url: string }[]
  }
  const fixedCounts: Record<string, unknown> = {}
  for (const { id, url } of content) {
    const notice = url.split('/').at(-1) as PageNotice
    await api.call('POST', `/pages/${id}/recheck`, { token: admin })
    const deps = { ...api, log: () => undefined }
    await recordRecheckResult(deps, (await claimNextRecheck(deps))!, buildNoticed(notice))
    const { body } = await api.call('GET', `/pages/${id}/recheck`, { token: admin })
    fixedCounts[notice] = (body as { issues: { fixed: number } }).issues.fixed
  }
  expect(fixedCounts).toEqual(
    Object.fromEntries(notices.map(([notice, proof]) => [notice, toChange(proof, true) === 'fixed' ? 1 : 0])),
  )
})

it('a frame that was not tested leaves the issues inside it, in a run and in a re-check', async () => {
  const around = buildFinding('around')
  const inside = buildFinding('inside', { elementKey: 'main > iframe >> body > img' })
  const run = await recordRun(api, undefined, { framed: buildCompleted([around, inside]) }, 'Framed')
  const second = await recordRun(api, run.scanId, { framed: buildNoticed('frame-not-tested') })
  expect(await listChanges(second)).toEqual({ 'img.around': 'fixed', 'img.inside': 'not-rechecked' })
  expect(await listUnprovenRuns(api)).toEqual([])
})

it('lists runs of the past whose fixed issues had no proof', async () => {
  const { scanId } = await recordRun(api, undefined, buildWithIssues(['past', 'proven']), 'Unproven')
  const second = await recordRun(api, scanId, { past: buildCompleted(), proven: buildCompleted() })
  const listOwn = async () => (await listUnprovenRuns(api)).filter(({ scan }) => scan === 'Unproven')
  expect(await listOwn()).toEqual([])
  await api.db
    .updateTable('run_page')
    .set({ notices: ['did-not-settle'] })
    .where('id', 'in', (page) =>
      page.selectFrom('page').select('id').where('run_id', '=', second.id).where('url', '=', 'https://example.org/past'),
    )
    .execute()
  expect(await listOwn()).toEqual([{ scan: 'Unproven', number: 2, issues: 1, pages: 1, firstUrl: 'https://example.org/past' }])
})

it('states of a script that failed are not gone', async () => {
  const buildStates = (outcome: PageOutcome, states: readonly string[]) => ({
    outcome,
    states: states.map((label) => ({
      url: 'https://example.org/steps',
      key: `steps state ${label}`,
      label,
      outcome: buildWithIssue(label),
    })),
  })
  const complete = buildExcluded('not-a-page')
  const first = await recordRun(api, undefined, { fine: buildCompleted() }, 'Script proof', {
    scripts: { 'script:steps': buildStates(complete, ['open', 'closed', 'last']) },
  })
  const failed = await recordRun(api, first.scanId, { fine: buildCompleted() }, undefined, {
    scripts: { 'script:steps': buildStates(buildFailed('task-not-processed'), ['open']) },
  })
  expect(await listChanges(failed)).toEqual({ open: 'still', closed: 'not-rechecked', last: 'not-rechecked' })
  const ran = await recordRun(api, first.scanId, { fine: buildCompleted() }, undefined, {
    scripts: { 'script:steps': buildStates(complete, ['open', 'closed']) },
  })
  expect(await listChanges(ran)).toEqual({ open: 'still', closed: 'still', last: 'page-gone' })
})

it('most issues that disappear at once stay open until the next run shows the same', async () => {
  const keys = Array.from({ length: 12 }, (_, number) => `mass-${number}`)
  const buildPages = (build: (key: string) => PageOutcome) => Object.fromEntries(keys.map((key) => [key, build(key)]))
  const readOverview = async ({ scanId, number }: TestRun) =>
    (await api.call('GET', `/scans/${scanId}/runs/${number}/overview`)).body as object
  const countByChange = async (run: TestRun) =>
    Object.fromEntries(
      [...Map.groupBy(Object.values(await listChanges(run)), (change) => change)].map(([change, { length }]) => [change, length]),
    )
  const withIssues = (firstWord: number) => buildPages((key) => buildSeen(firstWord, [buildFinding(`of-${key}`)]))
  const withoutIssues = (firstWord: number) => buildPages(() => buildSeen(firstWord))

  const { scanId } = await recordRun(api, undefined, withIssues(1), 'Mass')
  const replaced = await recordRun(api, scanId, withoutIssues(1000))
  expect(await countByChange(replaced)).toEqual({ 'not-rechecked': 12 })
  expect(await readOverview(replaced)).toMatchObject({
    openIssues: { critical: 0 },
    unconfirmed: { issues: 12, sinceUrl: 'https://example.org/mass-0' },
    change: { fixed: 0, notRechecked: 12 },
    score: null,
    partial: false,
    problem: null,
    pages: { completed: 12, walled: 12 },
  })
  const confirmed = await recordRun(api, scanId, withoutIssues(1000))
  expect(await countByChange(confirmed)).toEqual({ fixed: 12 })
  expect(await readOverview(confirmed)).toMatchObject({
    unconfirmed: null,
    change: { fixed: 12 },
    score: 1,
    partial: false,
    problem: null,
    pages: { walled: 0 },
  })

  // The same pages with another template: the words are still there, so the issues are fixed.
  const other = await recordRun(api, undefined, withIssues(1), 'Mass fixed')
  const repaired = await recordRun(api, other.scanId, withoutIssues(11))
  expect(await countByChange(repaired)).toEqual({ fixed: 12 })
})
