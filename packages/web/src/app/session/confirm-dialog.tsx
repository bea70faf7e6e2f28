import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog/dialog.tsx'
import { useSession } from '../../monitor/user/model.ts'
import type { Auth } from './auth.ts'

type Props = { again: Auth['again']; onEnd: (confirmed: boolean) => void }

/** Asks for a sign-in in a window of its own; what was typed behind it stays. */
export function ConfirmDialog({ again, onEnd }: Props) {
  const { t } = useLingui()
  const { permissions } = useSession()
  const [said, setSaid] = useState<'open' | 'other' | 'blocked' | 'failed' | null>(null)
  const name = permissions.username
  const words = {
    open: t`Sign in in the window that opened. This page continues automatically.`,
    other: t`Somebody else signed in there. Sign in as ${name}.`,
    blocked: t`The browser did not open the window. Allow windows of this site, then try again.`,
    failed: t`The sign-in failed. Try again.`,
  }
  const start = async () => {
    setSaid('open')
    const became = await again().catch(() => 'failed' as const)
    if (became === 'done') onEnd(true)
    else setSaid(became)
  }
  return (
    <Dialog alert title={t`Confirm that it is you`} onClose={() => onEnd(false)}>
      <p>{t`You signed in a while ago. Sign in again to do this. What you typed is kept.`}</p>
      <p role="status">{said && words[said]}</p>
      <DialogActions>
        <Button onPress={() => onEnd(false)}>{t`Cancel`}</Button>
        <Button kind="primary" icon="external" autoFocus onPress={() => void start()}>{t`Sign in`}</Button>
      </DialogActions>
    </Dialog>
  )
}
