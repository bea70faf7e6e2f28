import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { IssueSummary } from '@clearway/contract/monitor/issue/schema.ts'
import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { RowLink, useListSearch } from '../../../kit/list/row-link.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { smallScreenQuery, useMediaQuery } from '../../../kit/page/use-media-query.ts'
import { UnknownValue } from '../../../kit/page/states.tsx'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import { sourceLabels } from '../../page/parts/source-labels.ts'
import { RuleTitle, useResultTitle } from '../../ruleset/parts/rule-title.tsx'
import { getCriterionName } from '../../ruleset/parts/criterion-name.ts'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { shortenUrl } from '../../scan/model.ts'
import { useSession } from '../../user/model.ts'
import type { IssueSearch } from '../model.ts'
import { prefetchIssue } from '../queries.ts'
import { TicketLink } from '../panel/ticket-link.tsx'
import { changeLabels, engineLabels, reviewLabels, statusLabels } from '../panel/value-labels.ts'
import { getStateName } from '../parts/state-label.ts'
import styles from './table.module.css'

type IssueTableProps = {
  rows: readonly IssueSummary[]
  columns: readonly Column<IssueSummary>[]
  search: IssueSearch
  isBusy: boolean
  onSort: (sort: IssueSearch['sort']) => void
  /** Selection across pages; null for users without permission to change issues. */
  selectionState: SelectionState | null
}

const hasOneStatus = ({ status }: Pick<IssueSearch, 'status'>): boolean => status.length === 1

/** The default columns: without those in which all rows would have the same, or nothing. */
export function getDefaultColumnKeys(search: IssueSearch, rows: readonly IssueSummary[], isSmall: boolean): readonly string[] {
  const isShown = {
    severity: true,
    criteria: !isSmall && rows.some(({ criteria }) => criteria.length > 0),
    pages: rows.some(({ pages }) => pages > 1),
    status: !hasOneStatus(search),
    age: true,
    person: rows.some(({ assignedTo }) => assignedTo),
  }
  return Object.entries(isShown).flatMap(([key, shown]) => (shown ? [key] : []))
}

export function IssueTable({ rows, columns, search, isBusy, onSort, selectionState }: IssueTableProps) {
  const { t } = useLingui()
  const getResultTitle = useResultTitle()
  // In a grouped list, a row represents all issues of its template.
  const getRowId = ({ id, templateId }: IssueSummary) => (search.grouped ? templateId : id)
  return (
    <DataTable
      caption={t`Issues`}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => onSort(sort as IssueSearch['sort'])}
      isBusy={isBusy}
      selectedKey={search.issue}
      {...(selectionState
        ? {
            rowSelection: {
              isSelected: (issue: IssueSummary) => selectionState.isSelected(getRowId(issue)),
              getRowName: ({ rule, help, needsReview, selector }: IssueSummary) =>
                `${getResultTitle({ rule, help, isUndecided: needsReview })}, ${selector}`,
              onToggle: (issue: IssueSummary) => selectionState.toggleRow(getRowId(issue)),
              onTogglePage: (on: boolean) => selectionState.togglePage(rows.map(getRowId), on),
            },
          }
        : {})}
    />
  )
}

const createPersonColumn = (heading: string, formerMember: string, nobody: string): Column<IssueSummary> => ({
  key: 'person',
  heading,
  sortField: 'assignedTo',
  isOptional: true,
  isHiddenBesideDetail: true,
  renderCell: ({ assignedTo }) => (assignedTo ? (assignedTo.name ?? formerMember) : <UnknownValue label={nobody} />),
})

