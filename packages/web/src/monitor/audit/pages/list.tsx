import { Plural, useLingui } from '@lingui/react/macro'
import type { PagedList } from '@clearway/contract/kit/paging.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { useDownload } from '../../../kit/client/use-download.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { focusRow, useRowNavigation } from '../../../kit/list/use-row-navigation.ts'
import { ListWithDetail } from '../../../kit/page/detail-panel.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { presetNamesQuery, scanNamesQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { foldEntries } from '../entry/fold.ts'
import { AuditExport } from '../list/export.tsx'
import { AuditFilters } from '../list/filters.tsx'
import { AuditTable } from '../list/table.tsx'
import { type AuditSearch, isFiltered, listRecordedNames, noFilters } from '../model.ts'
import { AuditPanel } from '../panel/panel.tsx'
import { type AuditRow, auditListQuery, auditPeopleQuery, auditTeamsQuery } from '../queries.ts'

const auditRoute = getRouteApi('/admin/audit')
type ChangeSearch = (next: Partial<AuditSearch>) => void

export function AuditListPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig, deps } = useSession()
  const auditSearch = auditRoute.useSearch()
  const navigateTo = auditRoute.useNavigate()
  const auditList = useQuery(auditListQuery(apiClient, auditSearch))
  useLastPage(auditList.data?.page, (page) => void navigateTo({ search: { ...auditSearch, page }, replace: true }))
  const changeSearch: ChangeSearch = (changes) =>
    void navigateTo({ search: { ...auditSearch, page: 1, entry: undefined, ...changes }, resetScroll: false })
  const exportDownload = useDownload(deps)
  const entries = auditList.data?.content
  const namesById = useNamesById(entries)
  const foldedRows = useMemo(() => foldEntries(entries ?? []), [entries])
  const totalCount = auditList.data?.page.totalElements
  const openEntry = entries?.find(({ number }) => number === auditSearch.entry)
  return (
    <>
      <PageHead
        title={t`Audit log`}
        productName={appConfig.productName}
        facts={
          totalCount !== undefined && (
            <p role="status">
              <Plural value={totalCount} one="# entry" other="# entries" />
            </p>
          )
        }
        actions={<AuditExport search={auditSearch} download={exportDownload} />}
      />
      <DownloadStatus download={exportDownload} />
      <ListWithDetail
        toolbar={<AuditFilters search={auditSearch} onChange={changeSearch} />}
        list={
          <>
            <QueryState
              query={auditList}
              loadingLabel={t`Loading`}
              failureTitle={t`The audit log could not be loaded.`}
              fillsScreen
            />
            {totalCount === 0 && <EmptyAuditLog filtered={isFiltered(auditSearch)} onChange={changeSearch} />}
            {auditList.data && totalCount !== 0 && (
              <div className={layout.card}>
                <AuditTable
                  rows={foldedRows}
                  names={namesById}
                  selectedKey={openEntry?.id}
                  isBusy={auditList.isPlaceholderData}
                />
                <Pager
                  label={t`Pages of the list`}
                  page={auditList.data.page}
                  onPage={(page) => changeSearch({ page })}
                  onSize={(size) => changeSearch({ size })}
                  renderPosition={
                    foldedRows.length < auditList.data.content.length
                      ? (first, last, total) => t`Entries ${first} to ${last} of ${total}, similar ones in one row`
                      : undefined
                  }
                />
              </div>
            )}
          </>
        }
        detail={openEntry && <OpenEntry entry={openEntry} search={auditSearch} list={auditList.data} names={namesById} />}
      />
    </>
  )
}

/** Names of scans, presets, people and teams by id. Those of deleted objects come from the entries on the page. */
function useNamesById(entries: readonly AuditRow[] | undefined): ReadonlyMap<string, string> {
  const { t } = useLingui()
  const userSession = useSession()
  const scanNames = useQuery(scanNamesQuery(userSession.api)).data
  const auditPeople = useQuery(auditPeopleQuery(userSession)).data
  const presets = useQuery(presetNamesQuery(userSession.api)).data
  const teams = useQuery(auditTeamsQuery(userSession.api)).data
  const recordedNames = useMemo(() => listRecordedNames(entries ?? []), [entries])
  return useMemo(() => {
    const nameEntries = [...(scanNames ?? []), ...(auditPeople ?? []), ...(teams ?? []), ...(presets ?? [])].map(
      ({ id, name }): [string, string] => [id, name],
    )
    // Sign-in attempts with an unknown username.
    return new Map([...recordedNames, ...nameEntries, ['unknown', t`Unknown user`]])
  }, [scanNames, auditPeople, teams, presets, recordedNames, t])
}

type OpenEntryProps = {
  entry: AuditRow
  search: AuditSearch
  list: PagedList<AuditRow> | undefined
  names: ReadonlyMap<string, string>
}

function OpenEntry({ entry, search, list, names }: OpenEntryProps) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const navigateTo = auditRoute.useNavigate()
  const openEntry = (id: string | undefined, page = search.page) =>
    navigateTo({ search: { ...search, page, entry: id === undefined ? undefined : Number(id) }, resetScroll: false })
  const loadPage = (page: number) => queryClient.fetchQuery(auditListQuery(apiClient, { ...search, page }))
  const { navigation: rowNavigation } = useRowNavigation({ id: entry.id, list, search, openRow: openEntry, loadPage })
  return (
    <AuditPanel
      entry={entry}
      names={names}
      {...rowNavigation}
      onClose={() => void openEntry(undefined).then(() => focusRow(`entry-${entry.id}`))}
    />
  )
}

function EmptyAuditLog({ filtered, onChange }: { filtered: boolean; onChange: ChangeSearch }) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <EmptyState
        title={filtered ? t`Nothing matches` : t`No entries yet`}
        action={filtered && <Button onPress={() => onChange(noFilters)}>{t`Clear all`}</Button>}
      >
        <p>{filtered ? t`No entries match these filters.` : t`Sign-ins, and what people change, appear here at once.`}</p>
      </EmptyState>
    </div>
  )
}
