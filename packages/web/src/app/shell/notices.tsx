import { useLingui } from '@lingui/react/macro'
import { accountApi } from '@clearway/contract/account/api.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { useState, useSyncExternalStore } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { useOnline } from '../../kit/client/connection.ts'
import { createClient } from '../../kit/client/client.ts'
import layout from '../../kit/page/layout.module.css'
import { Notice } from '../../kit/page/states.tsx'
import { useSession } from '../../monitor/user/model.ts'
import styles from './shell.module.css'

/** Messages for every screen: lost connection and administrators' notices. */
export function GlobalNotices() {
  const { permissions, member } = useSession()
  return (
    <>
      <OfflineNotice />
      {!permissions.isGuest && member && <AdminNotice />}
    </>
  )
}

function OfflineNotice() {
  const { t } = useLingui()
  const isOnline = useOnline()
  const pausedQueryCount = usePausedQueryCount()
  const [wasOffline, setWasOffline] = useState(false)
  if (!isOnline && !wasOffline) setWasOffline(true)
  return (
    <div role="status" className={isOnline ? '' : styles.notice}>
      {isOnline && wasOffline && <span className={layout.hidden}>{t`The connection is back.`}</span>}
      {!isOnline && (
        <Notice kind="caution" title={navigator.onLine ? t`The server cannot be reached` : t`You are offline`}>
          <p>{t`What is shown may be out of date. What you typed is kept; save it once the connection is back.`}</p>
          {pausedQueryCount > 0 && <p>{t`Waiting for the connection. Content loads automatically.`}</p>}
        </Notice>
      )}
    </div>
  )
}

/** Number of visible queries that wait for the connection. */
function usePausedQueryCount(): number {
  const queryCache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (onChange) => queryCache.subscribe(onChange),
    () => queryCache.findAll({ type: 'active', fetchStatus: 'paused' }).length,
  )
}

/** Notice of the administrators. The user can snooze it for two weeks or dismiss it. */
function AdminNotice() {
  const { t } = useLingui()
  const { config: appConfig, deps } = useSession()
  const queryClient = useQueryClient()
  const accountClient = createClient(accountApi, { ...deps, baseUrl: appConfig.axeAccountUrl })
  const noticeQueryKey = ['global-config-notice']
  const { data: adminNotice } = useQuery({
    queryKey: noticeQueryKey,
    queryFn: ({ signal }) => accountClient.readNotice({}, signal),
    staleTime: Infinity,
    retry: false,
  })
  const answerMutation = useMutation({
    mutationFn: (action: 'remind' | 'dismiss') => accountClient.answerNotice({ body: { action } }),
    onSuccess: (newNotice) => queryClient.setQueryData(noticeQueryKey, newNotice),
  })
  if (!adminNotice?.show || adminNotice.message === null) return null
  return (
    <section aria-label={t`Message from the administrators`} className={styles.notice}>
      <Notice kind="info" title={adminNotice.message}>
        <div className={layout.row}>
          <Button small onPress={() => answerMutation.mutate('remind')}>{t`Remind me in two weeks`}</Button>
          <Button small kind="quiet" onPress={() => answerMutation.mutate('dismiss')}>{t`Do not show again`}</Button>
        </div>
      </Notice>
    </section>
  )
}
