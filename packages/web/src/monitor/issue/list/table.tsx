import { useLingui } from '@lingui/react/macro'
import type { IssueSummary } from '@clearway/contract/monitor/issue/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { RowLink, useListed } from '../../../kit/list/row-link.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { Unknown } from '../../../kit/page/states.tsx'
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
      busy={busy}
      selected={search.issue}
      {...(selected
        ? {
            ticks: {
              isOn: (issue: IssueSummary) => selected.isOn(idOf(issue)),
              nameOf: ({ rule, help, selector }: IssueSummary) => `${titleOf(rule, help)}, ${selector}`,
              onToggle: (issue: IssueSummary) => selected.toggle(idOf(issue)),
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
  const { number, age, dateTime } = useFormats()
  const oneScan = search.scanId.length === 1
  const listed = useListed(search, 'issue')
  return useMemo(
    () => [
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
        cell: (issue) => <Name issue={issue} oneScan={oneScan} listed={listed} />,
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
              <span className={`${layout.muted} ${layout.sm} ${layout.nowrap} ${styles.second}`}>
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
      {
        key: 'change',
        head: t`Change since last run`,
        sort: 'change',
        cell: (issue) => (issue.change ? t(changeWords[issue.change]) : <Unknown label={t`Not known`} />),
      },
      {
        key: 'person',
        head: t`Assignee`,
        sort: 'assignedTo',
        cell: ({ assignedTo }) =>
          assignedTo ? (assignedTo.name ?? t`Former member`) : <Unknown label={t`Nobody`} />,
      },
      {
        key: 'selector',
        head: t`Selector`,
        sort: 'selector',
        cell: (issue) => (
          <code translate="no" className={layout.break}>
            {issue.selector}
          </code>
        ),
      },
      {
        key: 'page',
        head: t`Page`,
        sort: 'pageUrl',
        cell: (issue) => <span className={layout.break}>{issue.pageUrl}</span>,
      },
      {
        key: 'ticket',
        head: t`Ticket`,
        cell: (issue) =>
          issue.ticketUrl === null ? <Unknown label={t`None`} /> : <TicketLink url={issue.ticketUrl} />,
      },
      { key: 'source', head: t`Source`, cell: (issue) => t(sourceWords[issue.source]) },
      wordColumn('labels', t`Labels`, ({ labels }) => labels),
      wordColumn('criteria', t`WCAG`, ({ criteria }) => criteria),
      wordColumn('component', t`Component`, ({ component }) => (component === null ? [] : [component])),
      { key: 'scan', head: t`Scan`, sort: 'scan', cell: (issue) => issue.scanName },
    ],
    [t, number, age, dateTime, oneScan, listed],
  )
}

const wordColumn = (
  key: string,
  head: string,
  words: (issue: IssueSummary) => readonly string[],
): Column<IssueSummary> => ({ key, head, cell: (issue) => <Words words={words(issue)} /> })

function Words({ words }: { words: readonly string[] }) {
  const { t } = useLingui()
  if (words.length === 0) return <Unknown label={t`None`} />
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
        listed={listed}
        detail="issue"
        opens={issue.id}
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
