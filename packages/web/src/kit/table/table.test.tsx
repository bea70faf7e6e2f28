import { useEffect, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Column, DataTable } from './table.tsx'
import { UnknownValue } from '../page/states.tsx'
import { expectAccessible, renderInPage } from '../../../test/show.tsx'

type Row = { id: string; name: string; issues: number }
const rows: Row[] = [
  { id: 'a', name: 'Example shop', issues: 41 },
  { id: 'b', name: 'Careers-with-a-very-long-name-that-has-no-place-to-break-in-it', issues: 0 },
]
const columns: Column<Row>[] = [
  { key: 'name', heading: 'Scan', sortField: 'name', isRowHeading: true, renderCell: (row) => row.name },
  {
    key: 'issues',
    heading: 'Issues',
    sortField: 'issues',
    firstDirection: 'desc',
    isNumeric: true,
    renderCell: (row) => row.issues,
  },
]
const table = (onSort = vi.fn()) => (
  <DataTable caption="Scans" columns={columns} rows={rows} rowKey={({ id }) => id} sort="name,asc" onSort={onSort} />
)

it('announces the sorted column and sorts by keyboard', async () => {
  const onSort = vi.fn()
  await renderInPage(table(onSort))
  await expect.element(page.getByRole('columnheader', { name: 'Scan' })).toHaveAttribute('aria-sort', 'ascending')
  await expect.element(page.getByRole('columnheader', { name: 'Issues' })).not.toHaveAttribute('aria-sort')
  await userEvent.keyboard('{Tab}{Enter}{ArrowRight}{Enter}')
  expect(onSort.mock.calls).toEqual([['name,desc'], ['issues,desc']])
  await expectAccessible()
})

it('describes the arrow keys at the checkbox that is the tab stop of the headings', async () => {
  const ticks = { isSelected: () => false, getRowName: (row: Row) => row.name, onToggle: vi.fn(), onTogglePage: vi.fn() }
  await renderInPage(
    <DataTable caption="Scans" columns={columns} rows={rows} rowKey={({ id }) => id} rowSelection={ticks} onSort={vi.fn()} />,
  )
  await userEvent.keyboard('{Tab}')
  const focusedElement = page.elementLocator(document.activeElement!)
  await expect.element(focusedElement).toHaveAccessibleName('Select this page of the list')
  await expect.element(focusedElement).toHaveAccessibleDescription('Left and right arrow keys move between the columns.')
})

it('becomes cards with the same facts at 320 px', async () => {
  await renderInPage(table(), 320)
  expect(document.querySelector('table')).toBeNull()
  await expect.element(page.getByRole('listitem').first()).toHaveTextContent('Example shopIssues41')
  await expectAccessible()
})

it('shows facts in one line of a card, without headings that the value explains and without unknown values', async () => {
  const factColumns: Column<Row>[] = [
    { key: 'impact', heading: 'Impact', isSelfExplaining: true, renderCell: () => 'Critical' },
    ...columns,
    { key: 'person', heading: 'Assignee', isOptional: true, renderCell: () => <UnknownValue label="Nobody" /> },
  ]
  const ticks = { isSelected: () => false, getRowName: (row: Row) => row.name, onToggle: vi.fn(), onTogglePage: vi.fn() }
  await renderInPage(
    <DataTable caption="Scans" columns={factColumns} rows={rows} rowKey={({ id }) => id} rowSelection={ticks} />,
    320,
  )
  const card = page.getByRole('listitem').first().element() as HTMLElement
  expect(card.getBoundingClientRect().height).toBeLessThan(70)
  expect(card.innerText.split('\n').filter(Boolean)).toEqual(['Impact', 'Critical', 'Example shop', 'Issues', '41'])
  const getTop = (text: string) => Math.round(page.getByText(text, { exact: true }).first().element().getBoundingClientRect().top)
  expect(getTop('Critical')).toBeGreaterThan(getTop('Example shop'))
  expect(Math.abs(getTop('Critical') - getTop('41'))).toBeLessThan(3)
  await expectAccessible()
})

it('keeps the focus on the same control when rows become cards and vice versa', async () => {
  const ticks = { isSelected: () => false, getRowName: (row: Row) => row.name, onToggle: vi.fn(), onTogglePage: vi.fn() }
  await renderInPage(<DataTable caption="Scans" columns={columns} rows={rows} rowKey={({ id }) => id} rowSelection={ticks} />)
  const box = page.getByRole('checkbox', { name: `Select: ${rows[1]!.name}` })
  box.element().focus()
  for (const [width, drawn] of [
    [320, 'ul'],
    [1280, 'table'],
  ] as const) {
    await page.viewport(width, 640)
    await expect.poll(() => document.querySelector(drawn)).not.toBeNull()
    await expect.element(box).toHaveFocus()
  }
  await userEvent.keyboard(' ')
  expect(ticks.onToggle.mock.calls).toEqual([[rows[1]]])
})

