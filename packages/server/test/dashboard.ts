import type { RunChange } from '@clearway/contract/monitor/run/schema.ts'
import { expect } from 'vitest'
import type * as z from 'zod/mini'

type GetBody = <Body>(path: string) => Promise<Body>

/** Asserts that the dashboard includes the changes of the newest run. */
export async function expectDashboard(getBody: GetBody, scan: string, change: z.output<typeof RunChange>): Promise<void> {
  const { total } = await getBody<{ total: { new: number; newlyIgnored: number } }>(`/rollup/changes?scanId=${scan}&days=2`)
  expect(total.new).toBeGreaterThanOrEqual(change.new)
  expect(total.newlyIgnored).toBeGreaterThanOrEqual(change.newlyIgnored)
}
