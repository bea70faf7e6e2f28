import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Column } from './data-table.tsx'
import { DataTable } from './data-table.tsx'
import { expectAccessible, show } from '../app/testing.tsx'

type Row = { id: string; name: string; issues: number }
const rows: Row[] = [
  { id: 'a', name: 'Example shop', issues: 41 },
  { id: 'b', name: 'Careers-with-a-very-long-name-that-has-no-place-to-break-in-it', issues: 0 },
]
const columns: Column<Row>[] = [
  { key: 'name', head: 'Scan', sort: 'name', rowHead: true, cell: (row) => row.name },
  { key: 'issues', head: 'Issues', sort: 'issues', first: 'desc', numeric: true, cell: (row) => row.issues },
]
const table = (onSort = vi.fn()) => (
  <DataTable
    caption="Scans"
    columns={columns}
    rows={rows}
    rowKey={({ id }) => id}
    sort="name,asc"
    onSort={onSort}
  />
)

it('says which column is sorted, and sorts by keyboard', async () => {
  const onSort = vi.fn()
  await show(table(onSort))
  await expect
    .element(page.getByRole('columnheader', { name: 'Scan' }))
    .toHaveAttribute('aria-sort', 'ascending')
  await expect.element(page.getByRole('columnheader', { name: 'Issues' })).not.toHaveAttribute('aria-sort')
  await userEvent.keyboard('{Tab}{Enter}{Tab}{Enter}')
  expect(onSort.mock.calls).toEqual([['name,desc'], ['issues,desc']])
  await expectAccessible()
})

it('becomes cards at 320 px, with the same facts', async () => {
  await show(table(), 320)
  expect(document.querySelector('table')).toBeNull()
  await expect.element(page.getByRole('listitem').first()).toHaveTextContent('Example shopIssues41')
  await expectAccessible()
})
