import { useLingui } from '@lingui/react/macro'
import type { OwnAccount, Passkey } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { Column } from '../../../kit/table/table.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { deviceOf } from '../model-device.ts'
import { hasPasskeys } from '../model-passkey.ts'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Passkeys: which there are, and how one is added and removed. */
export function OwnPasskeys({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const toast = useToast()
  const { addPasskey, removePasskey } = useOwnActions()
  const [asked, setAsked] = useState<Passkey | 'add' | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const close = () => setAsked(null)
  const columns = useColumns(account, setAsked)
  const added = (made: { codes: string[] }) => {
    close()
    setCodes(made.codes)
    toast('confirmation', t`Passkey added`)
  }
  const removed = () => {
    close()
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
      {asked === 'add' && (
        <ConfirmDialog
          account={account}
          title={t`Add a passkey`}
          submit={t`Add`}
          own={[
            { name: 'name', label: t`Name`, value: deviceOf(navigator.userAgent), input: { maxLength: 100 } },
          ]}
          action={addPasskey.mutateAsync}
          onDone={added}
          onClose={close}
        >
          <p>{t`Name the device or password manager that keeps it. Your browser asks the rest.`}</p>
        </ConfirmDialog>
      )}
      {asked !== null && asked !== 'add' && (
        <ConfirmDialog
          account={account}
          title={t`Remove the passkey ${name}`}
          submit={t`Remove`}
          action={(given) => removePasskey.mutateAsync({ id: asked.id, given })}
          onDone={removed}
          onClose={close}
        >
          <p>{t`It signs you in no more. Delete it on your device, too.`}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function useColumns(account: OwnAccount, remove: (key: Passkey) => void): readonly Column<Passkey>[] {
  const { t } = useLingui()
  const { dateTime } = useFormats()
  const isLast = account.passkeys.length === 1 && !account.hasTotp
  return [
    { key: 'name', head: t`Name`, rowHead: true, cell: ({ name }) => name },
    { key: 'created', head: t`Added`, cell: ({ createdAt }) => dateTime(createdAt) },
    { key: 'used', head: t`Last used`, cell: ({ usedAt }) => (usedAt ? dateTime(usedAt) : t`Never`) },
    {
      key: 'actions',
      head: t`Actions`,
      quiet: true,
      cell: (key) => {
        if (isLast && account.needsSecond) return null
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
