import type { ReactNode } from 'react'
import { memo } from 'react'
import { useLingui } from '@lingui/react/macro'
import layout from './layout.module.css'
import styles from './data-table.module.css'

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

type Props<Row> = {
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

function PlainTableRow<Row>({ row, columns, current, name, on, onToggle }: Props<Row>) {
  return (
    <tr className={current ? styles.selected : ''} aria-current={current || undefined}>
      {name !== undefined && (
        <td className={styles.tick}>
          <RowTick name={name} on={on} onToggle={() => onToggle(row)} />
        </td>
      )}
      <Cells row={row} columns={columns} />
    </tr>
  )
}

function PlainCardRow<Row>({ row, columns, current, name, on, onToggle }: Props<Row>) {
  return (
    <li className={current ? styles.selected : ''}>
      {name !== undefined && (
        <div>
          <RowTick name={name} on={on} onToggle={() => onToggle(row)} />
        </div>
      )}
      <Facts row={row} columns={columns} />
    </li>
  )
}

type CellProps<Row> = Pick<Props<Row>, 'row' | 'columns'>

// Apart from the tick box: ticking all rows of a page draws no cell anew.
const Cells = memo(<Row,>({ row, columns }: CellProps<Row>) =>
  columns.map(({ key, numeric, rowHead, cell }) => {
    const look = numeric ? styles.numeric : ''
    return rowHead ? (
      <th key={key} scope="row" className={look}>
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
      <div key={key} className={rowHead ? styles.cardName : styles.cardQuiet}>
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
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow
/** The same facts as a card. */
export const CardRow = memo(PlainCardRow) as typeof PlainCardRow

function RowTick({ name, on, onToggle }: { name: string; on: boolean; onToggle: () => void }) {
  const { t } = useLingui()
  return (
    <label className={styles.box}>
      <input type="checkbox" aria-label={t`Select: ${name}`} checked={on} onChange={onToggle} />
    </label>
  )
}
