import type { RunChange, RunComparison, RunStats } from '@clearway/contract/monitor/run/schema.ts'
import { expect } from 'vitest'
import type * as z from 'zod/mini'

type GetBody = <Body>(path: string) => Promise<Body>

/** Asserts that the trend splits the change from its first score to its last one like the comparison of these runs. */
export async function expectTrend(getBody: GetBody, scan: string, runNumber: number): Promise<void> {
  const { trend, scoreByDecisions } = await getBody<RunStats>(`/scans/${scan}/runs/${runNumber}/stats`)
  const scored = trend.filter(({ score }) => score !== null)
  const [first, last] = [scored[0], scored.at(-1)]
  if (!first || !last || first === last) return expect(scoreByDecisions).toBe(0)
  const compared = await getBody<RunComparison>(`/scans/${scan}/runs/${last.number}/compare/${first.number}`)
  expect(scoreByDecisions).toBe(compared.scoreByDecisions ?? 0)
}

/** Asserts that the dashboard includes the changes of the newest run. */
export async function expectDashboard(getBody: GetBody, scan: string, change: z.output<typeof RunChange>): Promise<void> {
  const { total } = await getBody<{ total: { new: number; newlyIgnored: number } }>(`/rollup/changes?scanId=${scan}&days=2`)
  expect(total.new).toBeGreaterThanOrEqual(change.new)
  expect(total.newlyIgnored).toBeGreaterThanOrEqual(change.newlyIgnored)
}
