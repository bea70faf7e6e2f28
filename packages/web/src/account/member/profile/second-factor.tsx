import { Plural, useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import layout from '../../../kit/page/layout.module.css'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpDialog } from './totp-dialog.tsx'

type OpenDialog = 'turn-off' | 'renew' | null

type SecondFactorProps = { account: OwnAccount; codes: readonly string[]; onCodes: (codes: readonly string[]) => void }

export function SecondFactor({ account, codes, onCodes }: SecondFactorProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const { totpOffer, turnOffTotp, renewRecoveryCodes } = useOwnActions()
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null)
  const hasPasskey = account.passkeys.length > 0
  const startSetup = () => totpOffer.mutate(undefined, { onError: showError })
  const onCodesCreated = (newCodes: readonly string[]) => {
    totpOffer.reset()
    setOpenDialog(null)
    onCodes(newCodes)
  }
  const onTurnedOff = () => {
    setOpenDialog(null)
    if (!hasPasskey) onCodes([])
    showToast('confirmation', t`Authenticator app turned off`)
  }
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Two-factor sign-in`}>
      <h2>{t`Two-factor sign-in`}</h2>
      <SecondFactorState account={account} />
      <div role="status">{codes.length > 0 && <RecoveryCodes codes={codes} />}</div>
      <div className={layout.row}>
        {!account.hasTotp && <Button pending={totpOffer.isPending} onPress={startSetup}>{t`Set up…`}</Button>}
        {(account.hasTotp || hasPasskey) && <Button onPress={() => setOpenDialog('renew')}>{t`New recovery codes…`}</Button>}
        {account.hasTotp && (hasPasskey || !account.needsSecond) && (
          <Button kind="danger" onPress={() => setOpenDialog('turn-off')}>{t`Turn off…`}</Button>
        )}
      </div>
      {totpOffer.data && (
        <TotpDialog account={account} offer={totpOffer.data} onClose={() => totpOffer.reset()} onDone={onCodesCreated} />
      )}
      {openDialog === 'turn-off' && (
        <ConfirmDialog
          account={account}
          title={t`Turn off the authenticator app`}
          action={turnOffTotp.mutateAsync}
          onDone={onTurnedOff}
          onClose={() => setOpenDialog(null)}
        >
          <p>
            {hasPasskey
              ? t`Its codes stop working. Your passkeys and recovery codes stay.`
              : t`After that, your password alone is enough to sign in. Recovery codes stop working.`}
          </p>
        </ConfirmDialog>
      )}
      {openDialog === 'renew' && (
        <ConfirmDialog
          account={account}
          title={t`New recovery codes`}
          action={renewRecoveryCodes.mutateAsync}
          onDone={(result) => onCodesCreated(result.codes)}
          onClose={() => setOpenDialog(null)}
        >
          <p>{t`Your current codes stop working.`}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function SecondFactorState({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  if (!account.hasTotp && account.passkeys.length === 0)
    return <p>{t`Off. An authenticator app adds a code to your password, so that a stolen password is not enough.`}</p>
  return (
    <p>
      {account.hasTotp ? t`On, with an authenticator app.` : t`On, with a passkey.`}{' '}
      <Plural
        value={account.recoveryCodes}
        _0="No recovery codes are left."
        one="# recovery code is left."
        other="# recovery codes are left."
      />
    </p>
  )
}
