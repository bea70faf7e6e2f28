import { useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type LeaveGuardProps = {
  shouldBlock: () => boolean
  /** Explains what happens to unsaved changes; defaults to saying that they are lost. */
  text?: string
}

/** Confirms before unsaved changes are lost. Saves and navigation within the same page pass. */
export function LeaveGuard({ shouldBlock, text }: LeaveGuardProps) {
  const { t } = useLingui()
  const navigationBlocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && shouldBlock(),
    enableBeforeUnload: shouldBlock,
    withResolver: true,
  })
  if (navigationBlocker.status !== 'blocked') return null
  return (
    <Dialog alert title={t`Unsaved changes!`} onClose={navigationBlocker.reset}>
      <p>{text ?? t`Your changes here are lost when you leave.`}</p>
      <DialogActions>
        <Button autoFocus onPress={navigationBlocker.reset}>{t`Stay`}</Button>
        <Button kind="danger" onPress={navigationBlocker.proceed}>{t`Leave`}</Button>
      </DialogActions>
    </Dialog>
  )
}
