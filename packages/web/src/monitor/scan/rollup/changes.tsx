import { Plural, useLingui } from '@lingui/react/macro'
import type { RollupChanges } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { Count } from '../../../kit/text/count.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { ScoreBar } from '../../run/parts/score-bar.tsx'
import styles from './rollup.module.css'

type RollupChangesData = z.output<typeof RollupChanges>
type ScanChangesRow = RollupChangesData['scans'][number]
/** Number of listed scans; the totals include all scans. */
const maxListedScans = 10

/** A first run has nothing to compare with, and is new as a whole. */
const hasChanged = ({ compared, ...counts }: ScanChangesRow): boolean =>
  compared === 0 ||
  [counts.new, counts.fixed, counts.back, counts.newlyIgnored, counts.issuesGone, counts.notRechecked].some((count) => count > 0)

export function RollupChangesCard({ changes }: { changes: RollupChangesData }) {
  const { t } = useLingui()
  const { formatDate } = useFormats()
  const changeColumns = useChangeColumns(changes)
  const { total: totalChanges, scans: changedScans } = changes
  const listedScans = changedScans.filter(hasChanged)
  const formattedSince = formatDate(changes.since)
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-new">
      <div className={styles.head}>
        <h2 id="rollup-new">
          {t`New since ${formattedSince}`} <span className={styles.period}>{t`Always 7 days`}</span>
        </h2>
        {changedScans.some(({ compared }) => compared > 0) ? (
          <p className={styles.sums}>
            <ChangeTotal value={totalChanges.new} name={t`new`} />
            <ChangeTotal value={totalChanges.newCritical} name={t`of them critical`} />
            <ChangeTotal value={totalChanges.fixed} name={t`fixed`} />
            <ChangeTotal value={totalChanges.back} name={t`reappeared`} />
            {totalChanges.newlyIgnored > 0 && <ChangeTotal value={totalChanges.newlyIgnored} name={t`newly ignored`} />}
            {totalChanges.issuesGone > 0 && <ChangeTotal value={totalChanges.issuesGone} name={t`gone with their pages`} />}
            {totalChanges.notRechecked > 0 && <ChangeTotal value={totalChanges.notRechecked} name={t`not tested again`} />}
          </p>
        ) : (
          changedScans.length > 0 && <p>{t`First runs only: there is nothing yet to compare them with.`}</p>
        )}
      </div>
      {changedScans.length === 0 && <p className={styles.head}>{t`No run ended in this period.`}</p>}
      {listedScans.length > 0 && (
        <DataTable
          caption={t`New since ${formattedSince}`}
          columns={changeColumns}
          rows={listedScans.slice(0, maxListedScans)}
          rowKey={({ scanId }) => scanId}
        />
      )}
      {changedScans.length > listedScans.length && (
        <p className={`${styles.head} ${layout.muted} ${layout.sm}`}>
          <Plural
            value={changedScans.length - listedScans.length}
            one="# scan ran without a change."
            other="# scans ran without a change."
          />
        </p>
      )}
      {listedScans.length > maxListedScans && (
        <p className={`${styles.head} ${layout.muted} ${layout.sm}`}>
          <Plural
            value={listedScans.length - maxListedScans}
            one="# more scan has fewer new issues."
            other="# more scans have fewer new issues."
          />
        </p>
      )}
    </section>
  )
}

function ChangeTotal({ value, name }: { value: number; name: ReactNode }) {
  const { formatNumber } = useFormats()
  return (
    <span>
      <b>{formatNumber(value)}</b> {name}
    </span>
  )
}

function useChangeColumns({ scans }: RollupChangesData): Column<ScanChangesRow>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  // A first run has no previous run, so new and fixed do not apply.
  const notComparable = <UnknownValue label={t`nothing to compare with`} />
  const renderCount = (row: ScanChangesRow, value: number) => (row.compared === 0 ? notComparable : <Count value={value} />)
  const notRecheckedColumn: Column<ScanChangesRow> = {
    key: 'notRechecked',
    heading: t`Not tested again`,
    isNumeric: true,
    isOptional: true,
    renderCell: (row) => renderCount(row, row.notRechecked),
  }
  const ignoredColumn: Column<ScanChangesRow> = {
    key: 'ignored',
    heading: t`Newly ignored`,
    isNumeric: true,
    isOptional: true,
    renderCell: (row) => renderCount(row, row.newlyIgnored),
  }
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
      key: 'score',
      heading: t`Score`,
      isSelfExplaining: true,
      renderCell: ({ score }) => (score === null ? <UnknownValue label={t`No score`} /> : <ScoreBar score={score} />),
    },
    {
      key: 'new',
      heading: t`New`,
      isNumeric: true,
      isOptional: true,
      renderCell: (row) =>
        row.compared === 0 ? (
          <span className={`${layout.muted} ${layout.nowrap}`}>{t`First run`}</span>
        ) : (
          <Count value={row.new} />
        ),
    },
    {
      key: 'critical',
      heading: t`New, critical`,
      isNumeric: true,
      isOptional: true,
      renderCell: (row) => renderCount(row, row.newCritical),
    },
    {
      key: 'fixed',
      heading: t`Fixed`,
      isNumeric: true,
      isOptional: true,
      renderCell: (row) => renderCount(row, row.fixed),
    },
    { key: 'back', heading: t`Reappeared`, isNumeric: true, isOptional: true, renderCell: (row) => renderCount(row, row.back) },
    ...(scans.some(({ newlyIgnored }) => newlyIgnored > 0) ? [ignoredColumn] : []),
    ...(scans.some(({ notRechecked }) => notRechecked > 0) ? [notRecheckedColumn] : []),
    { key: 'runs', heading: t`Completed runs`, isNumeric: true, renderCell: (row) => formatNumber(row.runs) },
  ]
}
