import { useLingui } from '@lingui/react/macro'
import type { IssueId, PageId, ScanId } from '@clearway/contract/kit/id.ts'
import { toReadableUrl } from '@clearway/contract/kit/url-form.ts'
import type { ComparedIssue, ComparedIssueSide, ComparedPage, ComparedSide } from '@clearway/contract/monitor/run/schema.ts'
import type { PagedList } from '@clearway/contract/kit/paging.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Pager } from '../../../kit/list/pager.tsx'
import type { ListSize } from '../../../kit/list/search.ts'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import layout from '../../../kit/page/layout.module.css'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import { UrlText } from '../../../kit/text/url-text.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { shortenUrl } from '../../scan/model.ts'
import { useSession } from '../../user/model.ts'
import { comparedIssuesQuery, comparedPagesQuery, type RunKey } from '../queries.ts'

type ComparedProps<Side> = { comparedRuns: RunKey & { other: number }; side: Side }

const firstPagePaging: { page: number; size: ListSize } = { page: 1, size: 25 }

/** Issues on one side of a comparison, each linked to its detail; optionally limited to one rule. */
export function ComparedIssues(
  props: ComparedProps<ComparedIssueSide> & { rule: string | null; notRechecked: boolean | undefined },
) {
  const { comparedRuns, side, rule, notRechecked } = props
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const [pagingState, setPagingState] = useState(firstPagePaging)
  const issueList = useQuery(comparedIssuesQuery(apiClient, comparedRuns, { ...pagingState, side, rule, notRechecked }))
  const issueColumns = useComparedIssueColumns(comparedRuns.scanId, {
    shown: side === 'onlyThere' ? comparedRuns.other : comparedRuns.run,
    against: side === 'onlyThere' ? comparedRuns.run : comparedRuns.other,
  })
  return (
    <ComparedList
      list={issueList}
      columns={issueColumns}
      rowKey={({ issueId }) => issueId}
      labels={{
        caption: t`Issues`,
        loading: t`Loading issues`,
        failed: t`The issues could not be loaded.`,
        empty: t`No issues here`,
        pager: t`Pages of the issues list`,
      }}
      onPaging={(next) => setPagingState({ ...pagingState, ...next })}
    />
  )
}

export function ComparedPages({ comparedRuns, side }: ComparedProps<ComparedSide>) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const [pagingState, setPagingState] = useState(firstPagePaging)
  const pageList = useQuery(comparedPagesQuery(apiClient, comparedRuns, { ...pagingState, side }))
  const pageColumns = useComparedPageColumns(comparedRuns.scanId)
  return (
    <ComparedList
      list={pageList}
      columns={pageColumns}
      rowKey={({ pageId }) => pageId}
      labels={{
        caption: t`Pages`,
        loading: t`Loading pages`,
        failed: t`The pages could not be loaded.`,
        empty: t`No pages here`,
        pager: t`Pages of the pages list`,
      }}
      onPaging={(next) => setPagingState({ ...pagingState, ...next })}
    />
  )
}

function useComparedIssueColumns(
  scanId: ScanId,
  { shown: shownNumber, against: otherNumber }: { shown: number; against: number },
): readonly Column<ComparedIssue>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { key: 'severity', heading: t`Impact`, renderCell: ({ severity }) => <SignLabel sign={severity} /> },
      {
        key: 'issue',
        heading: t`Issue`,
        isRowHeading: true,
        renderCell: (issue) => (
          <>
            <Link
              to="/issues"
              search={{ scanId: [scanId], run: issue.runNumber, rule: [issue.rule], issue: issue.issueId as IssueId }}
            >
              <RuleTitle rule={issue.rule} help={issue.help} isUndecided={issue.severity === 'needs review'} />
            </Link>{' '}
            <code translate="no" className={`${layout.muted} ${layout.break}`}>
              {issue.selector}
            </code>
            {issue.isNotRechecked && (
              <span className={`${layout.muted} ${layout.sm}`}>
                {' '}
                {shownNumber > otherNumber ? t`Not tested in run ${otherNumber}` : t`Not tested again in run ${otherNumber}`}
              </span>
            )}
          </>
        ),
      },
      {
        key: 'page',
        heading: t`Page`,
        renderCell: ({ pageUrl }) => <UrlText url={shortenUrl(pageUrl)} />,
      },
    ],
    [t, scanId, shownNumber, otherNumber],
  )
}

function useComparedPageColumns(scanId: ScanId): readonly Column<ComparedPage>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      {
        key: 'page',
        heading: t`Page`,
        isRowHeading: true,
        renderCell: ({ pageId, runNumber, url, title }) => (
          <Link className={layout.break} to="/pages" search={{ scanId: [scanId], run: runNumber, view: pageId as PageId }}>
            {title || toReadableUrl(url)}
          </Link>
        ),
      },
      { key: 'url', heading: t`URL`, renderCell: ({ url }) => <span className={layout.break}>{toReadableUrl(url)}</span> },
    ],
    [t, scanId],
  )
}

type ComparedListProps<Row> = {
  list: UseQueryResult<PagedList<Row>>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  labels: Record<'caption' | 'loading' | 'failed' | 'empty' | 'pager', string>
  onPaging: (next: { page: number; size?: ListSize }) => void
}

function ComparedList<Row>({ list, columns, rowKey, labels, onPaging }: ComparedListProps<Row>) {
  const { t } = useLingui()
  if (!list.data) return <QueryState query={list} loadingLabel={labels.loading} failureTitle={labels.failed} />
  if (list.data.page.totalElements === 0)
    return (
      <EmptyState title={labels.empty}>
        <p>{t`Choose another view.`}</p>
      </EmptyState>
    )
  return (
    <>
      <DataTable
        caption={labels.caption}
        columns={columns}
        rows={list.data.content}
        rowKey={rowKey}
        isBusy={list.isPlaceholderData}
      />
      <Pager
        label={labels.pager}
        page={list.data.page}
        onPage={(page) => onPaging({ page })}
        onSize={(size) => onPaging({ page: 1, size })}
      />
    </>
  )
}
