import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Button } from '../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog/dialog.tsx'
import { getHelpMessage } from './help-texts.ts'

/** Explains the purpose of a screen if no other documentation is configured. */
export function HelpDialog({ screen, onClose }: { screen: string; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog title={t`About this screen`} onClose={onClose}>
      <p>{t(getHelpMessage(screen))}</p>
      <p>
        <Link
          to="/docs/$key"
          params={{ key: screen }}
          onClick={onClose}
        >{t`Step by step, with an explanation of the terms`}</Link>
      </p>
      <DialogActions>
        <Button kind="primary" autoFocus onPress={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}
