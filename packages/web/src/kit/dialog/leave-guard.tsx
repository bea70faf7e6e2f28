import { useLingui } from '@lingui/react/macro'
import { useBlocker } from '@tanstack/react-router'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type Props = {
  blocked: () => boolean
  /** What becomes of the changes; that they are lost, when left out. */
  text?: string
}

/** Asks before changes are lost; moves that save are let through, and those within the same page. */
export function LeaveGuard({ blocked, text }: Props) {
  const { t } = useLingui()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && blocked(),
    enableBeforeUnload: blocked,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog alert title={t`Unsaved changes!`} onClose={blocker.reset}>
      <p>{text ?? t`Your changes here are lost when you leave.`}</p>
      <DialogActions>
        <Button autoFocus onPress={blocker.reset}>{t`Stay`}</Button>
        <Button kind="danger" onPress={blocker.proceed}>{t`Leave`}</Button>
      </DialogActions>
    </Dialog>
  )
}
