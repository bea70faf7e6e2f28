import { useLingui } from '@lingui/react/macro'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { healthScores } from '@clearway/contract/monitor/page/model.ts'
import type { PageSummary, PageTab } from '@clearway/contract/monitor/page/schema.ts'
import { type ReactNode, useMemo } from 'react'
import type * as z from 'zod/mini'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { RowLink, useListSearch } from '../../../kit/list/row-link.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice, UnknownValue } from '../../../kit/page/states.tsx'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { shortenUrl } from '../../scan/model.ts'
import { PageIssueCounts } from '../parts/issue-counts.tsx'
import { exclusionTexts, failureTexts, noticeTexts, runNotices } from '../parts/reason-text.ts'
import { sourceLabels } from '../parts/source-labels.ts'
import type { PageSearch } from '../model.ts'
import styles from './table.module.css'

export type PageRow = z.output<typeof PageSummary>
type PageColumns = readonly Column<PageRow>[]

type PageTableProps = {
  rows: readonly PageRow[]
  columns: PageColumns
  search: PageSearch
  isBusy: boolean
  onSort: (sort: PageSearch['sort']) => void
  /** Selection across pages of the list; null for users without permission to change pages. */
  selectionState: SelectionState | null
}

const defaultColumnKeys: Record<PageTab, readonly string[]> = {
  completed: ['health', 'score', 'issues'],
  failed: ['reason', 'status'],
  excluded: ['reason'],
}

const hasChange = ({ change }: Pick<PageRow, 'change'>): boolean => change !== null && (change.openIssues !== 0 || change.isNew)

/** The default columns: with the change since the previous run if a row has one. */
export const getDefaultColumnKeys = (tab: PageTab, rows: readonly PageRow[]): readonly string[] =>
  tab === 'completed' && rows.some(hasChange) ? [...defaultColumnKeys[tab], 'change'] : defaultColumnKeys[tab]

export function PageTable({ rows, columns, search, isBusy, onSort, selectionState }: PageTableProps) {
  const { t } = useLingui()
  return (
    <DataTable
      caption={t`Pages`}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => onSort(sort as PageSearch['sort'])}
      isBusy={isBusy}
      selectedKey={search.view}
      {...(selectionState
        ? {
            rowSelection: {
              isSelected: ({ id }: PageRow) => selectionState.isSelected(id),
              getRowName: ({ title, url }: PageRow) => title || url,
              onToggle: ({ id }: PageRow) => selectionState.toggleRow(id),
              onTogglePage: (on: boolean) =>
                selectionState.togglePage(
                  rows.map(({ id }) => id),
                  on,
                ),
            },
          }
        : {})}
    />
  )
}

const createFactColumn = (
  key: string,
  heading: string,
  sortField: string,
  renderCell: (page: PageRow) => ReactNode,
): Column<PageRow> => ({ key, heading, sortField, renderCell, isSelfExplaining: key === 'health' })

/** All available columns of each tab. Stable until the language changes, or the list switches between one and several scans. */
export function usePageColumns(search: PageSearch): Record<PageTab, PageColumns> {
  const { t } = useLingui()
  const { formatNumber, formatDuration, formatDateTime } = useFormats()
  const isSingleScan = search.scanId.length === 1
  const listSearch = useListSearch(search, 'view')
  return useMemo(() => {
    const nameColumn: Column<PageRow> = {
      key: 'name',
      heading: t`Page`,
      sortField: 'url',
      isRowHeading: true,
      renderCell: (page) => <PageName page={page} isSingleScan={isSingleScan} listSearch={listSearch} />,
    }
    const createCountColumn = (key: 'critical' | 'serious' | 'moderate' | 'minor', heading: string): Column<PageRow> => ({
      key,
      heading,
      sortField: key,
      firstDirection: 'desc',
      isNumeric: true,
      isOptional: true,
      isSelfExplaining: true,
      renderCell: ({ openIssues }) =>
        openIssues[key] === 0 ? (
          <UnknownValue label={formatNumber(0)} />
        ) : (
          <SignLabel sign={key}>{formatNumber(openIssues[key])}</SignLabel>
        ),
    })
    const statusColumn: Column<PageRow> = {
      key: 'status',
      heading: t`HTTP status`,
      sortField: 'httpStatus',
      isNumeric: true,
      isHiddenBesideDetail: true,
      renderCell: ({ httpStatus }) => httpStatus ?? <UnknownValue label={t`No answer`} />,
    }
    const healthColumn: Column<PageRow> = {
      ...createFactColumn('health', t`Health`, 'health', (page) => <PageHealth health={page.health} />),
      isWorstFirst: true,
    }
    const durationColumn: Column<PageRow> = {
      key: 'time',
      heading: t`Duration`,
      sortField: 'durationMs',
      firstDirection: 'desc',
      isNumeric: true,
      renderCell: ({ durationMs }) =>
        durationMs === null ? (
          <UnknownValue label={t`Not known`} />
        ) : (
          <span className={layout.nowrap}>{formatDuration(durationMs)}</span>
        ),
    }
    const createReasonColumn = (renderCell: Column<PageRow>['renderCell']): Column<PageRow> => ({
      key: 'reason',
      heading: t`Reason`,
      renderCell,
    })
    const failureColumn = createReasonColumn(({ failure }) => (failure ? t(failureTexts[failure].what) : ''))
    const exclusionColumn = createReasonColumn((page) => <ExclusionText page={page} />)
    const factColumns = [
      createFactColumn('source', t`Source`, 'source', ({ source }) => t(sourceLabels[source])),
      createFactColumn('depth', t`Levels below the start`, 'depth', ({ depth }) => formatNumber(depth)),
      createFactColumn('tested', t`Tested`, 'analysedAt', ({ analysedAt }) =>
        analysedAt ? formatDateTime(analysedAt) : <UnknownValue label={t`Not known`} />,
      ),
      createFactColumn('scan', t`Scan`, 'scan', ({ scanName }) => scanName),
    ]
    const notRecheckedColumn = createFactColumn('notRechecked', t`Not tested again`, 'notRecheckedIssues', (page) =>
      formatNumber(page.notRecheckedIssues),
    )
    const extraColumns = [
      createCountColumn('minor', t`Minor`),
      createFactColumn('fixed', t`Fixed`, 'fixedIssues', ({ fixedIssues }) => formatNumber(fixedIssues)),
      notRecheckedColumn,
      statusColumn,
    ]
    return {
      completed: [
        healthColumn,
        nameColumn,
        createScoreColumn(t`Score`, t`Not known`),
        createIssueColumn(t`Open issues`),
        createCountColumn('critical', t`Critical`),
        createCountColumn('serious', t`Serious`),
        createCountColumn('moderate', t`Moderate`),
        createChangeColumn(t`Change`),
        durationColumn,
        ...extraColumns,
        ...factColumns,
      ],
      failed: [nameColumn, failureColumn, statusColumn, durationColumn, notRecheckedColumn, ...factColumns],
      excluded: [nameColumn, exclusionColumn, ...factColumns],
    }
  }, [t, formatNumber, formatDuration, formatDateTime, isSingleScan, listSearch])
}

