import { useLingui } from '@lingui/react/macro'
import { Button, getButtonClass } from '../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog/dialog.tsx'
import { useSession } from '../../monitor/user/model.ts'

/** Directs first-time users to the terms on the account page. Stays open until they accept. */
export function FirstLoginDialog({ href }: { href: string }) {
  const { t } = useLingui()
  const { config: appConfig, logout } = useSession()
  const { productName } = appConfig
  return (
    <Dialog alert title={t`Welcome to ${productName}`} onClose={() => undefined}>
      <p>{t`Before you begin, go to your account page, read the terms of use there and agree to them. You come back here afterwards.`}</p>
      <DialogActions>
        <Button onPress={logout}>{t`Log out`}</Button>
        <a className={getButtonClass({ kind: 'primary' })} href={href}>
          {t`Read the terms of use`}
        </a>
      </DialogActions>
    </Dialog>
  )
}
