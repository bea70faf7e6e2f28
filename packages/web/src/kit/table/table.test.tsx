import { useEffect, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Column } from './table.tsx'
import { DataTable } from './table.tsx'
import { expectAccessible, show } from '../../../test/show.tsx'

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

it('keeps the focus on the same control when rows become cards, and back', async () => {
  const ticks = {
    isOn: () => false,
    nameOf: (row: Row) => row.name,
    onToggle: vi.fn(),
    onTogglePage: vi.fn(),
  }
  await show(
    <DataTable caption="Scans" columns={columns} rows={rows} rowKey={({ id }) => id} ticks={ticks} />,
  )
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

it('gives the focus of a row that leaves the list to the one in its place, and of the last one to the title', async () => {
  const ticks = {
    isOn: () => false,
    nameOf: (row: Row) => row.name,
    onToggle: vi.fn(),
    onTogglePage: vi.fn(),
  }
  let setShown: (rows: readonly Row[]) => void
  function Listed() {
    const [shown, set] = useState<readonly Row[]>(rows)
    useEffect(() => {
      setShown = set
    }, [])
    if (shown.length === 0) return <p>Nothing</p>
    return <DataTable caption="Scans" columns={columns} rows={shown} rowKey={({ id }) => id} ticks={ticks} />
  }
  await show(<Listed />)
  const boxOf = (row: Row) => page.getByRole('checkbox', { name: `Select: ${row.name}` })
  boxOf(rows[1]!).element().focus()
  setShown!([rows[0]!])
  await expect.element(boxOf(rows[0]!)).toHaveFocus()
  setShown!([])
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  // Somebody who has left the rows is not called back.
  setShown!(rows)
  await expect.element(boxOf(rows[1]!)).toBeVisible()
  boxOf(rows[1]!).element().focus()
  boxOf(rows[1]!).element().blur()
  await expect.poll(() => document.activeElement).toBe(document.body)
  setShown!([rows[0]!])
  await expect.poll(() => document.querySelectorAll('tbody tr').length).toBe(1)
  expect(document.activeElement).toBe(document.body)
})

it('draws no cell anew when rows are ticked', async () => {
  const cell = vi.fn((row: Row) => row.name)
  const counted: Column<Row>[] = [
    { key: 'name', head: 'Scan', rowHead: true, cell },
    { key: 'issues', head: 'Issues', cell: (row) => row.issues },
  ]
  function Ticked() {
    const [on, setOn] = useState<readonly string[]>([])
    return (
      <DataTable
        caption="Scans"
        columns={counted}
        rows={rows}
        rowKey={({ id }) => id}
        ticks={{
          isOn: ({ id }) => on.includes(id),
          nameOf: ({ name }) => name,
          onToggle: ({ id }) => setOn([...on, id]),
          onTogglePage: (all) => setOn(all ? rows.map(({ id }) => id) : []),
        }}
      />
    )
  }
  await show(<Ticked />)
  const drawn = cell.mock.calls.length
  await page.getByRole('checkbox', { name: 'Select: Example shop' }).click()
  const whole = page.getByRole('checkbox', { name: 'Select this page of the list' })
  await expect.element(whole).toBePartiallyChecked()
  const [ticked, other] = [...document.querySelectorAll('tbody tr')].map(
    (row) => getComputedStyle(row).backgroundColor,
  )
  expect(ticked).not.toBe(other)
  // The second row's box knows of the first one's tick.
  await page.getByRole('checkbox', { name: /^Select: Careers/ }).click()
  await expect.element(whole).toBeChecked()
  expect(cell.mock.calls.length).toBe(drawn)
  await expectAccessible()
})
