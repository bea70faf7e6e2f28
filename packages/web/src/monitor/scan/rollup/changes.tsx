import { Plural, useLingui } from '@lingui/react/macro'
import type { RollupChanges } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { BarNumber } from './bar.tsx'
import styles from './rollup.module.css'

type Changes = z.output<typeof RollupChanges>
type Row = Changes['scans'][number]
/** Scans that are listed; the sums are of all. */
const shown = 10

/** What the runs of the last week found new, fixed or back, by scan. */
export function RollupChangesCard({ changes }: { changes: Changes }) {
  const { t } = useLingui()
  const { formatDate: date } = useFormats()
  const columns = useColumns(changes)
  const { total, scans } = changes
  const since = date(changes.since)
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-new">
      <div className={styles.head}>
        <h2 id="rollup-new">{t`New since ${since}`}</h2>
        {scans.some(({ compared }) => compared > 0) ? (
          <p className={styles.sums}>
            <Sum value={total.new} name={t`new`} />
            <Sum value={total.newCritical} name={t`of them critical`} />
            <Sum value={total.fixed} name={t`fixed`} />
            <Sum value={total.back} name={t`reappeared`} />
          </p>
        ) : (
          scans.length > 0 && <p>{t`First runs only: there is nothing yet to compare them with.`}</p>
        )}
      </div>
      {scans.length === 0 ? (
        <p className={styles.head}>{t`No run ended in this period.`}</p>
      ) : (
        <DataTable
          caption={t`New since ${since}`}
          columns={columns}
          rows={scans.slice(0, shown)}
          rowKey={({ scanId }) => scanId}
        />
      )}
      {scans.length > shown && (
        <p className={`${styles.head} ${layout.muted} ${layout.sm}`}>
          <Plural
            value={scans.length - shown}
            one="# more scan has fewer new issues."
            other="# more scans have fewer new issues."
          />
        </p>
      )}
    </section>
  )
}

function Sum({ value, name }: { value: number; name: ReactNode }) {
  const { formatNumber: number } = useFormats()
  return (
    <span>
      <b>{number(value)}</b> {name}
    </span>
  )
}

function useColumns({ scans }: Changes): Column<Row>[] {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  // A first run has nothing before it: neither new nor fixed says anything of it.
  const nothing = <UnknownValue label={t`nothing to compare with`} />
  const counted = (row: Row, value: number) => (row.compared === 0 ? nothing : number(value))
  const most = Math.max(...scans.flatMap((scan) => [scan.new, scan.fixed]), 1)
  return [
    {
      key: 'scan',
      heading: t`Scan`,
      isRowHeading: true,
      renderCell: ({ scanId, scanName }) => (
        <span className={styles.name}>
          <Link to="/scans/$scanId" params={{ scanId }}>
            {scanName}
          </Link>
        </span>
      ),
    },
    {
      key: 'new',
      heading: t`New`,
      isNumeric: true,
      renderCell: (row) =>
        row.compared === 0 ? (
          <span className={layout.muted}>{t`First run`}</span>
        ) : (
          <BarNumber value={row.new} most={most} sign={row.newCritical > 0 ? 'critical' : 'serious'} />
        ),
    },
    { key: 'critical', heading: t`New, critical`, isNumeric: true, renderCell: (row) => counted(row, row.newCritical) },
    {
      key: 'fixed',
      heading: t`Fixed`,
      isNumeric: true,
      renderCell: (row) => (row.compared === 0 ? nothing : <BarNumber value={row.fixed} most={most} sign="good" />),
    },
    { key: 'back', heading: t`Reappeared`, isNumeric: true, renderCell: (row) => counted(row, row.back) },
    { key: 'runs', heading: t`Runs`, isNumeric: true, renderCell: (row) => number(row.runs) },
  ]
}
