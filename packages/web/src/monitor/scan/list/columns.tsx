import { useLingui } from '@lingui/react/macro'
import type { Impact } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { type HealthCounts, isActive } from '@clearway/contract/monitor/run/schema.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { computePointChange, toScorePoints, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { RunState } from '../../run/parts/state.tsx'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'
import { shortUrl } from '../model.ts'
import styles from './columns.module.css'
import { Sparkline } from './sparkline.tsx'

export type RowActions = {
  onFavorite: (scan: ScanSummary) => void
  onStart: (scan: ScanSummary) => void
  onCancel: (scan: ScanSummary) => void
  onEdit: (scan: ScanSummary) => void
  onDuplicate: (scan: ScanSummary) => void
  onTags: (scan: ScanSummary) => void
  onDelete: (scan: ScanSummary) => void
}

/** The columns of the scan list; the same ones as long as the actions are. */
export function useScanColumns(by: ScanSearch['by'], actions: RowActions): readonly Column<ScanSummary>[] {
  const { t } = useLingui()
  const { formatDateTime: dateTime } = useFormats()
  const counts = useCountColumns(by)
  return useMemo(
    () => [
      {
        key: 'favorite',
        heading: t`Favorite`,
        isHeadingHidden: true,
        renderCell: (scan) => (
          <Button
            kind="quiet"
            small
            square
            icon="star"
            className={styles.star ?? ''}
            pressed={scan.favorite}
            label={t`Favorite: ${scan.name}`}
            onPress={() => actions.onFavorite(scan)}
          />
        ),
      },
      { key: 'name', heading: t`Scan`, sortField: 'name', isRowHeading: true, renderCell: (scan) => <Name scan={scan} /> },
      { key: 'score', heading: t`Score`, sortField: 'score', renderCell: (scan) => <ScoreCell scan={scan} /> },
      {
        key: 'trend',
        heading: t`Last 7 runs`,
        renderCell: (scan) => <Sparkline scores={scan.recentScores.map(({ score }) => score)} />,
      },
      ...counts,
      {
        key: 'lastRun',
        heading: t`Last run`,
        sortField: 'lastRun',
        firstDirection: 'desc',
        renderCell: (scan) => <LastRun scan={scan} />,
      },
      {
        key: 'nextRun',
        heading: t`Next run`,
        sortField: 'nextRun',
        renderCell: ({ nextRunAt }) =>
          nextRunAt === null ? (
            <span className={layout.muted}>{t`Not scheduled`}</span>
          ) : (
            <span className={layout.nowrap}>{dateTime(nextRunAt)}</span>
          ),
      },
      {
        key: 'owner',
        heading: t`Owners`,
        sortField: 'owner',
        renderCell: ({ owners }) => owners.map((name) => name ?? t`Former member`).join(', '),
      },
      { key: 'actions', heading: t`Actions`, isHeadingHidden: true, renderCell: (scan) => <Actions scan={scan} {...actions} /> },
    ],
    [t, dateTime, counts, actions],
  )
}

/** How many issues of each impact, or how many pages have them at worst. The last impact has no pages: these are good. */
function useCountColumns(by: ScanSearch['by']): readonly Column<ScanSummary>[] {
  const { t } = useLingui()
  return useMemo(
    () =>
      by === 'issues'
        ? countColumns(
            { critical: t`Critical`, serious: t`Serious`, moderate: t`Moderate`, minor: t`Minor` },
            (severity) => severity,
            (scan, severity) => <Issues scan={scan} severity={severity} />,
          )
        : countColumns(
            {
              critical: t`Critical pages`,
              serious: t`Serious pages`,
              moderate: t`Moderate pages`,
              good: t`Good pages`,
            },
            (health) => `${health}Pages`,
            (scan, health) => <Pages scan={scan} health={health} />,
          ),
    [t, by],
  )
}

const countColumns = <Key extends string>(
  heads: Readonly<Record<Key, string>>,
  sort: (key: Key) => string,
  cell: (scan: ScanSummary, key: Key) => ReactNode,
): Column<ScanSummary>[] =>
  (Object.entries(heads) as [Key, string][]).map(([key, head]) => ({
    key,
    heading: head,
    sortField: sort(key),
    firstDirection: 'desc',
    isNumeric: true,
    renderCell: (scan) => cell(scan, key),
  }))

/** Columns that are there until somebody chooses others. */
export const usualColumns = ['score', 'trend', 'critical', 'serious', 'lastRun']

