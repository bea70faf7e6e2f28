import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '../control/button.tsx'
import styles from './figure.module.css'

type ChartFigureProps = {
  /** Sentence that summarizes the chart. */
  title: ReactNode
  /** Shown below the title. */
  note?: ReactNode
  chart: ReactNode
  table: ReactNode
}

/** Chart below a one-sentence summary. The user can switch to the same data as a table. */
export function ChartFigure({ title, note, chart, table }: ChartFigureProps) {
  const { t } = useLingui()
  const [isTableShown, setIsTableShown] = useState(false)
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <div>
          <h2>{title}</h2>
          {note}
        </div>
        <Button small onPress={() => setIsTableShown(!isTableShown)}>
          {isTableShown ? t`Show as chart` : t`Show as table`}
        </Button>
      </figcaption>
      {isTableShown ? (
        table
      ) : (
        <>
          {chart}
          <div className={styles.printed}>{table}</div>
        </>
      )}
    </figure>
  )
}

type ChartTableProps = {
  label: string
  columnHeadings: readonly string[]
  tableRows: readonly { key: string | number; cells: readonly ReactNode[] }[]
}

/** Data of a chart as a table. The first cell of each row is its heading. */
export function ChartTable({ label, columnHeadings, tableRows }: ChartTableProps) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columnHeadings.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tableRows.map(({ key, cells: [name, ...others] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {others.map((cell, i) => (
                <td key={i}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
