import { Plural, useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpDialog } from './totp-dialog.tsx'

type Asked = 'turn-off' | 'renew' | null

type Props = { account: OwnAccount; codes: readonly string[]; onCodes: (codes: readonly string[]) => void }

/** Two-factor sign-in: whether it is on, and how it is turned on and off. */
export function SecondFactor({ account, codes, onCodes }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { offer, turnOff, renewCodes } = useOwnActions()
  const [asked, setAsked] = useState<Asked>(null)
  const hasPasskey = account.passkeys.length > 0
  const begin = () => offer.mutate(undefined, { onError: (error) => toast('error', t(getProblemMessage(error))) })
  const shown = (made: readonly string[]) => {
    offer.reset()
    setAsked(null)
    onCodes(made)
  }
  const off = () => {
    setAsked(null)
    if (!hasPasskey) onCodes([])
    toast('confirmation', t`Authenticator app turned off`)
  }
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Two-factor sign-in`}>
      <h2>{t`Two-factor sign-in`}</h2>
      <State account={account} />
      <div role="status">{codes.length > 0 && <RecoveryCodes codes={codes} />}</div>
      <div className={layout.row}>
        {!account.hasTotp && (
          <Button kind="primary" pending={offer.isPending} onPress={begin}>{t`Set up…`}</Button>
        )}
        {(account.hasTotp || hasPasskey) && (
          <Button onPress={() => setAsked('renew')}>{t`New recovery codes…`}</Button>
        )}
        {account.hasTotp && (hasPasskey || !account.needsSecond) && (
          <Button kind="danger" onPress={() => setAsked('turn-off')}>{t`Turn off…`}</Button>
        )}
      </div>
      {offer.data && (
        <TotpDialog account={account} offer={offer.data} onClose={() => offer.reset()} onDone={shown} />
      )}
      {asked === 'turn-off' && (
        <ConfirmDialog
          account={account}
          title={t`Turn off the authenticator app`}
          action={turnOff.mutateAsync}
          onDone={off}
          onClose={() => setAsked(null)}
        >
          <p>
            {hasPasskey
              ? t`Its codes stop working. Your passkeys and recovery codes stay.`
              : t`After that, your password alone is enough to sign in. Recovery codes stop working.`}
          </p>
        </ConfirmDialog>
      )}
      {asked === 'renew' && (
        <ConfirmDialog
          account={account}
          title={t`New recovery codes`}
          action={renewCodes.mutateAsync}
          onDone={(made) => shown(made.codes)}
          onClose={() => setAsked(null)}
        >
          <p>{t`Your current codes stop working.`}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function State({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  if (!account.hasTotp && account.passkeys.length === 0)
    return (
      <p>{t`Off. An authenticator app adds a code to your password, so that a stolen password is not enough.`}</p>
    )
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
