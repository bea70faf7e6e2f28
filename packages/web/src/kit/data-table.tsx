import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Icon } from './icon.tsx'
import layout from './layout.module.css'
import styles from './data-table.module.css'
import { small, useMedia } from './use-media.ts'

export type Column<Row> = {
  key: string
  /** Words of the head. */
  head: string
  /** The head is only heard: for a column whose cells explain themselves. */
  quiet?: boolean
  /** Name of the field that the server sorts by. */
  sort?: string
  /** The first press sorts this way. */
  first?: 'asc' | 'desc'
  numeric?: boolean
  /** This cell names the row. */
  rowHead?: boolean
  cell: (row: Row) => ReactNode
}

/** Tick boxes before the rows. */
export type RowTicks<Row> = {
  isOn: (row: Row) => boolean
  /** Name of a row, for its box. */
  nameOf: (row: Row) => string
  onToggle: (row: Row) => void
  onTogglePage: (on: boolean) => void
}

type Props<Row> = {
  /** What the table lists, with its order: read before the table. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** `field,asc` */
  sort?: string | undefined
  onSort?: (sort: string) => void
  /** Newer rows are on their way: the old ones stay. */
  busy?: boolean
  selected?: string | undefined
  ticks?: RowTicks<Row>
}

/** A native table; cards with the same facts in the same order where the screen is small. */
export function DataTable<Row>(props: Props<Row>) {
  return useMedia(small) ? <Cards {...props} /> : <WideTable {...props} />
}

function WideTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, rowKey, busy, selected, ticks } = props
  const { box, overflows } = useOverflow()
  return (
    <div
      ref={box}
      className={styles.wrapper}
      {...(overflows ? { role: 'region', 'aria-label': caption, tabIndex: 0 } : {})}
    >
      <table className={styles.table} aria-busy={busy ?? false}>
        <caption className={layout.hidden}>{caption}</caption>
        <thead>
          <tr>
            {ticks && (
              <th scope="col" className={styles.tick}>
                <PageTick rows={rows} ticks={ticks} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.key} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const current = rowKey(row) === selected
            return (
              <tr
                key={rowKey(row)}
                className={current ? styles.selected : ''}
                aria-current={current || undefined}
              >
                {ticks && (
                  <td className={styles.tick}>
                    <RowTick row={row} ticks={ticks} />
                  </td>
                )}
                {columns.map((column) => (
                  <Cell key={column.key} column={column} row={row} />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function RowTick<Row>({ row, ticks }: { row: Row; ticks: RowTicks<Row> }) {
  const { t } = useLingui()
  const name = ticks.nameOf(row)
  return (
    <label className={styles.box}>
      <input type="checkbox" checked={ticks.isOn(row)} onChange={() => ticks.onToggle(row)} />
      <span className={layout.hidden}>{t`Select: ${name}`}</span>
    </label>
  )
}

function PageTick<Row>({ rows, ticks }: { rows: readonly Row[]; ticks: RowTicks<Row> }) {
  const { t } = useLingui()
  const box = useRef<HTMLInputElement>(null)
  const count = rows.filter((row) => ticks.isOn(row)).length
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && count < rows.length
  })
  return (
    <label className={styles.box}>
      <input
        ref={box}
        type="checkbox"
        checked={rows.length > 0 && count === rows.length}
        onChange={() => ticks.onTogglePage(count < rows.length)}
      />
      <span className={layout.hidden}>{t`Select this page of the list`}</span>
    </label>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const name = column.numeric ? styles.numeric : ''
  return column.rowHead ? (
    <th scope="row" className={name}>
      {column.cell(row)}
    </th>
  ) : (
    <td className={name}>{column.cell(row)}</td>
  )
}

function Head<Row>({ column, sort, onSort }: { column: Column<Row> } & Props<Row>) {
  const [field, direction] = sort?.split(',') ?? []
  const sorted = column.sort !== undefined && column.sort === field
  const next = sorted ? (direction === 'asc' ? 'desc' : 'asc') : (column.first ?? 'asc')
  const words = column.quiet ? <span className={layout.hidden}>{column.head}</span> : column.head
  return (
    <th
      scope="col"
      className={column.numeric ? styles.numeric : ''}
      {...(sorted ? { 'aria-sort': direction === 'asc' ? 'ascending' : 'descending' } : {})}
    >
      {column.sort && onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort(`${column.sort},${next}`)}>
          {words}
          {sorted && <Icon name={direction === 'asc' ? 'up' : 'down'} />}
        </button>
      ) : (
        words
      )}
    </th>
  )
}

function Cards<Row>(props: Props<Row>) {
  const { caption, columns, rows, rowKey, busy, sort, onSort, selected, ticks } = props
  const { t } = useLingui()
  const sortable = columns.filter((column) => column.sort)
  return (
    <>
      {onSort && sortable.length > 0 && (
        <label className={styles.cardSort}>
          <span>{t`Sort by`}</span>
          <select value={sort ?? ''} onChange={(event) => onSort(event.target.value)}>
            {sortable.map((column) => {
              const own = sort?.startsWith(`${column.sort},`)
                ? sort
                : `${column.sort},${column.first ?? 'asc'}`
              return (
                <option key={column.key} value={own}>
                  {column.head}
                </option>
              )
            })}
          </select>
        </label>
      )}
      <ul className={styles.cards} aria-label={caption} aria-busy={busy ?? false}>
        {rows.map((row) => (
          <li key={rowKey(row)} className={rowKey(row) === selected ? styles.selected : ''}>
            {ticks && (
              <div className={styles.cardTick}>
                <RowTick row={row} ticks={ticks} />
              </div>
            )}
            {columns.map((column) =>
              column.rowHead || column.quiet ? (
                <div key={column.key} className={column.rowHead ? styles.cardName : styles.cardQuiet}>
                  {column.cell(row)}
                </div>
              ) : (
                <div key={column.key} className={styles.cardFact}>
                  <span className={layout.muted}>{column.head}</span>
                  <span>{column.cell(row)}</span>
                </div>
              ),
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** A box that scrolls can be reached by keyboard, one that does not is no stop. */
function useOverflow() {
  const box = useRef<HTMLDivElement>(null)
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setOverflows(element.scrollWidth > element.clientWidth + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { box, overflows }
}
