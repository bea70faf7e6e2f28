import { useLingui } from '@lingui/react/macro'
import { accountApi } from '@clearway/contract/account/api.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Button } from '../../kit/control/button.tsx'
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

const subscribe = (changed: () => void) => {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

function Offline() {
  const { t } = useLingui()
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className={online ? '' : styles.notice}>
      {!online && (
        <Notice kind="caution" title={t`You are offline`}>
          <p>{t`What is shown may be old. What you typed stays here; save it once the connection is back.`}</p>
        </Notice>
      )}
    </div>
  )
}

/** The message of the administrators, until it is put off for two weeks or away. */
function AdminNotice() {
  const { t } = useLingui()
  const { config, deps } = useSession()
  const client = useQueryClient()
  const account = createClient(accountApi, { ...deps, base: config.axeAccountUrl })
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
    <section aria-label={t`Message of the administrators`} className={styles.notice}>
      <Notice kind="info" title={data.message}>
        <div className={layout.row}>
          <Button small onPress={() => answer.mutate('remind')}>{t`Remind me in two weeks`}</Button>
          <Button small kind="quiet" onPress={() => answer.mutate('dismiss')}>{t`Do not show again`}</Button>
        </div>
      </Notice>
    </section>
  )
}
