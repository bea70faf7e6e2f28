import { useLingui } from '@lingui/react/macro'
import type { OwnAccount, Passkey } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import layout from '../../../kit/page/layout.module.css'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { hasPasskeys } from '../model-passkey.ts'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type OwnPasskeysProps = { account: OwnAccount; codes: readonly string[]; onCodes: (codes: readonly string[]) => void }

export function OwnPasskeys({ account, codes, onCodes }: OwnPasskeysProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { removePasskey } = useOwnActions()
  const [dialogTarget, setDialogTarget] = useState<Passkey | 'add' | null>(null)
  const closeDialog = () => setDialogTarget(null)
  const tableColumns = usePasskeyColumns(account, setDialogTarget)
  const onPasskeyAdded = (newCodes: readonly string[]) => {
    closeDialog()
    // Only the first factor creates recovery codes; existing codes stay valid.
    if (newCodes.length > 0) onCodes(newCodes)
    showToast('confirmation', t`Passkey added`)
  }
  const onPasskeyRemoved = () => {
    closeDialog()
    if (isLastFactor(account)) onCodes([])
    showToast('confirmation', t`Passkey removed`)
  }
  const passkeyName = dialogTarget === null || dialogTarget === 'add' ? '' : dialogTarget.name
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Passkeys`}>
      <h2>{t`Passkeys`}</h2>
      <p>{t`A passkey signs you in with your fingerprint, face or screen lock, without a password. It cannot be guessed or given to a fake site.`}</p>
      <div role="status">{codes.length > 0 && <RecoveryCodes codes={codes} />}</div>
      {account.passkeys.length > 0 && (
        <DataTable caption={t`Passkeys`} columns={tableColumns} rows={account.passkeys} rowKey={({ id }) => id} />
      )}
      {!account.canUsePasskeys ? (
        <p>{t`Passkeys need an address with https and a domain name, which this server does not have.`}</p>
      ) : !hasPasskeys() ? (
        <p>{t`This browser has no passkeys. Use a newer one to add a passkey.`}</p>
      ) : (
        <div>
          <Button onPress={() => setDialogTarget('add')}>{t`Add a passkey…`}</Button>
        </div>
      )}
      {dialogTarget === 'add' && <PasskeyDialog account={account} onDone={onPasskeyAdded} onClose={closeDialog} />}
      {dialogTarget !== null && dialogTarget !== 'add' && (
        <ConfirmDialog
          account={account}
          title={t`Remove the passkey ${passkeyName}`}
          submit={t`Remove`}
          action={(confirmation) => removePasskey.mutateAsync({ id: dialogTarget.id, confirmation })}
          onDone={onPasskeyRemoved}
          onClose={closeDialog}
        >
          <p>{t`You can no longer sign in with it. Delete it on your device, too.`}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

/** Returns true if the passkey is the only second factor. */
const isLastFactor = ({ passkeys, hasTotp }: OwnAccount) => passkeys.length === 1 && !hasTotp

function usePasskeyColumns(account: OwnAccount, onRemove: (passkey: Passkey) => void): readonly Column<Passkey>[] {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  return [
    { key: 'name', heading: t`Name`, isRowHeading: true, renderCell: ({ name }) => name },
    { key: 'created', heading: t`Added`, renderCell: ({ createdAt }) => formatDateTime(createdAt) },
    {
      key: 'used',
      heading: t`Last used`,
      renderCell: ({ usedAt }) => (usedAt ? formatDateTime(usedAt) : t`Never`),
    },
    {
      key: 'actions',
      heading: t`Actions`,
      isHeadingHidden: true,
      renderCell: (passkey) => {
        if (isLastFactor(account) && account.needsSecond) return null
        const { name: passkeyName } = passkey
        return (
          <Button small kind="danger" label={t`Remove: ${passkeyName}`} onPress={() => onRemove(passkey)}>
            {t`Remove…`}
          </Button>
        )
      },
    },
  ]
}
