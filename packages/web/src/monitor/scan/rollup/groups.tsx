import { useLingui } from '@lingui/react/macro'
import type { RollupGroup } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import styles from './rollup.module.css'

type RollupGroupRow = z.output<typeof RollupGroup>

/** Scan groups by score, lowest first. A single group compares nothing. */
export function RollupGroupsCard({ groups }: { groups: readonly RollupGroupRow[] }) {
  const { t } = useLingui()
  const groupColumns = useGroupColumns()
  if (groups.length < 2) return null
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-groups">
      <div className={styles.head}>
        <h2 id="rollup-groups">{t`Score by scan group`}</h2>
      </div>
      <DataTable caption={t`Score by scan group`} columns={groupColumns} rows={groups} rowKey={({ groupId }) => groupId} />
    </section>
  )
}

function useGroupColumns(): readonly Column<RollupGroupRow>[] {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  return useMemo(
    () => [
      {
        key: 'group',
        heading: t`Scan group`,
        isRowHeading: true,
        renderCell: ({ groupId, name }) => (
          <Link to="/rollup" search={{ groupId: [groupId] }} className={layout.break}>
            {name}
          </Link>
        ),
      },
      {
        key: 'score',
        heading: t`Score`,
        isNumeric: true,
        renderCell: ({ score }) => (score === null ? t`No score yet` : formatNumber(toScorePoints(score))),
      },
      {
        key: 'critical',
        heading: t`Critical`,
        isNumeric: true,
        renderCell: ({ critical }) => formatNumber(critical),
      },
      { key: 'scans', heading: t`Scans`, isNumeric: true, renderCell: ({ scans }) => formatNumber(scans) },
    ],
    [t, formatNumber],
  )
}
