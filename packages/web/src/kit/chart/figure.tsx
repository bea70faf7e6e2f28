import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../control/button.tsx'
import styles from './figure.module.css'

type Props = {
  /** What the chart shows, as a sentence. */
  title: ReactNode
  chart: ReactNode
  /** The same as a table. */
  table: ReactNode
}

/** A chart under a sentence that says what it shows, or the same as a table. */
export function ChartFigure({ title, chart, table }: Props) {
  const { t } = useLingui()
  const [asTable, setAsTable] = useState(false)
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <h2>{title}</h2>
        <Button small onPress={() => setAsTable(!asTable)}>
          {asTable ? t`Show as chart` : t`Show as table`}
        </Button>
      </figcaption>
      {asTable ? (
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

type TableProps = {
  label: string
  heads: readonly string[]
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[]
}

/** The numbers of a chart; the first cell names its row. */
export function ChartTable({ label, heads, rows }: TableProps) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...others] }) => (
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
