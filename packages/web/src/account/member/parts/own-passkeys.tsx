import { useLingui } from '@lingui/react/macro'
import type { OwnAccount, Passkey } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { hasPasskeys } from '../model-passkey.ts'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

type Props = { account: OwnAccount; codes: readonly string[]; onCodes: (codes: readonly string[]) => void }

/** Passkeys: which there are, and how one is added and removed. */
export function OwnPasskeys({ account, codes, onCodes }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { removePasskey } = useOwnActions()
  const [asked, setAsked] = useState<Passkey | 'add' | null>(null)
  const close = () => setAsked(null)
  const columns = useColumns(account, setAsked)
  const added = (made: readonly string[]) => {
    close()
    // Only the first factor brings codes; later, those of before stay good.
    if (made.length > 0) onCodes(made)
    toast('confirmation', t`Passkey added`)
  }
  const removed = () => {
    close()
    if (isLast(account)) onCodes([])
    toast('confirmation', t`Passkey removed`)
  }
  const name = asked === null || asked === 'add' ? '' : asked.name
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={t`Passkeys`}>
      <h2>{t`Passkeys`}</h2>
      <p>{t`A passkey signs you in with your fingerprint, face or screen lock, without a password. It cannot be guessed or given to a fake site.`}</p>
      <div role="status">{codes.length > 0 && <RecoveryCodes codes={codes} />}</div>
      {account.passkeys.length > 0 && (
        <DataTable caption={t`Passkeys`} columns={columns} rows={account.passkeys} rowKey={({ id }) => id} />
      )}
      {!account.canUsePasskeys ? (
        <p>{t`Browsers make passkeys only for sites with https and a domain name. This one has none.`}</p>
      ) : !hasPasskeys() ? (
        <p>{t`This browser has no passkeys. Use a newer one to add a passkey.`}</p>
      ) : (
        <div>
          <Button onPress={() => setAsked('add')}>{t`Add a passkey…`}</Button>
        </div>
      )}
      {asked === 'add' && <PasskeyDialog account={account} onDone={added} onClose={close} />}
      {asked !== null && asked !== 'add' && (
        <ConfirmDialog
          account={account}
          title={t`Remove the passkey ${name}`}
          submit={t`Remove`}
          action={(given) => removePasskey.mutateAsync({ id: asked.id, given })}
          onDone={removed}
          onClose={close}
        >
          <p>{t`You can no longer sign in with it. Delete it on your device, too.`}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

/** Whether the one passkey is the whole second factor. */
const isLast = ({ passkeys, hasTotp }: OwnAccount) => passkeys.length === 1 && !hasTotp

function useColumns(account: OwnAccount, remove: (key: Passkey) => void): readonly Column<Passkey>[] {
  const { t } = useLingui()
  const { dateTime } = useFormats()
  return [
    { key: 'name', head: t`Name`, rowHead: true, cell: ({ name }) => name },
    { key: 'created', head: t`Added`, cell: ({ createdAt }) => dateTime(createdAt) },
    { key: 'used', head: t`Last used`, cell: ({ usedAt }) => (usedAt ? dateTime(usedAt) : t`Never`) },
    {
      key: 'actions',
      head: t`Actions`,
      quiet: true,
      cell: (key) => {
        if (isLast(account) && account.needsSecond) return null
        const { name } = key
        return (
          <Button small kind="danger" label={t`Remove: ${name}`} onPress={() => remove(key)}>
            {t`Remove…`}
          </Button>
        )
      },
    },
  ]
}
