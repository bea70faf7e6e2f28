import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { type Session, SessionContext } from '../../user/model.ts'
import { type IssueSearch, issueSearchDefaults } from '../model.ts'
import { IssueMoreFilters } from './more-filters.tsx'

const session = {
  api: {
    listViolations: () => Promise.resolve({ content: [], page: { totalPages: 1 } }),
    listTags: () =>
      Promise.resolve({
        content: [
          { tag: 'Footer', kind: 'component' },
          { tag: 'Header', kind: 'component' },
          { tag: 'Footer', kind: 'label' },
        ],
      }),
    usersOfSelectedIssues: () => Promise.resolve({ content: [] }),
  },
  permissions: { isGuest: false },
} as unknown as Session

it('filters by a common component, apart from a label of the same name', async () => {
  const appliedFilters: Partial<IssueSearch>[] = []
  await renderInPage(
    <QueryClientProvider client={new QueryClient()}>
      <SessionContext value={session}>
        <IssueMoreFilters
          search={issueSearchDefaults}
          onApply={(filters) => appliedFilters.push(filters)}
          onClose={() => undefined}
        />
      </SessionContext>
    </QueryClientProvider>,
  )
  await page.getByText('Common components', { exact: true }).first().click()
  await page.getByRole('checkbox', { name: 'Footer' }).click()
  await expect.element(page.getByText('Common components (1)')).toBeVisible()
  expect(appliedFilters).toEqual([])
  await page.getByRole('button', { name: 'Apply' }).click()
  expect(appliedFilters).toMatchObject([{ component: ['Footer'], label: [], tag: [] }])
})
