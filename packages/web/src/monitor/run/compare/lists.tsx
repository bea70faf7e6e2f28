import { useLingui } from '@lingui/react/macro'
import type { IssueId, PageId, ScanId } from '@clearway/contract/kit/id.ts'
import type { ComparedIssue, ComparedPage, ComparedSide } from '@clearway/contract/monitor/run/schema.ts'
import type { PageOf } from '@clearway/contract/kit/paging.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Pager } from '../../../kit/list/pager.tsx'
import type { ListSize } from '../../../kit/list/search.ts'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import layout from '../../../kit/page/layout.module.css'
import { DataTable, type Column } from '../../../kit/table/table.tsx'
import { RuleTitle } from '../../ruleset/parts/rule-title.tsx'
import { SignLabel } from '../../ruleset/parts/severity.tsx'
import { useSession } from '../../user/model.ts'
import { comparedIssuesQuery, comparedPagesQuery, type RunKey } from '../queries.ts'

type Props = { runs: RunKey & { other: number }; side: ComparedSide }

const firstPage: { page: number; size: ListSize } = { page: 1, size: 25 }

/** The issues on one side of a comparison, each with the way to it; of one rule, where one was chosen. */
export function ComparedIssues({ runs, side, rule }: Props & { rule: string | null }) {
  const { t } = useLingui()
  const { api } = useSession()
  const [paging, setPaging] = useState(firstPage)
  const list = useQuery(comparedIssuesQuery(api, runs, { ...paging, side, rule }))
  const columns = useIssueColumns(runs.scanId)
  return (
    <Listed
      list={list}
      columns={columns}
      rowKey={({ issueId }) => issueId}
      words={{
        caption: t`Issues`,
        loading: t`Loading issues`,
        failed: t`The issues could not be loaded.`,
        empty: t`No issues here`,
        pager: t`Pages of the issues list`,
      }}
      onPaging={(next) => setPaging({ ...paging, ...next })}
    />
  )
}

/** The pages on one side of a comparison. */
export function ComparedPages({ runs, side }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const [paging, setPaging] = useState(firstPage)
  const list = useQuery(comparedPagesQuery(api, runs, { ...paging, side }))
  const columns = usePageColumns(runs.scanId)
  return (
    <Listed
      list={list}
      columns={columns}
      rowKey={({ pageId }) => pageId}
      words={{
        caption: t`Pages`,
        loading: t`Loading pages`,
        failed: t`The pages could not be loaded.`,
        empty: t`No pages here`,
        pager: t`Pages of the pages list`,
      }}
      onPaging={(next) => setPaging({ ...paging, ...next })}
    />
  )
}

function useIssueColumns(scanId: ScanId): readonly Column<ComparedIssue>[] {
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
              search={{
                scanId: [scanId],
                run: issue.runNumber,
                rule: [issue.rule],
                issue: issue.issueId as IssueId,
              }}
            >
              <RuleTitle rule={issue.rule} help={issue.help} />
            </Link>{' '}
            <code translate="no" className={`${layout.muted} ${layout.break}`}>
              {issue.selector}
            </code>
          </>
        ),
      },
      {
        key: 'page',
        heading: t`Page`,
        renderCell: ({ pageUrl }) => <span className={layout.break}>{pageUrl}</span>,
      },
    ],
    [t, scanId],
  )
}

function usePageColumns(scanId: ScanId): readonly Column<ComparedPage>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      {
        key: 'page',
        heading: t`Page`,
        isRowHeading: true,
        renderCell: ({ pageId, runNumber, url, title }) => (
          <Link
            className={layout.break}
            to="/pages"
            search={{ scanId: [scanId], run: runNumber, view: pageId as PageId }}
          >
            {title || url}
          </Link>
        ),
      },
      { key: 'url', heading: t`URL`, renderCell: ({ url }) => <span className={layout.break}>{url}</span> },
    ],
    [t, scanId],
  )
}

type ListedProps<Row> = {
  list: UseQueryResult<PageOf<Row>>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  words: Record<'caption' | 'loading' | 'failed' | 'empty' | 'pager', string>
  onPaging: (next: { page: number; size?: ListSize }) => void
}

function Listed<Row>({ list, columns, rowKey, words, onPaging }: ListedProps<Row>) {
  const { t } = useLingui()
  if (!list.data) return <QueryState query={list} loadingLabel={words.loading} failureTitle={words.failed} />
  if (list.data.page.totalElements === 0)
    return (
      <EmptyState title={words.empty}>
        <p>{t`Choose one of the other two views.`}</p>
      </EmptyState>
    )
  return (
    <>
      <DataTable
        caption={words.caption}
        columns={columns}
        rows={list.data.content}
        rowKey={rowKey}
        isBusy={list.isPlaceholderData}
      />
      <Pager
        label={words.pager}
        page={list.data.page}
        onPage={(page) => onPaging({ page })}
        onSize={(size) => onPaging({ page: 1, size })}
      />
    </>
  )
}
