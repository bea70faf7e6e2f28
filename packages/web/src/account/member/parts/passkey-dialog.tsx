import { useLingui } from '@lingui/react/macro'
import type { Confirmation, OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { deviceOf } from '../model-device.ts'
import { makePasskey } from '../model-passkey.ts'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  account: OwnAccount
  onClose: () => void
  onDone: (codes: readonly string[]) => void
}

/** Adds a passkey: what it is called, who it is, and then the browser asks. */
export function PasskeyDialog({ account, onClose, onDone }: Props) {
  const { t } = useLingui()
  const { offerPasskey, addPasskey } = useOwnActions()
  const [offer, setOffer] = useState<Record<string, unknown> | null>(null)
  const add = async ({ name, ...given }: Confirmation & { name: string }) => {
    // The offer uses the code up: it is kept for another try, until the server has taken a passkey or refused it.
    const asked = offer ?? (await offerPasskey.mutateAsync(given))
    setOffer(asked)
    const passkey = await makePasskey(asked)
    setOffer(null)
    return addPasskey.mutateAsync({ name, passkey })
  }
  const name = {
    name: 'name',
    label: t`Name`,
    value: deviceOf(navigator.userAgent),
    input: { maxLength: 100 },
  } as const
  return (
    <ConfirmDialog
      account={account}
      title={t`Add a passkey`}
      submit={t`Add`}
      own={[name]}
      action={add}
      onDone={({ codes }) => onDone(codes)}
      onClose={onClose}
    >
      <p>{t`Name the device or password manager that keeps it. Your browser guides you through the rest.`}</p>
    </ConfirmDialog>
  )
}
