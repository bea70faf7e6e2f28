import { useLingui } from '@lingui/react/macro'
import type { PageSummary, PageTab } from '@clearway/contract/monitor/page/schema.ts'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { RowLink, useListSearch } from '../../../kit/list/row-link.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice, UnknownValue } from '../../../kit/page/states.tsx'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { exclusionTexts, failureTexts, noticeTexts, runNotices } from '../parts/failure-text.ts'
import { sourceWords } from '../parts/source-words.ts'
import type { PageSearch } from '../model.ts'
import styles from './table.module.css'

export type Row = z.output<typeof PageSummary>
type Columns = readonly Column<Row>[]

type Props = {
  rows: readonly Row[]
  columns: Columns
  search: PageSearch
  busy: boolean
  onSort: (sort: PageSearch['sort']) => void
  /** Ticks over pages of the list; null for whom nothing can be done with them. */
  selected: SelectionState | null
}

/** What each tab shows before anybody chooses columns. */
export const usualColumns: Record<PageTab, readonly string[]> = {
  completed: ['health', 'critical', 'serious', 'moderate', 'change'],
  failed: ['reason', 'status'],
  excluded: ['reason'],
}

/** The pages of one tab; the name of each opens its detail. */
export function PageTable({ rows, columns, search, busy, onSort, selected }: Props) {
  const { t } = useLingui()
  return (
    <DataTable
      caption={t`Pages`}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => onSort(sort as PageSearch['sort'])}
      isBusy={busy}
      selectedKey={search.view}
      {...(selected
        ? {
            rowSelection: {
              isSelected: ({ id }: Row) => selected.isSelected(id),
              getRowName: ({ title, url }: Row) => title || url,
              onToggle: ({ id }: Row) => selected.toggleRow(id),
              onTogglePage: (on: boolean) =>
                selected.togglePage(
                  rows.map(({ id }) => id),
                  on,
                ),
            },
          }
        : {})}
    />
  )
}

/** Every column that each tab can have; the same ones until the language changes, or how many scans are looked at. */
export function usePageColumns(search: PageSearch): Record<PageTab, Columns> {
  const { t } = useLingui()
  const { formatNumber: number, formatDuration: duration, formatDateTime: dateTime } = useFormats()
  const oneScan = search.scanId.length === 1
  const listed = useListSearch(search, 'view')
  return useMemo(() => {
    const name: Column<Row> = {
      key: 'name',
      heading: t`Page`,
      sortField: 'url',
      isRowHeading: true,
      renderCell: (page) => <Name page={page} oneScan={oneScan} listed={listed} />,
    }
    const count = (key: 'critical' | 'serious' | 'moderate' | 'minor', head: string): Column<Row> => ({
      key,
      heading: head,
      sortField: key,
      firstDirection: 'desc',
      isNumeric: true,
      renderCell: ({ openIssues }) =>
        openIssues[key] === 0 ? (
          <span className={layout.muted}>{number(0)}</span>
        ) : (
          <SignLabel sign={key}>{number(openIssues[key])}</SignLabel>
        ),
    })
    const status: Column<Row> = {
      key: 'status',
      heading: t`HTTP status`,
      sortField: 'httpStatus',
      isNumeric: true,
      renderCell: ({ httpStatus }) => httpStatus ?? <UnknownValue label={t`No answer`} />,
    }
    const health: Column<Row> = {
      key: 'health',
      heading: t`Health`,
      sortField: 'health',
      renderCell: (page) => (page.health ? <SignLabel sign={page.health} /> : <UnknownValue label={t`Not known`} />),
    }
    const time: Column<Row> = {
      key: 'time',
      heading: t`Duration`,
      sortField: 'durationMs',
      firstDirection: 'desc',
      isNumeric: true,
      renderCell: ({ durationMs }) =>
        durationMs === null ? (
          <UnknownValue label={t`Not known`} />
        ) : (
          <span className={layout.nowrap}>{duration(durationMs)}</span>
        ),
    }
    const failed: Column<Row> = {
      key: 'reason',
      heading: t`Reason`,
      renderCell: ({ failure }) => (failure ? t(failureTexts[failure].what) : ''),
    }
    const excluded: Column<Row> = {
      key: 'reason',
      heading: t`Reason`,
      renderCell: (page) => <Excluded page={page} />,
    }
    const fact = (key: string, head: string, sort: string, cell: (page: Row) => ReactNode): Column<Row> => ({
      key,
      heading: head,
      sortField: sort,
      renderCell: cell,
    })
    const facts = [
      fact('source', t`Source`, 'source', ({ source }) => t(sourceWords[source])),
      fact('depth', t`Levels below the start`, 'depth', ({ depth }) => number(depth)),
      fact('tested', t`Tested`, 'analysedAt', ({ analysedAt }) =>
        analysedAt ? dateTime(analysedAt) : <UnknownValue label={t`Not known`} />,
      ),
      fact('scan', t`Scan`, 'scan', ({ scanName }) => scanName),
    ]
    const own = [
      count('minor', t`Minor`),
      fact('fixed', t`Fixed`, 'fixedIssues', ({ fixedIssues }) => number(fixedIssues)),
      status,
    ]
    return {
      completed: [
        health,
        name,
        count('critical', t`Critical`),
        count('serious', t`Serious`),
        count('moderate', t`Moderate`),
        changeColumn(t`Change`),
        time,
        ...own,
        ...facts,
      ],
      failed: [name, failed, status, time, ...facts],
      excluded: [name, excluded, ...facts],
    }
  }, [t, number, duration, dateTime, oneScan, listed])
}

