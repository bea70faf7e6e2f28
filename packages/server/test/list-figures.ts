import type { IssueGroup, IssueList } from '@clearway/contract/monitor/issue/schema.ts'
import type { RunChange, RunComparison, RunStats, RunSummary } from '@clearway/contract/monitor/run/schema.ts'
import { expect } from 'vitest'
import type * as z from 'zod/mini'

type GetBody = <Body>(path: string) => Promise<Body>
type ComputeDecisions = (scan: string, newer: RunSummary, older: RunSummary) => Promise<{ score: unknown }>

/** The parts of the trend, which the comparison of its ends gives: with the decisions of the newer run on both of them. */
export async function expectTrendParts(getBody: GetBody, scan: string, computeDecisions: ComputeDecisions): Promise<void> {
  const { trend } = await getBody<RunStats>(`/scans/${scan}/trend`)
  const scoredNumbers = trend.filter(({ score }) => score !== null).map(({ number }) => number)
  const [first, last] = [scoredNumbers[0], scoredNumbers.at(-1)]
  if (first === last) return
  const compared = await getBody<RunComparison>(`/scans/${scan}/runs/${last}/compare/${first}`)
  expect(compared.scoreByDecisions).toEqual((await computeDecisions(scan, compared.run, compared.other)).score)
  expect(compared.score! + compared.scoreByDecisions!).toBeCloseTo(compared.run.score! - compared.other.score!, 3)
}

/** A row of the grouped list stands for a number of issues; these add up, whatever is ignored elsewhere. */
export async function expectGroupedRows(getBody: GetBody, scan: string, { number, openIssues }: RunSummary): Promise<void> {
  for (const status of ['open', 'ignored', 'fixed'] as const) {
    const path = `/issues?scanId=${scan}&runNumber=${number}&status=${status}&size=500`
    const { content: rows } = await getBody<IssueList>(`${path}&grouped=true`)
    const { content: issues } = await getBody<IssueList>(path)
    const rowSum = rows.reduce((total, row) => total + row.issues, 0)
    expect([status, rowSum]).toEqual([status, issues.length])
    for (const row of rows) {
      const alike = issues.filter(({ templateId }) => templateId === row.templateId)
      expect([row.issues, row.pages]).toEqual([alike.length, new Set(alike.map(({ pageId }) => pageId)).size])
    }
    const openSum = Object.values(openIssues).reduce((total, count) => total + count, 0)
    if (status === 'open') expect(rowSum).toBe(openSum)
  }
}

/** Groups count issues and results to review apart; the sums are those of the run. */
export async function expectGroups(getBody: GetBody, scan: string, { number, openIssues }: RunSummary): Promise<void> {
  const issueCount = openIssues.critical + openIssues.serious + openIssues.moderate + openIssues.minor
  for (const by of ['rule', 'page', 'component', 'template']) {
    const { content: groups } = await getBody<{ content: IssueGroup[] }>(
      `/issues/groups?by=${by}&scanId=${scan}&runNumber=${number}&status=open&size=500`,
    )
    const sums = [groups.map(({ issues }) => issues), groups.map(({ needsReview }) => needsReview)].map((counts) =>
      counts.reduce((total, current) => total + current, 0),
    )
    expect([by, ...sums]).toEqual([by, issueCount, openIssues.needsReview])
  }
  const { content: starts } = await getBody<{ content: { issues: number }[] }>(
    `/scans/${scan}/runs/${number}/violations?size=500&withIssues=true`,
  )
  expect(starts.filter(({ issues }) => issues === 0)).toEqual([])
}
/** Asserts that the dashboard includes the changes of the newest run. */
export async function expectDashboard(getBody: GetBody, scan: string, change: z.output<typeof RunChange>): Promise<void> {
  const { total } = await getBody<{ total: { new: number; newlyIgnored: number } }>(`/rollup/changes?scanId=${scan}&days=2`)
  expect(total.new).toBeGreaterThanOrEqual(change.new)
  expect(total.newlyIgnored).toBeGreaterThanOrEqual(change.newlyIgnored)
}
