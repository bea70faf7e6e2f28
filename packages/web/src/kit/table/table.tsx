import {
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  memo,
} from 'react'
import { useLingui } from '@lingui/react/macro'
import { Icon } from '../control/icon.tsx'
import { useStableCallback } from '../client/use-stable-callback.ts'
import { ArrowKeysHint } from '../keyboard/toolbar.tsx'
import { useArrowKeys } from '../keyboard/use-arrow-keys.ts'
import { smallScreenQuery, useMediaQuery } from '../page/use-media-query.ts'

import layout from '../page/layout.module.css'
import styles from './table.module.css'
import { focusTitle } from '../page/focus-title.ts'

export type RowSelection<Row> = {
  isSelected: (row: Row) => boolean
  /** Returns the row's name, used as the label of its checkbox. */
  getRowName: (row: Row) => string
  onToggle: (row: Row) => void
  onTogglePage: (isSelected: boolean) => void
}

type DataTableProps<Row> = {
  /** Content and sort order of the table; read before the table. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** `field,asc` */
  sort?: string | undefined
  onSort?: (sort: string) => void
  /** Newer rows are loading; the current ones stay. */
  isBusy?: boolean
  selectedKey?: string | undefined
  rowSelection?: RowSelection<Row>
}

/** Native table; on small screens cards with the same facts in the same order. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  // Large row updates render in the background so that input stays responsive.
  const { rows, columns, isBusy = false } = props
  const latestContent = useMemo(() => ({ rows, columns }), [rows, columns])
  const deferredContent = useDeferredValue(latestContent)
  const keptFocus: KeptFocus = useRef(null)
  const tableProps = { ...props, ...deferredContent, isBusy: isBusy || deferredContent !== latestContent, keptFocus }
  return useMediaQuery(smallScreenQuery) ? <CardList {...tableProps} /> : <WideTable {...tableProps} />
}

/** Focused control in the rows and its index among all controls. */
type KeptFocus = RefObject<{ control: Element; controlIndex: number } | null>

const interactiveElements = 'a, button, input, select, textarea, label, summary, [role=button]'

