import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { Entry } from '../inbox/entry.tsx'
import styles from '../inbox/entry.module.css'
import type { InboxSearch } from '../model.ts'
import { inboxQuery, unreadQuery, useReadInbox } from '../queries.ts'

const route = getRouteApi('/inbox')

/** /inbox: what others assigned, where one is mentioned, and runs of own scans that ended. */
export function InboxPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const toast = useToast()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: Partial<InboxSearch>) => void navigate({ search: { ...search, page: 1, ...next } })
  const list = useQuery(inboxQuery(api, search))
  const unread = useQuery(unreadQuery(api)).data?.unread ?? 0
  const read = useReadInbox()
  useLastPage(list.data?.page, (page) => change({ page }))
  const mark = (which: Parameters<typeof read.mutate>[0]) =>
    read.mutate(which, { onError: (error) => toast('error', t(getProblemMessage(error))) })
  const entries = list.data?.content ?? []
  // What comes in while one reads stays unread; of a later page, all up to its first entry.
  const [newest] = entries
  return (
    <>
      <PageHead
        title={t`Inbox`}
        productName={config.productName}
        actions={
          <Button
            pending={!newest || unread === 0 || read.isPending}
            onPress={() => newest && mark({ until: newest.id })}
          >{t`Mark all as read`}</Button>
        }
      />
      <div className={layout.bar}>
        <Segmented
          label={t`Show`}
          value={search.unread ? 'unread' : 'all'}
          options={[
            { value: 'all', label: t`All` },
            { value: 'unread', label: t`Unread` },
          ]}
          onChange={(shown) => change({ unread: shown === 'unread' })}
        />
      </div>
      <QueryState query={list} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} fillsScreen />
      {list.data && (
        <div className={layout.card}>
          {entries.length === 0 ? (
            <EmptyState title={search.unread ? t`Nothing unread` : t`Nothing here yet`}>
              <p>{t`Issues assigned to you, comments that mention you, and runs of your scans appear here.`}</p>
            </EmptyState>
          ) : (
            <>
              <ul className={styles.entries} aria-label={t`Inbox`}>
                {entries.map((entry) => (
                  <Entry
                    key={entry.id}
                    entry={entry}
                    leaves={search.unread}
                    onRead={() => mark({ ids: [entry.id] })}
                  />
                ))}
              </ul>
              <Pager
                label={t`Pages of the list`}
                page={list.data.page}
                onPage={(page) => change({ page })}
                onSize={(size) => change({ size })}
              />
            </>
          )}
        </div>
      )}
    </>
  )
}
