import { useLingui } from '@lingui/react/macro'
import { accountApi } from '@clearway/contract/account/api.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { useOnline } from '../../kit/client/connection.ts'
import { createClient } from '../../kit/client/client.ts'
import layout from '../../kit/page/layout.module.css'
import { Notice } from '../../kit/page/states.tsx'
import { useSession } from '../../monitor/user/model.ts'
import styles from './shell.module.css'

/** What everybody on every screen should know: that the connection is gone, and what the administrators say. */
export function Notices() {
  const { permissions, member } = useSession()
  return (
    <>
      <Offline />
      {!permissions.isGuest && member && <AdminNotice />}
    </>
  )
}

/** That the connection is gone, what becomes of what one does meanwhile, and that it is back. */
function Offline() {
  const { t } = useLingui()
  const online = useOnline()
  const waiting = useWaiting()
  const [wasGone, setWasGone] = useState(false)
  if (!online && !wasGone) setWasGone(true)
  return (
    <div role="status" className={online ? '' : styles.notice}>
      {online && wasGone && <span className={layout.hidden}>{t`The connection is back.`}</span>}
      {!online && (
        <Notice
          kind="caution"
          title={navigator.onLine ? t`The server cannot be reached` : t`You are offline`}
        >
          <p>{t`What is shown may be out of date. What you typed is kept; save it once the connection is back.`}</p>
          {waiting > 0 && <p>{t`What you asked for loads automatically once the connection is back.`}</p>}
        </Notice>
      )}
    </div>
  )
}

/** How many of the things that are shown wait for the connection. */
function useWaiting(): number {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => cache.findAll({ type: 'active', fetchStatus: 'paused' }).length,
  )
}

/** The message of the administrators, until it is put off for two weeks or away. */
function AdminNotice() {
  const { t } = useLingui()
  const { config, deps } = useSession()
  const client = useQueryClient()
  const account = createClient(accountApi, { ...deps, baseUrl: config.axeAccountUrl })
  const queryKey = ['global-config-notice']
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => account.readNotice({}, signal),
    staleTime: Infinity,
    retry: false,
  })
  const answer = useMutation({
    mutationFn: (action: 'remind' | 'dismiss') => account.answerNotice({ body: { action } }),
    onSuccess: (next) => client.setQueryData(queryKey, next),
  })
  if (!data?.show || data.message === null) return null
  return (
    <section aria-label={t`Message from the administrators`} className={styles.notice}>
      <Notice kind="info" title={data.message}>
        <div className={layout.row}>
          <Button small onPress={() => answer.mutate('remind')}>{t`Remind me in two weeks`}</Button>
          <Button small kind="quiet" onPress={() => answer.mutate('dismiss')}>{t`Do not show again`}</Button>
        </div>
      </Notice>
    </section>
  )
}
