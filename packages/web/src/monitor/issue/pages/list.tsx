import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueId, ViewId } from '@clearway/contract/kit/id.ts'
import type { IssueGroupList, IssueList } from '@clearway/contract/monitor/issue/schema.ts'
import type { ViewQuery } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense, lazy, useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { ColumnChoice, useColumnChoice } from '../../../kit/table/column-choice.tsx'
import { ListWithDetail } from '../../../kit/page/detail-panel.tsx'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { focusRow, useRowNavigation } from '../../../kit/list/use-row-walk.ts'
import { QueryState } from '../../../kit/page/states.tsx'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { useDownload } from '../../../kit/client/use-download.ts'
import { everythingSelected, useSelection } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import { useActive } from '../../user/parts/use-active.ts'
import { DefaultViewGone } from '../../view/parts/default-gone.tsx'
import { SavedViews } from '../../view/parts/saved-views.tsx'
import { useDefaultView } from '../../view/parts/use-default-view.ts'
import { IssueSearch, rowsOf, issueSearchDefaults, severities } from '../model.ts'
import { IssueBulk } from '../bulk/bar.tsx'
import { IssueExport } from '../parts/export.tsx'
import { IssueFilters } from '../list/filters.tsx'
import { IssuePanel } from '../panel/panel.tsx'
import { IssueGroupTable } from '../list/groups.tsx'
import { NothingFound } from '../list/nothing-found.tsx'
import { IssueTable, useIssueColumns, usualColumns, yieldsToIssue } from '../list/table.tsx'
import { issueGroupsQuery, issueListQuery, prefetchIssue, readAfterChanges, bulkBody } from '../queries.ts'
import * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'

const route = getRouteApi('/issues')
const UploadDialog = lazy(() =>
  import('../list/upload-dialog.tsx').then((m) => ({ default: m.UploadDialog })),
)

/** /issues: the issues of every scan that the reader may see, and the open one beside them. */
export function IssueListPage(): ReactNode {
  const { t } = useLingui()
  const { config, deps, permissions } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  useActive(search)
  const { by } = search
  const { list, groups, shown } = useRows(search)
  useFirstReadAhead(search, list.isPlaceholderData ? undefined : list.data)
  useLastPage(shown.data?.page, (page) => void navigate({ search: { ...search, page }, replace: true }))
  const change = (next: Partial<IssueSearch>) =>
    void navigate({ search: { ...search, page: 1, issue: undefined, ...next }, resetScroll: false })
  const selected = useSelection(
    `${rowsOf(search)} ${JSON.stringify(bulkBody(search, everythingSelected))}`,
    rowsOf(search) === 'issue' ? undefined : rowKeys(search, list.data, groups.data),
  )
  const download = useDownload(deps)
  const columns = useIssueColumns(search)
  const choice = useColumnChoice('issues', columns, usualColumns)
  const shownColumns =
    search.issue && choice.isUsual
      ? choice.shown.filter(({ key }) => !yieldsToIssue.includes(key))
      : choice.shown
  const canTick = !permissions.isGuest
  const ticks = canTick ? selected : null
  return (
    <>
      <PageHead
        title={t`Issues`}
        productName={config.productName}
        facts={shown.data ? <Found list={shown.data} search={search} /> : null}
        actions={!permissions.isGuest && <HeadActions search={search} download={download} />}
      />
      <DownloadStatus download={download} />
      <DefaultViewGone screen="issues" />
      <ListWithDetail
        list={
          <>
            <IssueFilters
              search={search}
              counts={shown.data?.severities}
              onChange={change}
              views={<IssueViews search={search} />}
            />
            <QueryState
              query={shown}
              loadingLabel={t`Loading issues`}
              failureTitle={t`The issues could not be loaded.`}
              fillsScreen
            />
            {shown.data?.content.length === 0 && <NothingFound search={search} onChange={change} />}
            {shown.data && shown.data.content.length > 0 && (
              <div className={layout.card}>
                {by === '' && (
                  <div className={layout.tools}>
                    <ColumnChoice columns={columns} chosenKeys={choice.chosen} onChoose={choice.choose} />
                  </div>
                )}
                {by !== '' && groups.data && (
                  <IssueGroupTable
                    rows={groups.data.content}
                    search={{ ...search, by }}
                    busy={groups.isPlaceholderData}
                    onSort={(groupSort) => change({ groupSort })}
                    selected={ticks}
                  />
                )}
                {by === '' && list.data && (
                  <IssueTable
                    rows={list.data.content}
                    columns={shownColumns}
                    search={search}
                    busy={list.isPlaceholderData}
                    onSort={(sort) => change({ sort })}
                    selected={ticks}
                  />
                )}
                <Pager
                  label={t`Pages of the issues list`}
                  page={shown.data.page}
                  onPage={(page) => change({ page })}
                  onSize={(size) => change({ size })}
                />
              </div>
            )}
            {canTick && (
              <IssueBulk
                search={search}
                selected={selected}
                total={shown.data?.totalIssues ?? 0}
                download={download}
              />
            )}
          </>
        }
        detail={search.issue && <OpenIssue id={search.issue} search={search} list={list.data} />}
      />
    </>
  )
}

