import { useLingui } from '@lingui/react/macro'
import type { Impact } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { type HealthCounts, isActiveStatus } from '@clearway/contract/monitor/run/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import type { Column } from '../../../kit/table/table.tsx'
import { splitPointChange, useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { createMenuEntry } from '../../../kit/menu/groups.ts'
import { MenuButton } from '../../../kit/menu/menu.tsx'
import { UnknownValue } from '../../../kit/page/states.tsx'
import { type SeveritySign, SignLabel } from '../../ruleset/parts/severity.tsx'
import { ScoreBar } from '../../run/parts/score-bar.tsx'
import { ScoreSoFar } from '../../run/parts/score-so-far.tsx'
import { RunState } from '../../run/parts/state.tsx'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'
import { shortenUrl } from '../model.ts'
import { runningScansQuery } from '../queries.ts'
import { useSignInTexts } from '../parts/sign-in-kind.ts'
import styles from './columns.module.css'
import { Sparkline } from './sparkline.tsx'

export type ScanRowActions = {
  onFavorite: (scan: ScanSummary) => void
  onStart: (scan: ScanSummary) => void
  onCancel: (scan: ScanSummary) => void
  onEdit: (scan: ScanSummary) => void
  onDuplicate: (scan: ScanSummary) => void
  onTags: (scan: ScanSummary) => void
  onDelete: (scan: ScanSummary) => void
}

/** Columns of the scan list. Stable while `actions` is. */
export function useScanColumns(countedBy: ScanSearch['by'], actions: ScanRowActions): readonly Column<ScanSummary>[] {
  const { t } = useLingui()
  const countColumns = useSeverityColumns(countedBy)
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
      {
        key: 'name',
        heading: t`Scan`,
        sortField: 'name',
        isRowHeading: true,
        renderCell: (scan) => <ScanName scan={scan} />,
      },
      {
        key: 'score',
        heading: t`Score`,
        sortField: 'score',
        hasPicture: true,
        renderCell: (scan) => <ScanScoreCell scan={scan} />,
      },
      {
        key: 'trend',
        heading: t`Last 7 runs`,
        isSelfExplaining: true,
        renderCell: (scan) => <Sparkline scores={scan.recentScores.map(({ score }) => score)} />,
      },
      ...countColumns,
      {
        key: 'lastRun',
        heading: t`Last run`,
        sortField: 'lastRun',
        firstDirection: 'desc',
        isSelfExplaining: true,
        renderCell: (scan) => <LastRunCell scan={scan} />,
      },
      {
        key: 'nextRun',
        heading: t`Next run`,
        sortField: 'nextRun',
        renderCell: ({ nextRunAt }) =>
          nextRunAt === null ? <span className={layout.muted}>{t`Not scheduled`}</span> : <Moment at={nextRunAt} />,
      },
      {
        key: 'owner',
        heading: t`Owners`,
        sortField: 'owner',
        renderCell: ({ owners }) => owners.map((name) => name ?? t`Former member`).join(', '),
      },
      {
        key: 'actions',
        heading: t`Actions`,
        isHeadingHidden: true,
        renderCell: (scan) => <ScanActionsCell scan={scan} {...actions} />,
      },
    ],
    [t, countColumns, actions],
  )
}

/** Number of issues by impact, or of pages by their worst issue. Instead of minor issues, the latter counts good pages. */
function useSeverityColumns(countedBy: ScanSearch['by']): readonly Column<ScanSummary>[] {
  const { t } = useLingui()
  return useMemo(
    () =>
      countedBy === 'issues'
        ? createCountColumns(
            { critical: t`Critical`, serious: t`Serious`, moderate: t`Moderate`, minor: t`Minor` },
            (severity) => severity,
            (scan, severity) => <IssueCount scan={scan} severity={severity} />,
          )
        : createCountColumns(
            {
              critical: t`Critical pages`,
              serious: t`Serious pages`,
              moderate: t`Moderate pages`,
              good: t`Good pages`,
            },
            (health) => `${health}Pages`,
            (scan, health) => <PageCount scan={scan} health={health} />,
          ),
    [t, countedBy],
  )
}

const createCountColumns = <Key extends string>(
  headings: Readonly<Record<Key, string>>,
  getSortField: (key: Key) => string,
  renderCell: (scan: ScanSummary, key: Key) => ReactNode,
): Column<ScanSummary>[] =>
  (Object.entries(headings) as [Key, string][]).map(([key, head]) => ({
    key,
    heading: head,
    sortField: getSortField(key),
    firstDirection: 'desc',
    isNumeric: true,
    isSelfExplaining: true,
    renderCell: (scan) => renderCell(scan, key),
  }))

export const defaultColumnKeys = ['score', 'trend', 'critical', 'serious', 'moderate', 'minor', 'lastRun']

function NoCount({ sign }: { sign: SeveritySign }) {
  const { formatNumber } = useFormats()
  return (
    <span className={styles.none}>
      <SignLabel sign={sign}>{formatNumber(0)}</SignLabel>
    </span>
  )
}

function PageCount({ scan, health }: { scan: ScanSummary; health: keyof z.output<typeof HealthCounts> }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const pageCount = scan.pagesByHealth?.[health]
  if (pageCount === undefined) return <UnknownValue label={t`Not known yet`} />
  if (pageCount === 0) return <NoCount sign={health} />
  return (
    <Link className={styles.count} to="/pages" search={{ scanId: [scan.id], health: [health] }}>
      <SignLabel sign={health}>{formatNumber(pageCount)}</SignLabel>
    </Link>
  )
}

