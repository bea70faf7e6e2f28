import { useLingui } from '@lingui/react/macro'
import type { IssueSummary } from '@clearway/contract/monitor/issue/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { RowLink, useListSearch } from '../../../kit/list/row-link.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { UnknownValue } from '../../../kit/page/states.tsx'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import { sourceWords } from '../../page/parts/source-words.ts'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { useRuleTitle } from '../../ruleset/queries-texts.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { shortUrl } from '../../scan/model.ts'
import { useSession } from '../../user/model.ts'
import type { IssueSearch } from '../model.ts'
import { prefetchIssue } from '../queries.ts'
import { TicketLink } from '../parts/ticket-link.tsx'
import { changeWords, statusWords } from '../parts/words.ts'
import styles from './table.module.css'

type Props = {
  rows: readonly IssueSummary[]
  columns: readonly Column<IssueSummary>[]
  search: IssueSearch
  busy: boolean
  onSort: (sort: IssueSearch['sort']) => void
  /** Ticks over pages; null for those who can do nothing with them. */
  selected: SelectionState | null
}

/** What is shown before anybody chooses columns; there is less room beside an open issue, which says the rest. */
export const usualColumns = ['severity', 'pages', 'status', 'person']
/** Of these, what gives its room to an open issue. */
export const yieldsToIssue = ['pages', 'person']

/** The issues, worst first unless sorted otherwise; the name of each opens its detail. */
export function IssueTable({ rows, columns, search, busy, onSort, selected }: Props) {
  const { t, i18n } = useLingui()
  const titleOf = useRuleTitle(i18n.locale)
  // A row of a template stands for all of its issues.
  const idOf = ({ id, templateId }: IssueSummary) => (search.grouped ? templateId : id)
  return (
    <DataTable
      caption={t`Issues`}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => onSort(sort as IssueSearch['sort'])}
      isBusy={busy}
      selectedKey={search.issue}
      {...(selected
        ? {
            rowSelection: {
              isSelected: (issue: IssueSummary) => selected.isSelected(idOf(issue)),
              getRowName: ({ rule, help, selector }: IssueSummary) => `${titleOf(rule, help)}, ${selector}`,
              onToggle: (issue: IssueSummary) => selected.toggleRow(idOf(issue)),
              onTogglePage: (on: boolean) => selected.togglePage(rows.map(idOf), on),
            },
          }
        : {})}
    />
  )
}

/** Every column that the list can have. */
export function useIssueColumns(search: IssueSearch): readonly Column<IssueSummary>[] {
  const { t } = useLingui()
  const { formatNumber: number, formatAge: age, formatDateTime: dateTime } = useFormats()
  const oneScan = search.scanId.length === 1
  const listed = useListSearch(search, 'issue')
  return useMemo(
    () => [
      {
        key: 'severity',
        heading: t`Impact`,
        sortField: 'severity',
        renderCell: (issue) => <SignLabel sign={issue.severity} />,
      },
      {
        key: 'rule',
        heading: t`Issue`,
        sortField: 'rule',
        isRowHeading: true,
        renderCell: (issue) => <Name issue={issue} oneScan={oneScan} listed={listed} />,
      },
      {
        key: 'pages',
        heading: t`Pages`,
        sortField: 'pages',
        firstDirection: 'desc',
        isNumeric: true,
        renderCell: (issue) => number(issue.pages),
      },
      {
        key: 'status',
        heading: t`Status`,
        sortField: 'status',
        renderCell: (issue) => (
          <>
            <span className={layout.nowrap}>{t(statusWords[issue.status])}</span>
            {issue.change && issue.change !== 'still' && (
              <span className={`${layout.muted} ${layout.sm} ${layout.nowrap} ${styles.second}`}>
                {t(changeWords[issue.change])}
              </span>
            )}
          </>
        ),
      },
      {
        key: 'age',
        heading: t`Age`,
        sortField: 'firstSeenAt',
        renderCell: (issue) => (
          <time className={layout.nowrap} dateTime={issue.firstSeenAt} title={dateTime(issue.firstSeenAt)}>
            {age(issue.firstSeenAt)}
          </time>
        ),
      },
      {
        key: 'change',
        heading: t`Change since last run`,
        sortField: 'change',
        renderCell: (issue) => (issue.change ? t(changeWords[issue.change]) : <UnknownValue label={t`Not known`} />),
      },
      {
        key: 'person',
        heading: t`Assignee`,
        sortField: 'assignedTo',
        renderCell: ({ assignedTo }) =>
          assignedTo ? (assignedTo.name ?? t`Former member`) : <UnknownValue label={t`Nobody`} />,
      },
      {
        key: 'selector',
        heading: t`Selector`,
        sortField: 'selector',
        renderCell: (issue) => (
          <code translate="no" className={layout.break}>
            {issue.selector}
          </code>
        ),
      },
      {
        key: 'page',
        heading: t`Page`,
        sortField: 'pageUrl',
        renderCell: (issue) => <span className={layout.break}>{issue.pageUrl}</span>,
      },
      {
        key: 'ticket',
        heading: t`Ticket`,
        renderCell: (issue) =>
          issue.ticketUrl === null ? <UnknownValue label={t`None`} /> : <TicketLink url={issue.ticketUrl} />,
      },
      { key: 'source', heading: t`Source`, renderCell: (issue) => t(sourceWords[issue.source]) },
      wordColumn('labels', t`Labels`, ({ labels }) => labels),
      wordColumn('criteria', t`WCAG`, ({ criteria }) => criteria),
      wordColumn('component', t`Component`, ({ component }) => (component === null ? [] : [component])),
      { key: 'scan', heading: t`Scan`, sortField: 'scan', renderCell: (issue) => issue.scanName },
    ],
    [t, number, age, dateTime, oneScan, listed],
  )
}

const wordColumn = (
  key: string,
  head: string,
  words: (issue: IssueSummary) => readonly string[],
): Column<IssueSummary> => ({ key, heading: head, renderCell: (issue) => <Words words={words(issue)} /> })

function Words({ words }: { words: readonly string[] }) {
  const { t } = useLingui()
  if (words.length === 0) return <UnknownValue label={t`None`} />
  return <span className={layout.break}>{words.join(', ')}</span>
}

type NameProps = {
  issue: IssueSummary
  oneScan: boolean
  listed: IssueSearch
}

function Name({ issue, oneScan, listed }: NameProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const client = useQueryClient()
  return (
    <>
      <RowLink
        id={`issue-${issue.id}`}
        className={styles.name}
        to="/issues"
        listSearch={listed}
        detailParam="issue"
        detailId={issue.id}
        onFocus={() => prefetchIssue({ client, api }, issue, listed.run)}
      >
        <RuleTitle rule={issue.rule} help={issue.help} />
      </RowLink>
      <span className={`${layout.muted} ${layout.sm} ${styles.where}`}>
        <code translate="no">{issue.selector}</code>{' '}
        <span className={layout.break}>{t`on ${shortUrl(issue.pageUrl)}`}</span>
        {!oneScan && <span> · {issue.scanName}</span>}
      </span>
    </>
  )
}
