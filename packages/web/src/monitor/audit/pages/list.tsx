import { Plural, useLingui } from '@lingui/react/macro'
import type { PageOf } from '@clearway/contract/kit/paging.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { useDownload } from '../../../kit/client/use-download.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { focusRow, useRowNavigation } from '../../../kit/list/use-row-walk.ts'
import { ListWithDetail } from '../../../kit/page/detail-panel.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { scanNamesQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { AuditExport } from '../list/export.tsx'
import { AuditFilters } from '../list/filters.tsx'
import { AuditTable } from '../list/table.tsx'
import type { AuditSearch } from '../model.ts'
import { isFiltered, noFilters } from '../model.ts'
import { AuditPanel } from '../panel/panel.tsx'
import type { AuditRow } from '../queries.ts'
import { auditListQuery, auditPeopleQuery } from '../queries.ts'

const route = getRouteApi('/admin/audit')
type Change = (next: Partial<AuditSearch>) => void

/** /admin/audit: who did what, newest first, and the open entry beside it. */
export function AuditListPage(): ReactNode {
  const { t } = useLingui()
  const { api, config, deps } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(auditListQuery(api, search))
  useLastPage(list.data?.page, (page) => void navigate({ search: { ...search, page }, replace: true }))
  const change: Change = (next) =>
    void navigate({ search: { ...search, page: 1, entry: undefined, ...next }, resetScroll: false })
  const download = useDownload(deps)
  const names = useNames()
  const total = list.data?.page.totalElements
  const opened = list.data?.content.find(({ number }) => number === search.entry)
  return (
    <>
      <PageHead
        title={t`Audit log`}
        productName={config.productName}
        facts={
          total !== undefined && (
            <p role="status">
              <Plural value={total} one="# entry" other="# entries" />
            </p>
          )
        }
        actions={<AuditExport search={search} download={download} />}
      />
      <DownloadStatus download={download} />
      <ListWithDetail
        list={
          <>
            <AuditFilters search={search} onChange={change} />
            <QueryState
              query={list}
              loadingLabel={t`Loading`}
              failureTitle={t`The audit log could not be loaded.`}
              fillsScreen
            />
            {total === 0 && <NoEntries filtered={isFiltered(search)} onChange={change} />}
            {list.data && total !== 0 && (
              <div className={layout.card}>
                <AuditTable
                  rows={list.data.content}
                  names={names}
                  selected={opened?.id}
                  busy={list.isPlaceholderData}
                />
                <Pager
                  label={t`Pages of the list`}
                  page={list.data.page}
                  onPage={(page) => change({ page })}
                  onSize={(size) => change({ size })}
                />
              </div>
            )}
          </>
        }
        detail={opened && <OpenEntry entry={opened} search={search} list={list.data} names={names} />}
      />
    </>
  )
}

/** What scans and people are called, by their id. */
function useNames(): ReadonlyMap<string, string> {
  const { t } = useLingui()
  const session = useSession()
  const scans = useQuery(scanNamesQuery(session.api)).data
  const people = useQuery(auditPeopleQuery(session)).data
  return useMemo(() => {
    const known = [...(scans ?? []), ...(people ?? [])].map(({ id, name }): [string, string] => [id, name])
    // Somebody who tried to sign in with a name that nobody has.
    return new Map([...known, ['unknown', t`Unknown user`]])
  }, [scans, people, t])
}

type OpenProps = {
  entry: AuditRow
  search: AuditSearch
  list: PageOf<AuditRow> | undefined
  names: ReadonlyMap<string, string>
}

function OpenEntry({ entry, search, list, names }: OpenProps) {
  const { api } = useSession()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const open = (id: string | undefined, page = search.page) =>
    navigate({
      search: { ...search, page, entry: id === undefined ? undefined : Number(id) },
      resetScroll: false,
    })
  const load = (page: number) => client.fetchQuery(auditListQuery(api, { ...search, page }))
  const { navigation: walk } = useRowNavigation({ id: entry.id, list, search, openRow: open, loadPage: load })
  return (
    <AuditPanel
      entry={entry}
      names={names}
      {...walk}
      onClose={() => void open(undefined).then(() => focusRow(`entry-${entry.id}`))}
    />
  )
}

function NoEntries({ filtered, onChange }: { filtered: boolean; onChange: Change }) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <EmptyState
        title={filtered ? t`Nothing matches` : t`No entries yet`}
        action={filtered && <Button onPress={() => onChange(noFilters)}>{t`Clear all`}</Button>}
      >
        <p>
          {filtered
            ? t`No entries match these filters.`
            : t`Sign-ins, and what people change, appear here at once.`}
        </p>
      </EmptyState>
    </div>
  )
}
