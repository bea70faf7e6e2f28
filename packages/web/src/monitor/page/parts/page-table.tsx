import { useLingui } from '@lingui/react/macro'
import type { PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import { Link } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import type { Column } from '../../../kit/data-table.tsx'
import { DataTable } from '../../../kit/data-table.tsx'
import { useFormats } from '../../../kit/format.ts'
import { Icon } from '../../../kit/icon.tsx'
import layout from '../../../kit/layout.module.css'
import { Unknown } from '../../../kit/states.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { exclusionTexts, failureTexts, noticeTexts } from './failure-text.ts'
import type { PageSearch, PageTab } from '../model.ts'
import styles from './page-table.module.css'

export type Row = z.output<typeof PageSummary>
type Columns = readonly Column<Row>[]

type Props = {
  rows: readonly Row[]
  search: PageSearch
  busy: boolean
  onSort: (sort: PageSearch['sort']) => void
}

/** The pages of one tab; the name of each opens its detail. */
export function PageTable({ rows, search, busy, onSort }: Props) {
  const { t } = useLingui()
  const columns = useColumns(search)
  return (
    <DataTable
      caption={t`Pages`}
      columns={columns[search.tab]}
      rows={rows}
      rowKey={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => onSort(sort as PageSearch['sort'])}
      busy={busy}
      selected={search.view}
    />
  )
}

function useColumns(search: PageSearch): Record<PageTab, Columns> {
  const { t } = useLingui()
  const { number, duration } = useFormats()
  const name: Column<Row> = {
    key: 'name',
    head: t`Page`,
    sort: 'url',
    rowHead: true,
    cell: (page) => <Name page={page} search={search} />,
  }
  const count = (key: 'critical' | 'serious' | 'moderate', head: string, sort?: string): Column<Row> => ({
    key,
    head,
    ...(sort ? { sort } : {}),
    first: 'desc',
    numeric: true,
    cell: ({ openIssues }) =>
      openIssues[key] === 0 ? (
        <span className={layout.muted}>{number(0)}</span>
      ) : (
        <SignLabel sign={key}>{number(openIssues[key])}</SignLabel>
      ),
  })
  const status: Column<Row> = {
    key: 'status',
    head: t`Answer`,
    sort: 'httpStatus',
    numeric: true,
    cell: ({ httpStatus }) => httpStatus ?? <Unknown label={t`No answer`} />,
  }
  const health: Column<Row> = {
    key: 'health',
    head: t`Health`,
    sort: 'health',
    cell: (page) => (page.health ? <SignLabel sign={page.health} /> : <Unknown label={t`Not known`} />),
  }
  const time: Column<Row> = {
    key: 'time',
    head: t`Took`,
    sort: 'durationMs',
    first: 'desc',
    numeric: true,
    cell: ({ durationMs }) =>
      durationMs === null ? (
        <Unknown label={t`Not known`} />
      ) : (
        <span className={layout.nowrap}>{duration(durationMs)}</span>
      ),
  }
  const failed: Column<Row> = {
    key: 'reason',
    head: t`Reason`,
    cell: ({ failure }) => (failure ? t(failureTexts[failure].what) : ''),
  }
  const left: Column<Row> = {
    key: 'reason',
    head: t`Reason`,
    cell: ({ exclusion, status: state }) => {
      const reason = exclusion ?? (state === 'otherDomainIgnored' ? 'other-domain' : null)
      return reason ? t(exclusionTexts[reason]) : ''
    },
  }
  return {
    completed: [
      health,
      name,
      count('critical', t`Critical`, 'critical'),
      count('serious', t`Serious`, 'serious'),
      count('moderate', t`Moderate`),
      time,
    ],
    failed: [name, failed, status],
    left: [name, left],
  }
}

function Name({ page, search }: { page: Row; search: PageSearch }) {
  const { t } = useLingui()
  return (
    <>
      <Link
        id={`page-${page.id}`}
        className={styles.name}
        to="/pages"
        search={{ ...search, view: page.id }}
        resetScroll={false}
      >
        {page.title || page.url}
      </Link>
      {page.title && <span className={`${layout.muted} ${layout.sm} ${styles.url}`}>{page.url}</span>}
      {search.scanId.length !== 1 && <span className={`${layout.muted} ${layout.sm}`}>{page.scanName}</span>}
      {page.notices.map((notice) => (
        <span key={notice} className={`${layout.sm} ${styles.notice}`}>
          <Icon name="warning" />
          {t(noticeTexts[notice])}
        </span>
      ))}
    </>
  )
}