function PageHealth({ health }: Pick<PageRow, 'health'>) {
  const { t } = useLingui()
  if (!health) return <UnknownValue label={t`Not known`} />
  return (
    <span className={styles.health}>
      <SignLabel sign={health} />
    </span>
  )
}

const createScoreColumn = (heading: string, unknownLabel: string): Column<PageRow> => ({
  key: 'score',
  heading,
  isNumeric: true,
  isHiddenBesideDetail: true,
  renderCell: ({ health }) => (health ? toScorePoints(healthScores[health]) : <UnknownValue label={unknownLabel} />),
})

const createIssueColumn = (heading: string): Column<PageRow> => ({
  key: 'issues',
  heading,
  sortField: 'openIssues',
  firstDirection: 'desc',
  isSelfExplaining: true,
  isOptional: true,
  renderCell: ({ openIssues }) => <PageIssueCounts openIssues={openIssues} />,
})

function ExclusionText({ page }: { page: PageRow }) {
  const { t } = useLingui()
  const exclusionReason = page.exclusion ?? (page.status === 'otherDomainIgnored' ? 'other-domain' : null)
  return exclusionReason && t(exclusionTexts[exclusionReason])
}

const createChangeColumn = (heading: string): Column<PageRow> => ({
  key: 'change',
  heading,
  sortField: 'change',
  firstDirection: 'desc',
  isNumeric: true,
  isHiddenBesideDetail: true,
  isOptional: true,
  renderCell: ({ change }) => <IssueCountChange change={change} />,
})

function IssueCountChange({ change }: Pick<PageRow, 'change'>) {
  const { t } = useLingui()
  const { formatSigned } = useFormats()
  if (change === null) return <UnknownValue label={t`Not known`} />
  if (!hasChange({ change })) return <UnknownValue label={formatSigned(0)} />
  const { openIssues: issueChange, isNew: isNewPage, previousNumber: previousRunNumber } = change
  return (
    <>
      <span className={issueChange > 0 ? layout.bad : issueChange < 0 ? layout.good : layout.muted}>
        {formatSigned(issueChange)}
      </span>
      {isNewPage && <span className={`${layout.sm} ${styles.fresh}`}>{t`Not tested in run ${previousRunNumber}`}</span>}
    </>
  )
}

const isPageNotice = (notice: PageRow['notices'][number]) => !runNotices.includes(notice)

/** Notices about the runs of the listed pages, each shown once. */
export function RunNotices({ rows }: { rows: readonly Pick<PageRow, 'notices'>[] }) {
  const { t } = useLingui()
  return runNotices
    .filter((notice) => rows.some(({ notices }) => notices.includes(notice)))
    .map((notice) => <Notice key={notice} kind="caution" title={t(noticeTexts[notice])} />)
}

type PageNameProps = {
  page: PageRow
  isSingleScan: boolean
  listSearch: PageSearch
}

function PageName({ page, isSingleScan, listSearch }: PageNameProps) {
  const { t } = useLingui()
  return (
    <>
      <RowLink
        id={`page-${page.id}`}
        className={styles.name}
        to="/pages"
        listSearch={listSearch}
        detailParam="view"
        detailId={page.id}
      >
        {page.title || <UrlText url={shortenUrl(page.url)} />}
      </RowLink>
      <span className={`${layout.muted} ${layout.sm} ${styles.url}`}>
        {page.title ? <UrlText url={shortenUrl(page.url)} /> : page.status === 'completed' && t`No title`}
      </span>
      {!isSingleScan && <span className={`${layout.muted} ${layout.sm}`}>{page.scanName}</span>}
      {page.notices.filter(isPageNotice).map((notice) => (
        <span key={notice} className={`${layout.sm} ${styles.notice}`}>
          <Icon name="warning" />
          {t(noticeTexts[notice])}
        </span>
      ))}
    </>
  )
}
