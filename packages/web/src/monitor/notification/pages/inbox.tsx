import { Plural, useLingui } from '@lingui/react/macro'
import type { InboxEntry } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { InboxListEntry } from '../inbox/entry.tsx'
import styles from '../inbox/entry.module.css'
import type { InboxSearch } from '../model.ts'
import { inboxQuery, unreadQuery, useReadInbox } from '../queries.ts'

const inboxRoute = getRouteApi('/inbox')

export function InboxPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const showError = useShowError()
  const { formatNumber, formatRecentDay } = useFormats()
  const inboxSearch = inboxRoute.useSearch()
  const navigateTo = inboxRoute.useNavigate()
  const changeSearch = (changes: Partial<InboxSearch>) => void navigateTo({ search: { ...inboxSearch, page: 1, ...changes } })
  const inboxList = useQuery(inboxQuery(apiClient, inboxSearch))
  const unreadCount = useQuery(unreadQuery(apiClient)).data?.unread ?? 0
  const readMutation = useReadInbox()
  useLastPage(inboxList.data?.page, (page) => changeSearch({ page }))
  const markAsRead = (readEntries: Parameters<typeof readMutation.mutate>[0]) =>
    readMutation.mutate(readEntries, { onError: showError })
  const inboxEntries = inboxList.data?.content ?? []
  /** Returns the day of an entry that begins it; entries of the same day follow. */
  const getNewDay = ({ at }: InboxEntry, previousEntry: InboxEntry | undefined): string | null => {
    const day = formatRecentDay(at)
    return previousEntry && formatRecentDay(previousEntry.at) === day ? null : day
  }
  // Entries that arrive later stay unread. On later pages, only entries up to the first visible one are marked.
  const [newestEntry] = inboxEntries
  return (
    <>
      <PageHead
        title={t`Inbox`}
        productName={appConfig.productName}
        facts={<Plural value={unreadCount} one="# unread" other="# unread" />}
        actions={
          <Button
            pending={!newestEntry || unreadCount === 0 || readMutation.isPending}
            onPress={() => newestEntry && markAsRead({ until: newestEntry.id })}
          >{t`Mark all as read`}</Button>
        }
      />
      <div className={layout.bar}>
        <Segmented
          label={t`Show`}
          value={inboxSearch.unread ? 'unread' : 'all'}
          options={[
            { value: 'all', label: t`All` },
            {
              value: 'unread',
              label: (
                <>
                  {t`Unread`} <span className={layout.num}>{formatNumber(unreadCount)}</span>
                </>
              ),
            },
          ]}
          onChange={(filterValue) => changeSearch({ unread: filterValue === 'unread' })}
        />
      </div>
      <QueryState query={inboxList} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} fillsScreen />
      {inboxList.data && (
        <div className={layout.card}>
          {inboxEntries.length === 0 ? (
            <EmptyState title={inboxSearch.unread ? t`Nothing unread` : t`Nothing here yet`}>
              <p>{t`Issues assigned to you, comments that mention you, and runs of your scans appear here.`}</p>
            </EmptyState>
          ) : (
            <>
              <ul className={styles.entries} aria-label={t`Inbox`}>
                {inboxEntries.map((entry, index) => (
                  <InboxListEntry
                    key={entry.id}
                    entry={entry}
                    day={getNewDay(entry, inboxEntries[index - 1])}
                    leavesWhenRead={inboxSearch.unread}
                    onRead={() => markAsRead({ ids: [entry.id] })}
                  />
                ))}
              </ul>
              {inboxList.data.page.totalPages > 1 && (
                <Pager
                  label={t`Pages of the list`}
                  page={inboxList.data.page}
                  onPage={(page) => changeSearch({ page })}
                  onSize={(size) => changeSearch({ size })}
                />
              )}
            </>
          )}
        </div>
      )}
    </>
  )
}