export function useIssueColumns(search: IssueSearch): readonly Column<IssueSummary>[] {
  const { t } = useLingui()
  const { formatAge, formatDateTime, formatNumber } = useFormats()
  const isSmall = useMediaQuery(smallScreenQuery)
  const isSingleScan = search.scanId.length === 1
  const isOneStatus = hasOneStatus(search)
  const { grouped: isGrouped } = search
  const listSearch = useListSearch(search, 'issue')
  const { permissions } = useSession()
  return useMemo(
    () => [
      {
        key: 'severity',
        heading: t`Impact`,
        sortField: 'severity',
        isWorstFirst: true,
        isSelfExplaining: true,
        renderCell: (issue) => <Impact issue={issue} />,
      },
      {
        key: 'rule',
        heading: t`Issue`,
        sortField: 'rule',
        isRowHeading: true,
        renderCell: (issue) => (
          <IssueName issue={issue} isSingleScan={isSingleScan} isGrouped={isGrouped} listSearch={listSearch} />
        ),
      },
      createCriteriaColumn(t`WCAG`),
      {
        key: 'pages',
        heading: t`Pages`,
        sortField: 'pages',
        firstDirection: 'desc',
        // A card names its numbers in one line.
        isNumeric: !isSmall,
        isSelfExplaining: true,
        isHiddenBesideDetail: true,
        renderCell: ({ pages }) => (isSmall ? <Plural value={pages} one="# page" other="# pages" /> : formatNumber(pages)),
      },
      {
        key: 'status',
        heading: t`Status`,
        sortField: 'status',
        isSelfExplaining: true,
        renderCell: (issue) => <IssueStatus issue={issue} hasChange={!isOneStatus} isGrouped={isGrouped} />,
      },
      {
        key: 'age',
        heading: t`Age`,
        sortField: 'firstSeenAt',
        isSelfExplaining: true,
        isHiddenBesideDetail: true,
        renderCell: (issue) => (
          <time className={layout.nowrap} dateTime={issue.firstSeenAt} title={formatDateTime(issue.firstSeenAt)}>
            {formatAge(issue.firstSeenAt)}
          </time>
        ),
      },
      {
        key: 'change',
        heading: t`Change since last run`,
        sortField: 'change',
        renderCell: (issue) => <IssueChangeCell issue={issue} isGrouped={isGrouped} />,
      },
      // Guests see no names.
      ...(permissions.isGuest ? [] : [createPersonColumn(t`Assignee`, t`Former member`, t`Nobody`)]),
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
        renderCell: (issue) => <span className={layout.break}>{toReadableUrl(issue.pageUrl)}</span>,
      },
      {
        key: 'ticket',
        heading: t`Ticket`,
        renderCell: (issue) =>
          issue.ticketUrl === null ? <UnknownValue label={t`None`} /> : <TicketLink url={issue.ticketUrl} />,
      },
      { key: 'source', heading: t`Source`, renderCell: (issue) => t(sourceLabels[issue.source]) },
      { key: 'engine', heading: t`Found by`, renderCell: (issue) => t(engineLabels[issue.engine]) },
      createWordColumn('states', t`Seen in`, ({ states }) => states.map((state) => getStateName(state, t))),
      createWordColumn('labels', t`Labels`, ({ labels }) => labels),
      createWordColumn('component', t`Component`, ({ component }) => (component === null ? [] : [component])),
      { key: 'scan', heading: t`Scan`, sortField: 'scan', renderCell: (issue) => issue.scanName },
    ],
    [t, isSmall, formatAge, formatDateTime, formatNumber, isSingleScan, isOneStatus, isGrouped, listSearch, permissions.isGuest],
  )
}

const Impact = ({ issue }: { issue: IssueSummary }) => (
  <span className={styles.impact}>
    <SignLabel sign={issue.severity} />
  </span>
)

const createWordColumn = (
  key: string,
  head: string,
  getWords: (issue: IssueSummary) => readonly string[],
): Column<IssueSummary> => ({ key, heading: head, renderCell: (issue) => <WordList words={getWords(issue)} /> })

const createCriteriaColumn = (heading: string): Column<IssueSummary> => ({
  key: 'criteria',
  heading,
  isHiddenBesideDetail: true,
  renderCell: ({ criteria }) => <CriterionList criteria={criteria} />,
})

/** Numbers and names of success criteria. */
function CriterionList({ criteria }: Pick<IssueSummary, 'criteria'>) {
  const { t } = useLingui()
  if (criteria.length === 0) return <span className={`${layout.muted} ${layout.sm}`}>{t`No success criterion`}</span>
  return criteria.map((criterion) => {
    const criterionName = getCriterionName(criterion)
    return (
      <div key={criterion} className={styles.criterion}>
        {criterion} <span className={layout.muted}>{criterionName && t(criterionName)}</span>
      </div>
    )
  })
}

