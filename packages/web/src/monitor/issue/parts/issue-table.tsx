import { useLingui } from '@lingui/react/macro'
import type { IssueSummary } from '@clearway/contract/monitor/issue/schema.ts'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../../kit/data-table.tsx'
import { DataTable } from '../../../kit/data-table.tsx'
import { useFormats } from '../../../kit/format.ts'
import layout from '../../../kit/layout.module.css'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { shortAddress } from '../../scan/model.ts'
import type { IssueSearch } from '../model.ts'
import { changeWords, statusWords } from './words.ts'
import styles from './issue-table.module.css'

type Props = {
  rows: readonly IssueSummary[]
  search: IssueSearch
  busy: boolean
  onSort: (sort: IssueSearch['sort']) => void
}

/** The issues, worst first unless sorted otherwise; the name of each opens its detail. */
export function IssueTable({ rows, search, busy, onSort }: Props) {
  const { t } = useLingui()
  const columns = useColumns(search)
  return (
    <DataTable
      caption={t`Issues`}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => onSort(sort as IssueSearch['sort'])}
      busy={busy}
      selected={search.issue}
    />
  )
}

function useColumns(search: IssueSearch): readonly Column<IssueSummary>[] {
  const { t } = useLingui()
  const { number, age, dateTime } = useFormats()
  return [
    {
      key: 'severity',
      head: t`Impact`,
      sort: 'severity',
      cell: (issue) => <SignLabel sign={issue.severity} />,
    },
    {
      key: 'rule',
      head: t`Issue`,
      sort: 'rule',
      rowHead: true,
      cell: (issue) => <Name issue={issue} search={search} />,
    },
    {
      key: 'pages',
      head: t`Pages`,
      sort: 'pages',
      first: 'desc',
      numeric: true,
      cell: (issue) => number(issue.pages),
    },
    {
      key: 'status',
      head: t`Status`,
      sort: 'status',
      cell: (issue) => (
        <>
          <span className={layout.nowrap}>{t(statusWords[issue.status])}</span>
          {issue.change && issue.change !== 'still' && (
            <span className={`${layout.muted} ${layout.sm} ${styles.second}`}>
              {t(changeWords[issue.change])}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'age',
      head: t`Age`,
      sort: 'firstSeenAt',
      cell: (issue) => (
        <time className={layout.nowrap} dateTime={issue.firstSeenAt} title={dateTime(issue.firstSeenAt)}>
          {age(issue.firstSeenAt)}
        </time>
      ),
    },
  ]
}

function Name({ issue, search }: { issue: IssueSummary; search: IssueSearch }) {
  const { t } = useLingui()
  return (
    <>
      <Link
        id={`issue-${issue.id}`}
        className={styles.name}
        to="/issues"
        search={{ ...search, issue: issue.id }}
        resetScroll={false}
      >
        <RuleTitle rule={issue.rule} help={issue.help} />
      </Link>
      <span className={`${layout.muted} ${layout.sm} ${styles.where}`}>
        <code translate="no">{issue.selector}</code>{' '}
        <span className={layout.break}>{t`on ${shortAddress(issue.pageUrl)}`}</span>
        {search.scanId.length !== 1 && <span> · {issue.scanName}</span>}
      </span>
    </>
  )
}
