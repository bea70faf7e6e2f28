import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { getButtonClass } from '../../../kit/control/button.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { OwnMails } from '../../../monitor/user/parts/own-mails.tsx'
import { OwnEmail } from '../parts/own-email.tsx'
import { NameForm } from '../parts/own-name-form.tsx'
import { PasswordForm } from '../parts/own-password-form.tsx'
import { OwnPasskeys } from '../parts/own-passkeys.tsx'
import { OwnSessions } from '../parts/own-sessions.tsx'
import { SecondFactor } from '../parts/own-second-factor.tsx'
import { directoryQuery, ownAccountQuery } from '../queries.ts'

/** /account: one's own name, mails, password, second factor and sessions. */
export function OwnAccountPage(): ReactNode {
  const { t } = useLingui()
  const session = useSession()
  const directory = useQuery(directoryQuery(session))
  const { config } = session
  return (
    <>
      <PageHead title={t`My account`} productName={config.productName} />
      <QueryState query={directory} loading={t`Loading`} failed={t`Your account could not be loaded.`} />
      {directory.data?.embedded === true && <Account />}
      {directory.data?.embedded === false && (
        <div className={layout.stack}>
          <div className={layout.card}>
            <EmptyState
              title={t`Your identity provider keeps your account`}
              action={
                <a className={getButtonClass()} href={`${config.keycloakUrl}/realms/${config.realmId}/account`}>
                  {t`Open the identity provider`}
                </a>
              }
            >
              <p>{t`Change your name, password and two-factor sign-in there.`}</p>
            </EmptyState>
          </div>
          <OwnMails />
        </div>
      )}
    </>
  )
}

function Account() {
  const { t } = useLingui()
  const account = useQuery(ownAccountQuery(useSession()))
  // Only the newest recovery codes are good, whichever card made them.
  const [made, setMade] = useState<{ by: 'app' | 'passkey'; codes: readonly string[] }>({
    by: 'app',
    codes: [],
  })
  const codesOf = (by: typeof made.by) => ({
    codes: made.by === by ? made.codes : [],
    onCodes: (codes: readonly string[]) => setMade({ by, codes }),
  })
  return (
    <div className={layout.stack}>
      <QueryState query={account} loading={t`Loading`} failed={t`Your account could not be loaded.`} screen />
      {account.data && (
        <>
          <NameForm account={account.data} />
          <OwnEmail account={account.data} />
          <OwnMails />
          <PasswordForm account={account.data} />
          <SecondFactor account={account.data} {...codesOf('app')} />
          <OwnPasskeys account={account.data} {...codesOf('passkey')} />
          <OwnSessions account={account.data} />
        </>
      )}
    </div>
  )
}