it('moves the focus from a removed row to the row in its place, and from the last row to the title', async () => {
  const ticks = { isSelected: () => false, getRowName: (row: Row) => row.name, onToggle: vi.fn(), onTogglePage: vi.fn() }
  let setShown: (rows: readonly Row[]) => void
  function Listed() {
    const [visibleRows, setVisibleRows] = useState<readonly Row[]>(rows)
    useEffect(() => {
      setShown = setVisibleRows
    }, [])
    if (visibleRows.length === 0) return <p>Nothing</p>
    return <DataTable caption="Scans" columns={columns} rows={visibleRows} rowKey={({ id }) => id} rowSelection={ticks} />
  }
  await renderInPage(<Listed />)
  const boxOf = (row: Row) => page.getByRole('checkbox', { name: `Select: ${row.name}` })
  boxOf(rows[1]!).element().focus()
  setShown!([rows[0]!])
  await expect.element(boxOf(rows[0]!)).toHaveFocus()
  setShown!([])
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  // The focus does not return to the rows after the user has left them.
  setShown!(rows)
  await expect.element(boxOf(rows[1]!)).toBeVisible()
  boxOf(rows[1]!).element().focus()
  boxOf(rows[1]!).element().blur()
  await expect.poll(() => document.activeElement).toBe(document.body)
  setShown!([rows[0]!])
  await expect.poll(() => document.querySelectorAll('tbody tr').length).toBe(1)
  expect(document.activeElement).toBe(document.body)
})

it('does not render cells again when rows are selected', async () => {
  const cell = vi.fn((row: Row) => row.name)
  const counted: Column<Row>[] = [
    { key: 'name', heading: 'Scan', isRowHeading: true, renderCell: cell },
    { key: 'issues', heading: 'Issues', renderCell: (row) => row.issues },
  ]
  function Ticked() {
    const [on, setOn] = useState<readonly string[]>([])
    return (
      <DataTable
        caption="Scans"
        columns={counted}
        rows={rows}
        rowKey={({ id }) => id}
        rowSelection={{
          isSelected: ({ id }) => on.includes(id),
          getRowName: ({ name }) => name,
          onToggle: ({ id }) => setOn([...on, id]),
          onTogglePage: (all) => setOn(all ? rows.map(({ id }) => id) : []),
        }}
      />
    )
  }
  await renderInPage(<Ticked />)
  const drawn = cell.mock.calls.length
  await page.getByRole('checkbox', { name: 'Select: Example shop' }).click()
  const whole = page.getByRole('checkbox', { name: 'Select this page of the list' })
  await expect.element(whole).toBePartiallyChecked()
  const [ticked, other] = [...document.querySelectorAll('tbody tr')].map((row) => getComputedStyle(row).backgroundColor)
  expect(ticked).not.toBe(other)
  // The second row's checkbox sees the selection of the first row.
  await page.getByRole('checkbox', { name: /^Select: Careers/ }).click()
  await expect.element(whole).toBeChecked()
  expect(cell.mock.calls.length).toBe(drawn)
  await expectAccessible()
})

it('opens a row by a click anywhere on it, except on its controls and at the end of a selection', async () => {
  const opened: string[] = []
  const linked: Column<Row>[] = [
    {
      key: 'name',
      heading: 'Scan',
      isRowHeading: true,
      renderCell: ({ name }) => (
        <a href="#row" onClick={(event) => (event.preventDefault(), opened.push(`${name}${event.ctrlKey ? ' in a tab' : ''}`))}>
          {name}
        </a>
      ),
    },
    { key: 'issues', heading: 'Issues', renderCell: ({ issues }) => <span>Found {issues}</span> },
    { key: 'action', heading: 'Action', renderCell: () => <button type="button">Start</button> },
  ]
  const table = <DataTable caption="Scans" columns={linked} rows={[rows[0]!]} rowKey={({ id }) => id} />
  const { name, issues } = rows[0]!
  for (const width of [1280, 320]) {
    opened.length = 0
    await renderInPage(table, width)
    const cell = page.getByText(`Found ${issues}`).last()
    await cell.click()
    await page.getByRole('button', { name: 'Start' }).last().click()
    await cell.click({ modifiers: ['Control'] })
    expect(opened).toEqual([name, `${name} in a tab`])
    getSelection()!.selectAllChildren(cell.element())
    cell.element().dispatchEvent(new MouseEvent('click', { bubbles: true }))
    expect(opened).toHaveLength(2)
    getSelection()!.removeAllRanges()
  }
})