/** Follows the link of a row when its other cells are clicked. Keyboards use the link itself. */
function openRow(event: MouseEvent): void {
  if (event.defaultPrevented || !(event.target instanceof Element) || event.target.closest(interactiveElements)) return
  // The end of a text selection is no click.
  if (getSelection()?.isCollapsed === false) return
  const rowLink = event.target.closest('tr, li')?.querySelector<HTMLAnchorElement>('[data-row-link] a')
  const { ctrlKey, metaKey, shiftKey } = event
  rowLink?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

/** Rows and cards contain the same controls in the same order. */
const listControls = (rowsElement: HTMLElement | null): readonly Element[] => [
  ...(rowsElement?.querySelectorAll('a[href], button, input') ?? []),
]
const isFocusLost = (keptFocus: KeptFocus): boolean => keptFocus.current !== null && document.activeElement === document.body
/** Updates the index of the focused control. If the control was removed, focuses the control in its place. */
function followFocus(keptFocus: KeptFocus, rowsElement: HTMLElement | null): void {
  const focusedControl = keptFocus.current
  if (!focusedControl) return
  const currentControls = listControls(rowsElement)
  if (focusedControl.control.isConnected)
    keptFocus.current = { ...focusedControl, controlIndex: currentControls.indexOf(focusedControl.control) }
  else if (isFocusLost(keptFocus))
    (currentControls[Math.min(focusedControl.controlIndex, currentControls.length - 1)] as HTMLElement | undefined)?.focus()
}

/** Keeps the focus when its control is removed by zoom, rotation or a filter: same control, row in its place, or title. */
function useRetainedFocus<List extends HTMLElement>(keptFocus: KeptFocus) {
  const rowsRef = useRef<List>(null)
  useLayoutEffect(() => {
    const rowsElement = rowsRef.current
    const onFocusIn = ({ target }: Event) => {
      const focusedControl = target as Element
      keptFocus.current = { control: focusedControl, controlIndex: listControls(rowsElement).indexOf(focusedControl) }
    }
    // A removed control keeps its index; a control that the user leaves does not.
    const onFocusOut = () =>
      queueMicrotask(() => {
        const leftControl = keptFocus.current?.control
        if (leftControl?.isConnected && leftControl !== document.activeElement) keptFocus.current = null
      })
    rowsElement?.addEventListener('focusin', onFocusIn)
    rowsElement?.addEventListener('focusout', onFocusOut)
    return () => {
      rowsElement?.removeEventListener('focusin', onFocusIn)
      rowsElement?.removeEventListener('focusout', onFocusOut)
      queueMicrotask(() => {
        if (isFocusLost(keptFocus)) focusTitle({ preventScroll: true })
      })
    }
  }, [keptFocus])
  useLayoutEffect(() => followFocus(keptFocus, rowsRef.current))
  useEffect(() => {
    const rowsElement = rowsRef.current
    rowsElement?.addEventListener('click', openRow)
    return () => rowsElement?.removeEventListener('click', openRow)
  }, [])
  return rowsRef
}

/** Returns the props of a row. They contain only its own content, so that selecting a row renders only that row. */
function useRowPropsFactory<Row>({ columns, rowKey, selectedKey, rowSelection }: DataTableProps<Row>) {
  const toggleRow = useStableCallback((row: Row) => rowSelection?.onToggle(row))
  return (row: Row) => ({
    columns,
    isCurrent: rowKey(row) === selectedKey,
    rowName: rowSelection?.getRowName(row),
    isSelected: rowSelection?.isSelected(row) ?? false,
    onToggle: toggleRow,
  })
}

function WideTable<Row>(props: DataTableProps<Row> & { keptFocus: KeptFocus }) {
  const { caption, columns, rows, rowKey, isBusy, rowSelection, keptFocus } = props
  const { box: boxRef, overflows: isOverflowing } = useOverflowDetection()
  const { t } = useLingui()
  const arrowKeysHintId = useId()
  const tableHeadRef = useArrowKeys<HTMLTableSectionElement>()
  const tableBodyRef = useRetainedFocus<HTMLTableSectionElement>(keptFocus)
  const getRowProps = useRowPropsFactory(props)
  return (
    <div
      ref={boxRef}
      className={styles.wrapper}
      {...(isOverflowing ? { role: 'region', 'aria-label': caption, tabIndex: 0 } : {})}
    >
      {props.onSort && <span id={arrowKeysHintId} hidden>{t`Left and right arrow keys move between the columns.`}</span>}
      <table className={styles.table} aria-busy={isBusy ?? false}>
        <caption className={layout.hidden}>{caption}</caption>
        <thead ref={tableHeadRef}>
          <tr>
            {rowSelection && (
              <th scope="col" className={styles.tick}>
                <PageCheckbox rows={rows} ticks={rowSelection} hintId={props.onSort && arrowKeysHintId} />
              </th>
            )}
            {columns.map((column) => (
              <TableHeading key={column.key} column={column} hintId={arrowKeysHintId} {...props} />
            ))}
          </tr>
        </thead>
        <tbody ref={tableBodyRef}>
          {rows.map((row) => (
            <TableRow key={rowKey(row)} row={row} {...getRowProps(row)} />
          ))}
        </tbody>
      </table>
      <ArrowKeysHint />
    </div>
  )
}

type PageCheckboxProps<Row> = { rows: readonly Row[]; ticks: RowSelection<Row>; hintId: string | undefined }

function PageCheckbox<Row>({ rows, ticks: rowSelection, hintId }: PageCheckboxProps<Row>) {
  const { t } = useLingui()
  const checkboxRef = useRef<HTMLInputElement>(null)
  const selectedCount = rows.filter((row) => rowSelection.isSelected(row)).length
  useEffect(() => {
    if (checkboxRef.current) checkboxRef.current.indeterminate = selectedCount > 0 && selectedCount < rows.length
  })
  return (
    <label className={styles.box}>
      <input
        ref={checkboxRef}
        type="checkbox"
        aria-label={t`Select this page of the list`}
        aria-describedby={hintId}
        checked={rows.length > 0 && selectedCount === rows.length}
        onChange={() => rowSelection.onTogglePage(selectedCount < rows.length)}
      />
    </label>
  )
}

type TableHeadingProps<Row> = { column: Column<Row>; hintId: string } & DataTableProps<Row>

function TableHeading<Row>({ column, hintId, sort, onSort }: TableHeadingProps<Row>) {
  const [sortField, sortDirection] = sort?.split(',') ?? []
  const isSorted = column.sortField !== undefined && column.sortField === sortField
  const isAscending = (sortDirection === 'asc') === !column.isWorstFirst
  const nextDirection = isSorted ? (sortDirection === 'asc' ? 'desc' : 'asc') : (column.firstDirection ?? 'asc')
  const headingText = column.isHeadingHidden ? <span className={layout.hidden}>{column.heading}</span> : column.heading
  return (
    <th
      scope="col"
      className={getCellClass(column)}
      {...(isSorted ? { 'aria-sort': isAscending ? 'ascending' : 'descending' } : {})}
    >
      {column.sortField && onSort ? (
        <button
          type="button"
          className={styles.sort}
          aria-describedby={hintId}
          onClick={() => onSort(`${column.sortField},${nextDirection}`)}
        >
          {headingText}
          {isSorted && <Icon name={isAscending ? 'up' : 'down'} />}
        </button>
      ) : (
        headingText
      )}
    </th>
  )
}

function CardList<Row>(props: DataTableProps<Row> & { keptFocus: KeptFocus }) {
  const { caption, columns, rows, rowKey, isBusy, sort, onSort, keptFocus } = props
  const { t } = useLingui()
  const listRef = useRetainedFocus<HTMLUListElement>(keptFocus)
  const getRowProps = useRowPropsFactory(props)
  const sortableColumns = columns.filter((column) => column.sortField)
  return (
    <>
      {onSort && rows.length > 1 && sortableColumns.length > 0 && (
        <label className={styles.cardSort}>
          <span>{t`Sort by`}</span>
          <select value={sort ?? ''} onChange={(event) => onSort(event.target.value)}>
            {sortableColumns.map((column) => {
              const isCurrentSort = sort?.startsWith(`${column.sortField},`)
                ? sort
                : `${column.sortField},${column.firstDirection ?? 'asc'}`
              return (
                <option key={column.key} value={isCurrentSort}>
                  {column.heading}
                </option>
              )
            })}
          </select>
        </label>
      )}
      <ul ref={listRef} className={styles.cards} aria-label={caption} aria-busy={isBusy ?? false}>
        {rows.map((row) => (
          <CardRow key={rowKey(row)} row={row} {...getRowProps(row)} />
        ))}
      </ul>
    </>
  )
}

/** Makes an element focusable only if it scrolls. */
function useOverflowDetection() {
  const boxRef = useRef<HTMLDivElement>(null)
  const [isOverflowing, setIsOverflowing] = useState(false)
  useEffect(() => {
    const boxElement = boxRef.current
    if (!boxElement) return
    const resizeObserver = new ResizeObserver(() => setIsOverflowing(boxElement.scrollWidth > boxElement.clientWidth + 1))
    resizeObserver.observe(boxElement)
    return () => resizeObserver.disconnect()
  }, [])
  return { box: boxRef, overflows: isOverflowing }
}

export type Column<Row> = {
  key: string
  heading: string
  /** Hides the heading visually, for columns whose cells explain themselves. */
  isHeadingHidden?: boolean
  /** Field name that the server sorts by. */
  sortField?: string
  firstDirection?: 'asc' | 'desc'
  /** The server sorts the worst value first when ascending: shown as descending. */
  isWorstFirst?: boolean
  isNumeric?: boolean
  /** The cell is the heading of its row. */
  isRowHeading?: boolean
  /** The value explains itself: cards show it without the heading. */
  isSelfExplaining?: boolean
  /** Cards show the picture of the next column at the end of its line. */
  hasPicture?: boolean
  /** Cards leave out a zero and an unknown value. */
  isOptional?: boolean
  /** Hidden while a detail next to the table shows the value. */
  isHiddenBesideDetail?: boolean
  renderCell: (row: Row) => ReactNode
}

type DataRowProps<Row> = {
  row: Row
  /** Stable array: a new one renders every row again. */
  columns: readonly Column<Row>[]
  /** True if the row's detail is open. */
  isCurrent: boolean
  /** Label of the row's checkbox; undefined without checkboxes. */
  rowName: string | undefined
  isSelected: boolean
  onToggle: (row: Row) => void
}

const getRowClass = (isCurrent: boolean, isSelected: boolean): string =>
  `${isCurrent ? styles.selected : ''} ${isSelected ? styles.ticked : ''}`

function PlainTableRow<Row>({ row, columns, isCurrent, rowName, isSelected, onToggle }: DataRowProps<Row>) {
  return (
    <tr className={getRowClass(isCurrent, isSelected)} aria-current={isCurrent || undefined}>
      {rowName !== undefined && (
        <td className={styles.tick}>
          <RowCheckbox name={rowName} on={isSelected} onToggle={() => onToggle(row)} />
        </td>
      )}
      <TableCells row={row} columns={columns} />
    </tr>
  )
}

function PlainCardRow<Row>({ row, columns, isCurrent, rowName, isSelected, onToggle }: DataRowProps<Row>) {
  return (
    <li className={getRowClass(isCurrent, isSelected)}>
      {rowName !== undefined && (
        <div>
          <RowCheckbox name={rowName} on={isSelected} onToggle={() => onToggle(row)} />
        </div>
      )}
      <div className={styles.cardBody}>
        <CardFacts row={row} columns={columns} />
      </div>
    </li>
  )
}

type CellProps<Row> = Pick<DataRowProps<Row>, 'row' | 'columns'>

/** Styles hide a column next to a detail, so that opening one renders no row again. */
const getCellClass = <Row,>({ isNumeric, isHiddenBesideDetail }: Column<Row>): string =>
  `${isNumeric ? styles.numeric : ''} ${isHiddenBesideDetail ? styles.hiddenBesideDetail : ''}`

// Separate from the checkbox: selecting all rows of a page renders no cells again.
const TableCells = memo(<Row,>({ row, columns }: CellProps<Row>) =>
  columns.map((column) =>
    column.isRowHeading ? (
      <th key={column.key} scope="row" data-row-link className={getCellClass(column)}>
        {column.renderCell(row)}
      </th>
    ) : (
      <td key={column.key} className={getCellClass(column)}>
        {column.renderCell(row)}
      </td>
    ),
  ),
) as <Row>(props: CellProps<Row>) => ReactNode

const CardFacts = memo(<Row,>({ row, columns }: CellProps<Row>) =>
  columns.map(
    ({ key, heading, isHeadingHidden, isRowHeading, isSelfExplaining, isNumeric, isOptional, hasPicture, renderCell }) =>
      isRowHeading || isHeadingHidden ? (
        <div key={key} data-row-link={isRowHeading} className={isRowHeading ? styles.cardName : styles.cardQuiet}>
          {renderCell(row)}
        </div>
      ) : (
        <div
          key={key}
          className={isOptional ? styles.optionalFact : styles.cardFact}
          data-named={isSelfExplaining ? undefined : hasPicture ? 'picture' : isNumeric ? 'number' : 'text'}
          data-count={(isSelfExplaining && isNumeric) || undefined}
        >
          {/* A count with a sign names itself. */}
          {!(isSelfExplaining && isNumeric) && <span>{heading}</span>}
          <span>{renderCell(row)}</span>
        </div>
      ),
  ),
) as <Row>(props: CellProps<Row>) => ReactNode

/** Memoized table row: a page may have 500 of them. */
const TableRow = memo(PlainTableRow) as typeof PlainTableRow
/** The same facts as a card. */
const CardRow = memo(PlainCardRow) as typeof PlainCardRow

function RowCheckbox({ name: rowName, on: isSelected, onToggle }: { name: string; on: boolean; onToggle: () => void }) {
  const { t } = useLingui()
  return (
    <label className={styles.box}>
      <input type="checkbox" aria-label={t`Select: ${rowName}`} checked={isSelected} onChange={onToggle} />
    </label>
  )
}
