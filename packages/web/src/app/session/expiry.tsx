import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useState } from 'react'
import { suspendActivity } from '../../kit/client/use-user-activity.ts'
import { useFormats } from '../../kit/text/format.ts'
import { useToast } from '../../kit/dialog/toast.tsx'
import { useSession } from '../../monitor/user/model.ts'
import type { AuthClient } from './auth.ts'

const warningLeadMs = 60_000
const SessionExpiryDialog = lazy(() => import('./expiry-dialog.tsx').then((module) => ({ default: module.SessionExpiryDialog })))

/** Warns one minute before the session ends and logs out at zero. Until the answer, nothing on this screen renews it. */
export function SessionExpiry({ auth }: { auth: Pick<AuthClient, 'getSessionEnd' | 'extendSession'> }) {
  const { t } = useLingui()
  const showToast = useToast()
  const { formatDuration } = useFormats()
  const { logout } = useSession()
  const [remainingMs, setRemainingMs] = useState<number | null>(null)
  const [dismissedEnd, setDismissedEnd] = useState<number | null>(null)
  useEffect(() => {
    const expiryTimer = setInterval(() => {
      const sessionEnd = auth.getSessionEnd()
      const msUntilEnd = sessionEnd === null ? null : sessionEnd - Date.now()
      if (msUntilEnd !== null && msUntilEnd <= 0) logout()
      setRemainingMs(msUntilEnd !== null && msUntilEnd <= warningLeadMs ? msUntilEnd : null)
    }, 1000)
    return () => clearInterval(expiryTimer)
  }, [auth, logout])
  const isEnding = remainingMs !== null
  useEffect(() => {
    if (!isEnding) return
    suspendActivity(true)
    return () => suspendActivity(false)
  }, [isEnding])
  if (!isEnding || dismissedEnd === auth.getSessionEnd()) return null
  const extendSession = async () => {
    const extension = await auth.extendSession()
    setDismissedEnd(auth.getSessionEnd())
    if (extension.kind === 'failed') showToast('error', t`Failed to extend session`)
    else if (extension.kind === 'no-gain') showToast('caution', t`Unable to extend session`)
    else {
      const formattedDuration = formatDuration(extension.minutes * 60_000)
      showToast('confirmation', t`Session extended by ${formattedDuration}.`)
    }
  }
  return (
    <Suspense fallback={null}>
      <SessionExpiryDialog
        secondsLeft={Math.ceil(remainingMs / 1000)}
        onExtend={() => void extendSession()}
        onCancel={() => setDismissedEnd(auth.getSessionEnd())}
      />
    </Suspense>
  )
}