/** Opens a view in the place of what the URL says now. */
function useOpenView({ size }: IssueSearch) {
  const navigate = route.useNavigate()
  return (query: ViewQuery<'issues'>, saved: ViewId | undefined, replace = false) =>
    void navigate({ search: z.parse(IssueSearch, { ...query, saved, size }), replace })
}

/** The issues, or the groups in their place, once it is decided whether a view opens. */
function useRows(search: IssueSearch) {
  const { api } = useSession()
  const isOpening = useIssueDefault(search)
  const { by } = search
  const list = useQuery({ ...issueListQuery(api, search), enabled: by === '' && !isOpening })
  const groups = useQuery({
    ...issueGroupsQuery(api, search, by || 'rule'),
    enabled: by !== '' && !isOpening,
  })
  return { list, groups, shown: by === '' ? list : groups }
}

/** Reads the first issue while somebody looks at the list, so that it opens at once. */
function useFirstReadAhead(search: IssueSearch, list: IssueList | undefined): void {
  const { api } = useSession()
  const client = useQueryClient()
  const { id, scanId } = (search.issue ? undefined : list?.content[0]) ?? {}
  useEffect(() => {
    if (id && scanId) prefetchIssue({ client, api }, { id, scanId }, search.run)
  }, [client, api, id, scanId, search.run])
}

function useIssueDefault(search: IssueSearch): boolean {
  const open = useOpenView(search)
  return useDefaultView({
    screen: 'issues',
    search,
    defaults: issueSearchDefaults,
    onOpen: (query, saved) => open(query, saved, true),
  })
}

const IssueViews = ({ search }: { search: IssueSearch }) => (
  <SavedViews screen="issues" search={search} defaults={issueSearchDefaults} onOpen={useOpenView(search)} />
)

const rowKeys = ({ by }: IssueSearch, list: IssueList | undefined, groups: IssueGroupList | undefined) =>
  by === ''
    ? (list?.content ?? []).map(({ templateId }) => templateId)
    : (groups?.content ?? []).map(({ key }) => key)

type HeadProps = { search: IssueSearch; download: DownloadState }

/** Uploading results, and exporting what the filters match. */
function HeadActions({ search, download }: HeadProps) {
  const { t } = useLingui()
  const [uploading, setUploading] = useState(false)
  const only = search.scanId.length === 1 ? search.scanId[0] : undefined
  return (
    <>
      <Button small onPress={() => setUploading(true)}>{t`Upload issues…`}</Button>
      <IssueExport search={search} selection={everythingSelected} download={download}>
        {t`Export`}
      </IssueExport>
      {uploading && (
        <Suspense fallback={null}>
          <UploadDialog scan={only} run={search.run} onClose={() => setUploading(false)} />
        </Suspense>
      )}
    </>
  )
}

/** What was found. Results that need review are never added to the issues. */
function Found({ list, search }: { list: Omit<IssueList, 'content'>; search: IssueSearch }) {
  const shown = search.severity.length === 0 ? severities : search.severity
  const counts = list.severities
  const review = shown.includes('needs review') ? counts.needsReview : 0
  const issues = shown.reduce((sum, one) => sum + (one === 'needs review' ? 0 : counts[one]), 0)
  const rows = list.page.totalElements
  return (
    <p role="status">
      <Plural value={issues} one="# issue" other="# issues" />
      {review > 0 && (
        <>
          , <Plural value={review} one="# result to review" other="# results to review" />
        </>
      )}{' '}
      {list.totalIssues !== rows && <Plural value={rows} one="in # row" other="in # rows" />}
    </p>
  )
}

type OpenProps = { id: IssueId; search: IssueSearch; list: IssueList | undefined }

function OpenIssue({ id, search, list }: OpenProps) {
  const { api } = useSession()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const open = (issue: IssueId | undefined, page = search.page) =>
    navigate({ search: { ...search, page, issue }, resetScroll: false })
  // One that was read ahead is still good; a change makes it stale at once.
  const load = (page: number) =>
    client.fetchQuery({ ...issueListQuery(api, { ...search, page }), staleTime: 10_000 })
  const readAgain = () => readAfterChanges(client, issueListQuery(api, search))
  const { neighborRows: neighbours, navigation: walk } = useRowNavigation({ id, list, search, openRow: open, loadPage: load, refetchPage: readAgain })
  const [after, second, before] = neighbours
  useEffect(() => {
    for (const next of [after, second, before]) if (next) prefetchIssue({ client, api }, next, search.run)
  }, [client, api, after, second, before, search.run])
  const readAhead = useEffectEvent(async () => {
    // Rows that have left the page make room for those that follow it; else these are on the next page.
    if ((await readAgain()) || !list || search.page >= list.page.totalPages) return
    const [first] = (await load(search.page + 1)).content
    if (first) prefetchIssue({ client, api }, first, search.run)
  })
  // A row early: who is fast is on the last one before the answer.
  const isNearEnd = list !== undefined && second === undefined
  useEffect(() => {
    // Who goes on is told when that fails.
    if (isNearEnd) void readAhead().catch(() => undefined)
  }, [isNearEnd])
  return (
    <IssuePanel
      id={id}
      search={search}
      {...walk}
      onClose={() => void open(undefined).then(() => focusRow(`issue-${id}`))}
    />
  )
}
