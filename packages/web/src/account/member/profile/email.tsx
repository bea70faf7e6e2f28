import { useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { Notice } from '../../../kit/page/states.tsx'
import { OwnMailChoices } from '../../../monitor/user/parts/own-mails.tsx'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

export function OwnEmail({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const { requestEmailChange } = useOwnActions()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const [requestedEmail, setRequestedEmail] = useState<string | null>(null)
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Email`}>
      <h2>{t`Email`}</h2>
      <p className={account.email === null ? layout.muted : layout.break}>{account.email ?? t`None`}</p>
      {account.canChangeEmail && (
        <div>
          <Button
            onPress={() => {
              // A new request invalidates the previous link.
              setRequestedEmail(null)
              setIsDialogOpen(true)
            }}
          >{t`Change email…`}</Button>
        </div>
      )}
      <div role="status">
        {requestedEmail !== null && (
          <Notice kind="info" title={t`Email sent to ${requestedEmail}`}>
            <p>{t`Follow the link in it within a day to confirm this email. Until then nothing changes.`}</p>
          </Notice>
        )}
      </div>
      <OwnMailChoices />
      {isDialogOpen && (
        <ConfirmDialog
          account={account}
          title={t`Change email`}
          submit={t`Send link`}
          extraFields={[
            {
              name: 'email',
              label: t`New email`,
              inputProps: { type: 'email', autoComplete: 'email', maxLength: 254 },
            },
          ]}
          getCustomMessage={(name, { code }) => {
            if (name !== 'email' || code === 'not-sent') return undefined
            return code === 'name-taken' ? t`This email is already in use.` : t(getFieldErrorMessage('bad-email'))
          }}
          action={async (values) => {
            await requestEmailChange.mutateAsync(values)
            return values.email.trim()
          }}
          onDone={(sentTo) => {
            setIsDialogOpen(false)
            setRequestedEmail(sentTo)
          }}
          onClose={() => setIsDialogOpen(false)}
        >
          <p>{t`A link is sent to the new email address. Once you follow it, you sign in with the new address, and are signed out on all devices. Your old address is notified.`}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
