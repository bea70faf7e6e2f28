import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import type { Column } from './data-row.tsx'
import { CardRow, TableRow } from './data-row.tsx'
import { Icon } from './icon.tsx'
import layout from './layout.module.css'
import styles from './data-table.module.css'
import { useLatest } from './use-latest.ts'
import { small, useMedia } from './use-media.ts'

export type { Column } from './data-row.tsx'

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
  // Hundreds of new rows are drawn bit by bit, so that a press meanwhile is answered.
  const { rows, columns, busy = false } = props
  const newest = useMemo(() => ({ rows, columns }), [rows, columns])
  const drawn = useDeferredValue(newest)
  const table = { ...props, ...drawn, busy: busy || drawn !== newest }
  return useMedia(small) ? <Cards {...table} /> : <WideTable {...table} />
}

/** What each row gets: only what it shows, so that a tick draws one row and not all. */
function useRowProps<Row>({ columns, rowKey, selected, ticks }: Props<Row>) {
  const onToggle = useLatest((row: Row) => ticks?.onToggle(row))
  return (row: Row) => ({
    columns,
    current: rowKey(row) === selected,
    name: ticks?.nameOf(row),
    on: ticks?.isOn(row) ?? false,
    onToggle,
  })
}

function WideTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, rowKey, busy, ticks } = props
  const { box, overflows } = useOverflow()
  const ofRow = useRowProps(props)
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
          {rows.map((row) => (
            <TableRow key={rowKey(row)} row={row} {...ofRow(row)} />
          ))}
        </tbody>
      </table>
    </div>
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
        aria-label={t`Select this page of the list`}
        checked={rows.length > 0 && count === rows.length}
        onChange={() => ticks.onTogglePage(count < rows.length)}
      />
    </label>
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
  const { caption, columns, rows, rowKey, busy, sort, onSort } = props
  const { t } = useLingui()
  const ofRow = useRowProps(props)
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
          <CardRow key={rowKey(row)} row={row} {...ofRow(row)} />
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
