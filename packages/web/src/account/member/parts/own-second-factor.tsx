import { Plural, useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { problemText } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { TotpDialog } from './totp-dialog.tsx'

type Asked = 'turn-off' | 'renew' | null

/** Two-factor sign-in: whether it is on, and how it is turned on and off. */
export function SecondFactor({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const toast = useToast()
  const { offer, turnOff, renewCodes } = useOwnActions()
  const [asked, setAsked] = useState<Asked>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const begin = () => offer.mutate(undefined, { onError: (error) => toast('error', t(problemText(error))) })
  const shown = (made: readonly string[]) => {
    offer.reset()
    setAsked(null)
    setCodes(made)
  }
  const off = () => {
    setAsked(null)
    setCodes(null)
    toast('confirmation', t`Two-factor sign-in turned off`)
  }
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Two-factor sign-in`}>
      <h2>{t`Two-factor sign-in`}</h2>
      <State account={account} />
      <div role="status">{codes && <Codes codes={codes} />}</div>
      <div className={layout.row}>
        {account.hasTotp ? (
          <>
            <Button onPress={() => setAsked('renew')}>{t`New recovery codes…`}</Button>
            {!account.needsSecond && (
              <Button kind="danger" onPress={() => setAsked('turn-off')}>{t`Turn off…`}</Button>
            )}
          </>
        ) : (
          <Button kind="primary" pending={offer.isPending} onPress={begin}>{t`Set up…`}</Button>
        )}
      </div>
      {offer.data && <TotpDialog offer={offer.data} onClose={() => offer.reset()} onDone={shown} />}
      {asked === 'turn-off' && (
        <ConfirmDialog
          title={t`Turn off two-factor sign-in`}
          text={t`Your password alone signs in then. Recovery codes stop working.`}
          action={turnOff}
          onDone={off}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'renew' && (
        <ConfirmDialog
          title={t`New recovery codes`}
          text={t`The codes that you have now stop working.`}
          action={renewCodes}
          onDone={(made) => shown((made as { codes: string[] }).codes)}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  )
}

function State({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  if (!account.hasTotp)
    return (
      <p>{t`Off. An authenticator app adds a code to your password, so that a stolen password is not enough.`}</p>
    )
  return (
    <p>
      {t`On, with an authenticator app.`}{' '}
      <Plural
        value={account.recoveryCodes}
        _0="No recovery codes are left."
        one="# recovery code is left."
        other="# recovery codes are left."
      />
    </p>
  )
}

function Codes({ codes }: { codes: readonly string[] }) {
  const { t } = useLingui()
  return (
    <Notice kind="info" title={t`Recovery codes`}>
      <p>{t`Keep these codes in a safe place. Each replaces your authenticator app once. They are not shown again.`}</p>
      <ul className={layout.tight}>
        {codes.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <CopyButton text={codes.join('\n')}>{t`Copy`}</CopyButton>
      </div>
    </Notice>
  )
}