function ScanName({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const getSignInTexts = useSignInTexts()
  const firstUrl = scan.urls[0]
  const otherUrlCount = scan.urls.length - 1
  return (
    <>
      <Link className={styles.name} to="/scans/$scanId" params={{ scanId: scan.id }}>
        {scan.name}
      </Link>
      {firstUrl && (
        <p className={`${layout.muted} ${layout.sm} ${layout.break} ${styles.url}`}>
          {shortenUrl(firstUrl)}
          {otherUrlCount > 0 && ` ${t`and ${otherUrlCount} more`}`}
        </p>
      )}
      {scan.signIn.length > 0 && (
        <p className={`${layout.muted} ${layout.sm} ${layout.break}`}>{getSignInTexts(scan.signIn).join(', ')}</p>
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

function ScanScoreCell({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const { formatSigned } = useFormats()
  if (scan.score === null) return <FirstScore scan={scan} />
  const change =
    scan.scoreChange === null
      ? null
      : splitPointChange(scan.score, { score: scan.scoreChange, byDecisions: scan.scoreChangeByDecisions ?? 0 })
  const decidedPoints = formatSigned(change?.byDecisions ?? 0)
  return (
    <span className={styles.scoreCell}>
      <ScoreBar score={scan.score} />
      {change?.bySite === 0 && <span className={layout.hidden}>{t`Unchanged since last run`}</span>}
      {change && change.bySite !== 0 && (
        <span className={change.bySite > 0 ? layout.good : layout.bad}>
          {formatSigned(change.bySite)}
          <span className={layout.hidden}> {t`since last run`}</span>
        </span>
      )}
      {change && change.byDecisions !== 0 && (
        <span className={`${layout.muted} ${layout.sm} ${styles.decided}`}>{t`${decidedPoints} by ignoring`}</span>
      )}
    </span>
  )
}

/** Score of a scan whose first run is in progress, as current as the list of active runs above. */
function FirstScore({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const runningScans = useQuery({ ...runningScansQuery(apiClient, false), enabled: false }).data
  const run = runningScans?.content.find(({ id }) => id === scan.id)?.lastRun ?? scan.lastRun
  if (run && isActiveStatus(run.status)) return <ScoreSoFar key={run.number} run={run} />
  return <span className={layout.muted}>{run ? t`No score` : t`No score yet`}</span>
}

function IssueCount({ scan, severity }: { scan: ScanSummary; severity: Impact }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const issueCount = scan.openIssues?.[severity]
  if (issueCount === undefined) return <UnknownValue label={t`Not known yet`} />
  if (issueCount === 0 && scan.score === null) return <UnknownValue label={t`Not known: no page was tested`} />
  if (issueCount === 0) return <NoCount sign={severity} />
  return (
    <Link className={styles.count} to="/issues" search={{ scanId: [scan.id], severity: [severity] }}>
      <SignLabel sign={severity}>{formatNumber(issueCount)}</SignLabel>
    </Link>
  )
}

function LastRunCell({ scan }: { scan: ScanSummary }) {
  const { t } = useLingui()
  const lastRun = scan.lastRun
  if (!lastRun) return <span className={layout.muted}>{t`Never run`}</span>
  const scoredNumber = scan.recentScores.findLast(({ score }) => score !== null)?.number
  const moment = <Moment at={lastRun.endedAt ?? lastRun.queuedAt} />
  if (lastRun.status === 'completed' && !lastRun.partial)
    return (
      <>
        {moment}
        <p className={`${layout.muted} ${layout.sm} ${styles.run}`}>{t`Run ${lastRun.number}`}</p>
      </>
    )
  return (
    <>
      <RunState run={lastRun} /> {lastRun.endedAt && moment}
      {scoredNumber !== undefined && scoredNumber < lastRun.number && (
        <p className={`${layout.muted} ${layout.sm}`}>{t`Score from run ${scoredNumber}`}</p>
      )}
    </>
  )
}

function Moment({ at }: { at: string }) {
  const { formatDateTime, formatRecent } = useFormats()
  return (
    <time className={layout.moment} dateTime={at} title={formatDateTime(at)}>
      {formatRecent(at)}
    </time>
  )
}

function ScanActionsCell({ scan, ...actions }: { scan: ScanSummary } & ScanRowActions) {
  const { t } = useLingui()
  const { onStart, onCancel, onEdit, onDuplicate, onTags, onDelete } = actions
  const { permissions } = useSession()
  const { run: canRun, manage: canManage } = scan.rights
  const isRunActive = scan.lastRun !== null && isActiveStatus(scan.lastRun.status)
  const menuEntries = [
    ...(canRun && isRunActive ? [createMenuEntry('cancel', t`Cancel run`, () => onCancel(scan))] : []),
    ...(canManage
      ? [
          createMenuEntry('edit', t`Edit`, () => onEdit(scan)),
          createMenuEntry('tags', t`Tags…`, () => onTags(scan)),
          ...(permissions.canCreateScans ? [createMenuEntry('copy', t`Duplicate…`, () => onDuplicate(scan))] : []),
          createMenuEntry('delete', t`Delete…`, () => onDelete(scan), true),
        ]
      : []),
  ]
  return (
    <div className={styles.actions}>
      {canRun && (
        <Button
          kind="quiet"
          small
          square
          icon="play"
          disabled={isRunActive}
          label={t`Start run: ${scan.name}`}
          onPress={() => onStart(scan)}
        />
      )}
      {menuEntries.length > 0 && (
        <MenuButton
          label={t`Actions for ${scan.name}`}
          button={{
            kind: 'quiet',
            small: true,
            square: true,
            icon: 'more',
            label: t`Actions for ${scan.name}`,
          }}
          groups={[{ id: 'actions', entries: menuEntries }]}
        />
      )}
    </div>
  )
}
