import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog/dialog.tsx'
import { useSession } from '../../monitor/user/model.ts'
import type { AuthClient } from './auth.ts'

type ConfirmDialogProps = { reauthenticate: AuthClient['reauthenticate']; onEnd: (confirmed: boolean) => void }

/** Requests a re-authentication in a pop-up; input behind the dialog is preserved. */
export function ConfirmDialog({ reauthenticate, onEnd }: ConfirmDialogProps) {
  const { t } = useLingui()
  const { permissions } = useSession()
  const [signInState, setSignInState] = useState<'open' | 'other' | 'blocked' | 'failed' | null>(null)
  const username = permissions.username
  const stateMessages = {
    open: t`Sign in in the window that opened. This page continues automatically.`,
    other: t`Someone else signed in there. Sign in as ${username}.`,
    blocked: t`The browser did not open the window. Allow windows of this site, then try again.`,
    failed: t`The sign-in failed. Try again.`,
  }
  const startSignIn = async () => {
    setSignInState('open')
    const signInResult = await reauthenticate().catch(() => 'failed' as const)
    if (signInResult === 'done') onEnd(true)
    else setSignInState(signInResult)
  }
  return (
    <Dialog alert title={t`Confirm that it is you`} onClose={() => onEnd(false)}>
      <p>{t`You signed in a while ago. Sign in again to do this. What you typed is kept.`}</p>
      <p role="status">{signInState && stateMessages[signInState]}</p>
      <DialogActions>
        <Button onPress={() => onEnd(false)}>{t`Cancel`}</Button>
        <Button kind="primary" icon="external" autoFocus onPress={() => void startSignIn()}>{t`Sign in`}</Button>
      </DialogActions>
    </Dialog>
  )
}
