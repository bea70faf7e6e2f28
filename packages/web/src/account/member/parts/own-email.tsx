import { useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** One's email, and how another takes its place: by a link that is sent there. */
export function OwnEmail({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const { askForEmail } = useOwnActions()
  const [asking, setAsking] = useState(false)
  const [email, setEmail] = useState<string | null>(null)
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Email`}>
      <h2>{t`Email`}</h2>
      <p className={layout.break}>{account.email ?? t`None`}</p>
      {account.canChangeEmail ? (
        <div>
          <Button
            onPress={() => {
              // The link that was sent before goes with the next.
              setEmail(null)
              setAsking(true)
            }}
          >{t`Change email…`}</Button>
        </div>
      ) : (
        <p>{t`This server sends no email, so it cannot confirm another one.`}</p>
      )}
      <div role="status">
        {email !== null && (
          <Notice kind="info" title={t`Email sent to ${email}`}>
            <p>{t`Follow the link in it within a day to confirm this email. Until then nothing changes.`}</p>
          </Notice>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          account={account}
          title={t`Change email`}
          submit={t`Send link`}
          own={[
            {
              name: 'email',
              label: t`New email`,
              input: { type: 'email', autoComplete: 'email', maxLength: 254 },
            },
          ]}
          meaning={(name, { code }) => {
            if (name !== 'email' || code === 'not-sent') return undefined
            return code === 'name-taken'
              ? t`Somebody has this email already.`
              : t(getFieldErrorMessage('bad-email'))
          }}
          action={async (given) => {
            await askForEmail.mutateAsync(given)
            return given.email.trim()
          }}
          onDone={(sentTo) => {
            setAsking(false)
            setEmail(sentTo)
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t`A link is sent to the new email address. Once you follow it, you sign in with the new address, and are signed out on all devices. Your old address is notified.`}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
