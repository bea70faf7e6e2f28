import { useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

/** Asks before changes are lost; moves that save are let through. */
export function LeaveGuard({ blocked }: { blocked: () => boolean }) {
  const { t } = useLingui()
  const blocker = useBlocker({ shouldBlockFn: blocked, enableBeforeUnload: blocked, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog alert title={t`Unsaved changes!`} onClose={blocker.reset}>
      <p>{t`What you changed here is lost when you leave.`}</p>
      <DialogActions>
        <Button autoFocus onPress={blocker.reset}>{t`Stay`}</Button>
        <Button kind="danger" onPress={blocker.proceed}>{t`Leave`}</Button>
      </DialogActions>
    </Dialog>
  )
}
