import type { ReactNode, RefObject } from 'react'
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState, memo } from 'react'
import { useLingui } from '@lingui/react/macro'
import { Icon } from '../control/icon.tsx'
import { useStableCallback } from '../client/use-latest.ts'
import { small, useMedia } from '../page/use-media.ts'

import layout from '../page/layout.module.css'
import styles from './table.module.css'
import { focusTitle } from '../page/focus-title.ts'

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
  const kept: KeptFocus = useRef(null)
  const table = { ...props, ...drawn, busy: busy || drawn !== newest, kept }
  return useMedia(small) ? <Cards {...table} /> : <WideTable {...table} />
}

/** The control of the rows that has the focus, and the how manieth it is. */
type KeptFocus = RefObject<{ control: Element; at: number } | null>

/** Rows and cards have the same controls in the same order. */
const controlsOf = (rows: HTMLElement | null): readonly Element[] => [
  ...(rows?.querySelectorAll('a[href], button, input') ?? []),
]
const isLost = (kept: KeptFocus): boolean => kept.current !== null && document.activeElement === document.body
/** Follows the control to where it is now; one that has gone leaves the focus to the one in its place. */
function follow(kept: KeptFocus, rows: HTMLElement | null): void {
  const held = kept.current
  if (!held) return
  const now = controlsOf(rows)
  if (held.control.isConnected) kept.current = { ...held, at: now.indexOf(held.control) }
  else if (isLost(kept)) (now[Math.min(held.at, now.length - 1)] as HTMLElement | undefined)?.focus()
}

/**
 * Keeps the focus where the control that has it goes away: rows become cards when somebody zooms in or turns a screen, and a row leaves the
 * list when what it stands for no longer matches. It goes to the same control, to that of the row in its place, or to the title.
 */
function useKeptFocus<List extends HTMLElement>(kept: KeptFocus) {
  const rows = useRef<List>(null)
  useLayoutEffect(() => {
    const element = rows.current
    const take = ({ target }: Event) => {
      const control = target as Element
      kept.current = { control, at: controlsOf(element).indexOf(control) }
    }
    // A control that is removed keeps its place; one that somebody leaves does not.
    const leave = () =>
      queueMicrotask(() => {
        const control = kept.current?.control
        if (control?.isConnected && control !== document.activeElement) kept.current = null
      })
    element?.addEventListener('focusin', take)
    element?.addEventListener('focusout', leave)
    return () => {
      element?.removeEventListener('focusin', take)
      element?.removeEventListener('focusout', leave)
      queueMicrotask(() => {
        if (isLost(kept)) focusTitle({ preventScroll: true })
      })
    }
  }, [kept])
  useLayoutEffect(() => follow(kept, rows.current))
  return rows
}

/** What each row gets: only what it shows, so that a tick draws one row and not all. */
function useRowProps<Row>({ columns, rowKey, selected, ticks }: Props<Row>) {
  const onToggle = useStableCallback((row: Row) => ticks?.onToggle(row))
  return (row: Row) => ({
    columns,
    current: rowKey(row) === selected,
    name: ticks?.nameOf(row),
    on: ticks?.isOn(row) ?? false,
    onToggle,
  })
}

function WideTable<Row>(props: Props<Row> & { kept: KeptFocus }) {
  const { caption, columns, rows, rowKey, busy, ticks, kept } = props
  const { box, overflows } = useOverflow()
  const body = useKeptFocus<HTMLTableSectionElement>(kept)
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
        <tbody ref={body}>
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

function Cards<Row>(props: Props<Row> & { kept: KeptFocus }) {
  const { caption, columns, rows, rowKey, busy, sort, onSort, kept } = props
  const { t } = useLingui()
  const list = useKeptFocus<HTMLUListElement>(kept)
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
      <ul ref={list} className={styles.cards} aria-label={caption} aria-busy={busy ?? false}>
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

type RowProps<Row> = {
  row: Row
  /** The same array as long as the columns stay: another one draws every row anew. */
  columns: readonly Column<Row>[]
  /** Its detail is open. */
  current: boolean
  /** Name of the row for its tick box; none without boxes. */
  name: string | undefined
  on: boolean
  onToggle: (row: Row) => void
}

const rowLook = (current: boolean, ticked: boolean): string =>
  [current && styles.selected, ticked && styles.ticked].filter(Boolean).join(' ')

function PlainTableRow<Row>({ row, columns, current, name, on, onToggle }: RowProps<Row>) {
  return (
    <tr className={rowLook(current, on)} aria-current={current || undefined}>
      {name !== undefined && (
        <td className={styles.tick}>
          <RowTick name={name} on={on} onToggle={() => onToggle(row)} />
        </td>
      )}
      <Cells row={row} columns={columns} />
    </tr>
  )
}

function PlainCardRow<Row>({ row, columns, current, name, on, onToggle }: RowProps<Row>) {
  return (
    <li className={rowLook(current, on)}>
      {name !== undefined && (
        <div>
          <RowTick name={name} on={on} onToggle={() => onToggle(row)} />
        </div>
      )}
      <Facts row={row} columns={columns} />
    </li>
  )
}

type CellProps<Row> = Pick<RowProps<Row>, 'row' | 'columns'>

// Apart from the tick box: ticking all rows of a page draws no cell anew.
const Cells = memo(<Row,>({ row, columns }: CellProps<Row>) =>
  columns.map(({ key, numeric, rowHead, cell }) => {
    const look = numeric ? styles.numeric : ''
    return rowHead ? (
      <th key={key} scope="row" data-row-link className={look}>
        {cell(row)}
      </th>
    ) : (
      <td key={key} className={look}>
        {cell(row)}
      </td>
    )
  }),
) as <Row>(props: CellProps<Row>) => ReactNode

const Facts = memo(<Row,>({ row, columns }: CellProps<Row>) =>
  columns.map(({ key, head, quiet, rowHead, cell }) =>
    rowHead || quiet ? (
      <div key={key} data-row-link={rowHead} className={rowHead ? styles.cardName : styles.cardQuiet}>
        {cell(row)}
      </div>
    ) : (
      <div key={key} className={styles.cardFact}>
        <span className={layout.muted}>{head}</span>
        <span>{cell(row)}</span>
      </div>
    ),
  ),
) as <Row>(props: CellProps<Row>) => ReactNode

/** A row of a table; drawn again only when something of it has changed, for there may be 500 of them. */
const TableRow = memo(PlainTableRow) as typeof PlainTableRow
/** The same facts as a card. */
const CardRow = memo(PlainCardRow) as typeof PlainCardRow

function RowTick({ name, on, onToggle }: { name: string; on: boolean; onToggle: () => void }) {
  const { t } = useLingui()
  return (
    <label className={styles.box}>
      <input type="checkbox" aria-label={t`Select: ${name}`} checked={on} onChange={onToggle} />
    </label>
  )
}
