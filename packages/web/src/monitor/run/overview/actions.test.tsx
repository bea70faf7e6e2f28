import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { ToastProvider } from '../../../kit/dialog/toast.tsx'
import { type Session, SessionContext } from '../../user/model.ts'
import { RunActions } from './actions.tsx'

const scanId = '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111' as ScanId
const createRun = (number: number) => ({
  id: `run-${number}`,
  number,
  status: 'completed',
  queuedAt: '2026-03-10T06:00:00Z',
  endedAt: '2026-03-10T07:00:00Z',
  score: 0.5,
  openIssues: { critical: 0 },
  pages: { overLimit: 0 },
})
/** Shows the actions of the newest of `runCount` runs. */
async function showActions(runCount: number): Promise<void> {
  const runs = Array.from({ length: runCount }, (_, i) => createRun(runCount - i))
  const session = {
    api: {
      listRuns: ({ query: { page: pageIndex = 0, size } }: { query: { page?: number; size: number } }) =>
        Promise.resolve({
          content: runs.slice(pageIndex * size, (pageIndex + 1) * size),
          page: { totalElements: runs.length, totalPages: Math.ceil(runs.length / size) },
        }),
    },
    config: { axeReportsUrl: null },
    permissions: { canCreateScans: false },
  } as unknown as Session
  const scan = { id: scanId, name: 'Shop', rights: {}, lastRun: runs[0], openIssues: null } as unknown as ScanSummary
  const component = () => <RunActions scan={scan} currentRun={runCount} />
  const router = createRouter({ routeTree: createRootRoute({ component }), history: createMemoryHistory() })
  await renderInPage(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={session}>
        <ToastProvider>
          <RouterProvider router={router as never} />
        </ToastProvider>
      </SessionContext>
    </QueryClientProvider>,
  )
}
const openMenu = (runNumber: number) => page.getByRole('button', { name: new RegExp(`Run ${runNumber}, Mar 10, 2026`) }).click()

it('leads from the menu of the newest runs to all runs', async () => {
  await showActions(30)
  await openMenu(30)
  await expect.element(page.getByRole('menuitemradio', { name: /^Run 6,/ })).toBeInTheDocument()
  await expect.element(page.getByRole('menuitemradio', { name: /^Run 5,/ })).not.toBeInTheDocument()
  await page.getByRole('menuitem', { name: 'All runs…' }).click()
  await expect
    .element(page.getByRole('dialog', { name: 'All runs' }).getByRole('link', { name: 'Run 5', exact: true }))
    .toBeVisible()
})

it('lists all runs in the menu if it has room for them', async () => {
  await showActions(25)
  await openMenu(25)
  await expect.element(page.getByRole('menuitemradio', { name: /^Run 1,/ })).toBeInTheDocument()
  await expect.element(page.getByRole('menuitem', { name: 'All runs…' })).not.toBeInTheDocument()
})
