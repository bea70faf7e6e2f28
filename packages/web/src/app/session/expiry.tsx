import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useFormats } from '../../kit/text/format.ts'
import { useToast } from '../../kit/dialog/toast.tsx'
import { useSession } from '../../monitor/user/model.ts'
import type { Auth } from './auth.ts'

const warnMs = 60_000
const SessionExpiryDialog = lazy(() =>
  import('./expiry-dialog.tsx').then((m) => ({ default: m.SessionExpiryDialog })),
)

/** Watches the end of the session: asks one minute before, logs out at zero. */
export function SessionExpiry({ auth }: { auth: Auth }) {
  const { t } = useLingui()
  const toast = useToast()
  const { duration } = useFormats()
  const { logout } = useSession()
  const [left, setLeft] = useState<number | null>(null)
  const [dismissed, setDismissed] = useState<number | null>(null)
  useEffect(() => {
    const timer = setInterval(() => {
      const end = auth.endsAt()
      const ms = end === null ? null : end - Date.now()
      if (ms !== null && ms <= 0) logout()
      setLeft(ms !== null && ms <= warnMs ? ms : null)
    }, 1000)
    return () => clearInterval(timer)
  }, [auth, logout])
  if (left === null || dismissed === auth.endsAt()) return null
  const extend = async () => {
    const result = await auth.extend()
    setDismissed(auth.endsAt())
    if (result.kind === 'failed') toast('error', t`Failed to extend session`)
    else if (result.kind === 'no-gain') toast('caution', t`Unable to extend session`)
    else {
      const time = duration(result.minutes * 60_000)
      toast('confirmation', t`Session extended by ${time}.`)
    }
  }
  return (
    <Suspense fallback={null}>
      <SessionExpiryDialog
        secondsLeft={Math.ceil(left / 1000)}
        onExtend={() => void extend()}
        onCancel={() => setDismissed(auth.endsAt())}
      />
    </Suspense>
  )
}