function Pages({ scan, health }: { scan: ScanSummary; health: keyof z.output<typeof HealthCounts> }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const count = scan.pagesByHealth?.[health]
  if (count === undefined) return <UnknownValue label={t`Not known yet`} />
  if (count === 0) return <span className={layout.muted}>{number(0)}</span>
  return (
    <Link className={styles.count} to="/pages" search={{ scanId: [scan.id], health: [health] }}>
      <SignLabel sign={health}>{number(count)}</SignLabel>
    </Link>
  )
}

function Name({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const first = scan.urls[0]
  const more = scan.urls.length - 1
  return (
    <>
      <Link className={styles.name} to="/scans/$scanId" params={{ scanId: scan.id }}>
        {scan.name}
      </Link>
      {first && (
        <p className={`${layout.muted} ${layout.sm} ${layout.break} ${styles.url}`}>
          {shortUrl(first)}
          {more > 0 && ` ${t`and ${more} more`}`}
        </p>
      )}
      {scan.tags.length > 0 && (
        <ul className={styles.tags} aria-label={t`Tags`}>
          {scan.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function ScoreCell({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const { formatSigned: signed } = useFormats()
  if (scan.score === null)
    return <span className={`${layout.muted} ${layout.nowrap}`}>{t`No score yet`}</span>
  const [before, now] = scan.recentScores.slice(-2).map(({ score }) => score)
  const change = now == null || before == null ? null : computePointChange(now, before)
  return (
    <span className={styles.scoreCell}>
      <span className={styles.score}>{toScorePoints(scan.score)}</span>
      {change !== null && (
        <span
          className={change > 0 ? layout.good : change < 0 ? layout.bad : layout.muted}
          role="img"
          aria-label={`${signed(change)} ${t`since last run`}`}
        >
          {signed(change)}
        </span>
      )}
    </span>
  )
}

function Issues({ scan, severity }: { scan: ScanSummary; severity: Impact }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const count = scan.openIssues?.[severity]
  if (count === undefined) return <UnknownValue label={t`Not known yet`} />
  if (count === 0) return <span className={layout.muted}>{number(0)}</span>
  return (
    <Link className={styles.count} to="/issues" search={{ scanId: [scan.id], severity: [severity] }}>
      <SignLabel sign={severity}>{number(count)}</SignLabel>
    </Link>
  )
}

function LastRun({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const { formatDateTime: dateTime } = useFormats()
  const run = scan.lastRun
  if (!run) return <span className={layout.muted}>{t`Never run`}</span>
  if (run.status === 'completed' && !run.partial)
    return <span className={layout.nowrap}>{dateTime(run.endedAt ?? run.queuedAt)}</span>
  return <RunState run={run} />
}

function Actions({ scan, ...actions }: { scan: ScanSummary } & RowActions) {
  const { t } = useLingui()
  const { onStart, onCancel, onEdit, onDuplicate, onTags, onDelete } = actions
  const { permissions } = useSession()
  const { run, manage } = scan.rights
  const active = scan.lastRun !== null && isActive(scan.lastRun.status)
  const copies = manage && permissions.canCreateScans
  if (!run && !manage) return null
  const entry = (id: string, text: string, onAction: () => void, danger = false) => ({
    id,
    text,
    label: text,
    onAction,
    danger,
  })
  const entries = [
    ...(run && active ? [entry('cancel', t`Cancel run`, () => onCancel(scan))] : []),
    ...(manage ? [entry('edit', t`Edit`, () => onEdit(scan))] : []),
    ...(manage ? [entry('tags', t`Tags…`, () => onTags(scan))] : []),
    ...(copies ? [entry('copy', t`Duplicate…`, () => onDuplicate(scan))] : []),
    ...(manage ? [entry('delete', t`Delete…`, () => onDelete(scan), true)] : []),
  ]
  return (
    <div className={styles.actions}>
      {run && (
        <Button
          small
          square
          icon="play"
          disabled={active}
          label={t`Start run: ${scan.name}`}
          onPress={() => onStart(scan)}
        />
      )}
      {entries.length > 0 && (
        <MenuButton
          label={t`Actions for ${scan.name}`}
          button={{
            kind: 'quiet',
            small: true,
            square: true,
            icon: 'more',
            label: t`Actions for ${scan.name}`,
          }}
          groups={[{ id: 'actions', entries }]}
        />
      )}
    </div>
  )
}