function Excluded({ page }: { page: Row }) {
  const { t } = useLingui()
  const reason = page.exclusion ?? (page.status === 'otherDomainIgnored' ? 'other-domain' : null)
  return reason && t(exclusionTexts[reason])
}

const changeColumn = (head: string): Column<Row> => ({
  key: 'change',
  heading: head,
  sortField: 'change',
  firstDirection: 'desc',
  isNumeric: true,
  renderCell: ({ change }) => <Change change={change} />,
})

function Change({ change }: Pick<Row, 'change'>) {
  const { t } = useLingui()
  const { formatSigned: signed } = useFormats()
  if (change === null) return <UnknownValue label={t`Not known`} />
  const { openIssues: more, isNew, previousNumber: before } = change
  return (
    <>
      <span className={more > 0 ? layout.bad : more < 0 ? layout.good : layout.muted}>{signed(more)}</span>
      {isNew && <span className={`${layout.sm} ${styles.fresh}`}>{t`Not tested in run ${before}`}</span>}
    </>
  )
}

const isOfPage = (notice: Row['notices'][number]) => !runNotices.includes(notice)

/** What concerns the runs of the listed pages, each once. */
export function RunNotices({ rows }: { rows: readonly Pick<Row, 'notices'>[] }) {
  const { t } = useLingui()
  return runNotices
    .filter((notice) => rows.some(({ notices }) => notices.includes(notice)))
    .map((notice) => <Notice key={notice} kind="caution" title={t(noticeTexts[notice])} />)
}

type NameProps = {
  page: Row
  oneScan: boolean
  listed: PageSearch
}

function Name({ page, oneScan, listed }: NameProps) {
  const { t } = useLingui()
  return (
    <>
      <RowLink
        id={`page-${page.id}`}
        className={styles.name}
        to="/pages"
        listSearch={listed}
        detailParam="view"
        detailId={page.id}
      >
        {page.title || page.url}
      </RowLink>
      {page.title && <span className={`${layout.muted} ${layout.sm} ${styles.url}`}>{page.url}</span>}
      {!oneScan && <span className={`${layout.muted} ${layout.sm}`}>{page.scanName}</span>}
      {page.notices.filter(isOfPage).map((notice) => (
        <span key={notice} className={`${layout.sm} ${styles.notice}`}>
          <Icon name="warning" />
          {t(noticeTexts[notice])}
        </span>
      ))}
    </>
  )
}