function WordList({ words }: { words: readonly string[] }) {
  const { t } = useLingui()
  if (words.length === 0) return <UnknownValue label={t`None`} />
  return <span className={layout.break}>{words.join(', ')}</span>
}

type IssueChangeProps = { issue: IssueSummary; isGrouped: boolean }

/** Change since the previous run; null for issues that are just still there. A row of several issues tells how many changed. */
function useChangeText({ issue, isGrouped }: IssueChangeProps): string | null {
  const { change, reappearedIssues } = issue
  const { t } = useLingui()
  const { formatList } = useFormats()
  if (isGrouped && issue.issues > 1 && issue.newIssues + reappearedIssues > 0)
    return formatList([
      ...(issue.newIssues > 0 ? [t`${plural(issue.newIssues, { one: '# new', other: '# new' })}`] : []),
      ...(reappearedIssues > 0 ? [t`${plural(reappearedIssues, { one: '# reappeared', other: '# reappeared' })}`] : []),
    ])
  return change === null || change === 'still' ? null : t(changeLabels[change])
}

/** `hasChange` is false where the name of the issue states the change. */
function IssueStatus({ hasChange, ...props }: IssueChangeProps & { hasChange: boolean }) {
  const { t } = useLingui()
  const { review, status } = props.issue
  const changeText = useChangeText(props)
  return (
    <>
      <span className={layout.nowrap}>
        {t(review !== null && status !== 'ignored' ? reviewLabels[review] : statusLabels[status])}
      </span>
      {hasChange && changeText !== null && (
        <span className={`${layout.muted} ${layout.sm} ${layout.nowrap} ${styles.second}`}>{changeText}</span>
      )}
    </>
  )
}

function IssueChangeCell(props: IssueChangeProps) {
  const { t } = useLingui()
  const { change } = props.issue
  const changeText = useChangeText(props)
  return change === null ? <UnknownValue label={t`Not known`} /> : (changeText ?? t(changeLabels[change]))
}

type IssueNameProps = {
  issue: IssueSummary
  isSingleScan: boolean
  isGrouped: boolean
  listSearch: IssueSearch
}

function IssueName({ issue, isSingleScan, isGrouped, listSearch }: IssueNameProps) {
  const changeText = useChangeText({ issue, isGrouped })
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const [pageHost, ...pagePath] = shortenUrl(issue.pageUrl).split('/')
  // On a phone, the line has room for the path alone, if there is one.
  const pageName = (
    <span translate="no">
      <span className={pagePath.length > 0 ? styles.host : undefined}>{pageHost}</span>
      {pagePath.map((part) => `/${part}`).join('')}
    </span>
  )
  return (
    <>
      <RowLink
        id={`issue-${issue.id}`}
        className={styles.name}
        to="/issues"
        listSearch={listSearch}
        detailParam="issue"
        detailId={issue.id}
        onFocus={() => prefetchIssue({ client: queryClient, api: apiClient }, issue, listSearch.run)}
      >
        <RuleTitle rule={issue.rule} help={issue.help} isUndecided={issue.needsReview} />
      </RowLink>
      <span className={`${layout.muted} ${layout.sm} ${styles.where}`}>
        {hasOneStatus(listSearch) && changeText !== null && (
          <>
            <b>{changeText}</b> ·{' '}
          </>
        )}
        {/* A row represents all issues of the element. */}
        {isGrouped && issue.issues !== issue.pages && (
          <>
            <b>
              <Plural value={issue.issues} one="# issue" other="# issues" />
            </b>{' '}
            ·{' '}
          </>
        )}
        <code translate="no">{issue.selector}</code>{' '}
        <span className={layout.break}>
          <Trans>on {pageName}</Trans>
        </span>
        {!isSingleScan && <span> · {issue.scanName}</span>}
      </span>
    </>
  )
}
