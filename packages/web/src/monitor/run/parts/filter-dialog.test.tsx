import type { ScanId } from '@clearway/contract/kit/id.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, renderPart } from '../../../../test/show.tsx'
import type { MonitorApi } from '../../user/model.ts'
import { RunFilterDialog } from './filter-dialog.tsx'

const scanId = '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111' as ScanId
const runs = Array.from({ length: 620 }, (_, i) => ({ number: 620 - i, endedAt: '2026-03-10T06:00:00Z', queuedAt: '' }))
const api = {
  listScanNames: () => Promise.resolve([{ id: scanId, name: 'Shop' }]),
  listRuns: ({ query }: { query: { page: number; size: number } }) =>
    Promise.resolve({
      content: runs.slice(query.page * query.size, (query.page + 1) * query.size),
      page: { totalPages: Math.ceil(runs.length / query.size) },
    }),
} as unknown as MonitorApi
const openDialog = async (run: number | undefined) => {
  const applied: unknown[] = []
  await renderPart(
    () => <RunFilterDialog scanId={[scanId]} run={run} onApply={(next) => applied.push(next)} onClose={() => undefined} />,
    api,
    320,
  )
  return applied
}
const search = page.getByRole('searchbox', { name: 'Find in: Run' })
const apply = () => page.getByRole('button', { name: 'Apply' }).click()

it('finds each of more than 600 runs, and the latest one again', async () => {
  const applied = await openDialog(undefined)
  await expect.element(page.getByRole('radio', { name: 'latest run' })).toBeChecked()
  // Also a part of the date and year of each run.
  for (const [typed, found] of [
    ['20', 20],
    ['run 2', 2],
    ['7', 7],
  ] as const) {
    await search.fill(typed)
    await expect.element(page.getByRole('radio').first()).toHaveAccessibleName(new RegExp(`^Run ${found}, Mar 10, 2026`))
  }
  await page.getByRole('radio').first().click()
  await apply()
  await search.fill('latest')
  await page.getByRole('radio', { name: 'latest run' }).click()
  await apply()
  expect(applied).toEqual([
    { scanId: [scanId], run: 7 },
    { scanId: [scanId], run: undefined },
  ])
})

it('shows the chosen run before newer ones, and says how many are not listed', async () => {
  await openDialog(7)
  await expect.element(page.getByRole('radio', { name: /^Run 7,/ })).toBeChecked()
  await expect.element(page.getByText('521 more. Search to find them.')).toBeVisible()
  await search.fill('run 620')
  await expect.element(page.getByText(/^\d+ more/)).not.toBeInTheDocument()
  await expectAccessible()
})
