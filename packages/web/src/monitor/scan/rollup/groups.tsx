import { useLingui } from '@lingui/react/macro'
import type { RollupGroup } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import { toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import styles from './rollup.module.css'

type Group = z.output<typeof RollupGroup>

/** The groups of the scans by their score, the lowest first; nothing while there are no groups. */
export function RollupGroupsCard({ groups }: { groups: readonly Group[] }) {
  const { t } = useLingui()
  const columns = useColumns()
  if (groups.length === 0) return null
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby="rollup-groups">
      <div className={styles.head}>
        <h2 id="rollup-groups">{t`Score by scan group`}</h2>
      </div>
      <DataTable
        caption={t`Score by scan group`}
        columns={columns}
        rows={groups}
        rowKey={({ groupId }) => groupId}
      />
    </section>
  )
}

function useColumns(): readonly Column<Group>[] {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
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
        renderCell: ({ score }) => (score === null ? t`No score yet` : number(toScorePoints(score))),
      },
      { key: 'critical', heading: t`Critical`, isNumeric: true, renderCell: ({ critical }) => number(critical) },
      { key: 'scans', heading: t`Scans`, isNumeric: true, renderCell: ({ scans }) => number(scans) },
    ],
    [t, number],
  )
}
