import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { getButtonClass } from '../../../kit/control/button.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { DisplayCard } from '../../../monitor/user/parts/display-card.tsx'
import { OwnMails } from '../../../monitor/user/parts/own-mails.tsx'
import { OwnEmail } from '../profile/email.tsx'
import { NameForm } from '../profile/name-form.tsx'
import { PasswordForm } from '../profile/password-form.tsx'
import { OwnPasskeys } from '../profile/passkeys.tsx'
import { OwnSessions } from '../profile/sessions.tsx'
import { SecondFactor } from '../profile/second-factor.tsx'
import { directoryQuery, ownAccountQuery } from '../queries.ts'
import styles from './own.module.css'

export function OwnAccountPage(): ReactNode {
  const { t } = useLingui()
  const userSession = useSession()
  const peopleDirectory = useQuery(directoryQuery(userSession))
  const { config: appConfig } = userSession
  return (
    <>
      <PageHead title={t`My account`} productName={appConfig.productName} />
      <QueryState query={peopleDirectory} loadingLabel={t`Loading`} failureTitle={t`Your account could not be loaded.`} />
      {peopleDirectory.data?.embedded === true && <AccountCards />}
      {peopleDirectory.data?.embedded === false && (
        <div className={layout.stack}>
          <div className={layout.card}>
            <EmptyState
              title={t`Your identity provider keeps your account`}
              action={
                <a className={getButtonClass()} href={`${appConfig.keycloakUrl}/realms/${appConfig.realmId}/account`}>
                  {t`Open the identity provider`}
                </a>
              }
            >
              <p>{t`Change your name, password and two-factor sign-in there.`}</p>
            </EmptyState>
          </div>
          <OwnMails />
          <DisplayCard />
        </div>
      )}
    </>
  )
}

function AccountCards() {
  const { t } = useLingui()
  const ownAccount = useQuery(ownAccountQuery(useSession()))
  // Only the latest recovery codes are valid, regardless of the card that created them.
  const [recoveryCodes, setRecoveryCodes] = useState<{ source: 'app' | 'passkey'; codes: readonly string[] }>({
    source: 'app',
    codes: [],
  })
  const getCodesProps = (source: typeof recoveryCodes.source) => ({
    codes: recoveryCodes.source === source ? recoveryCodes.codes : [],
    onCodes: (codes: readonly string[]) => setRecoveryCodes({ source, codes }),
  })
  return (
    <div className={layout.stack}>
      <QueryState query={ownAccount} loadingLabel={t`Loading`} failureTitle={t`Your account could not be loaded.`} fillsScreen />
      {ownAccount.data && (
        <>
          <div className={styles.columns}>
            <div className={layout.stack}>
              <NameForm account={ownAccount.data} />
              <PasswordForm account={ownAccount.data} />
            </div>
            <div className={layout.stack}>
              <OwnEmail account={ownAccount.data} />
              <SecondFactor account={ownAccount.data} {...getCodesProps('app')} />
              <OwnPasskeys account={ownAccount.data} {...getCodesProps('passkey')} />
              <DisplayCard />
            </div>
          </div>
          <OwnSessions account={ownAccount.data} />
        </>
      )}
    </div>
  )
}
