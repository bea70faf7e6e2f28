import { useLingui } from '@lingui/react/macro'
import type { Confirmation, OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { describeDevice } from '../model-device.ts'
import { createPasskey } from '../model-passkey.ts'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type PasskeyDialogProps = { account: OwnAccount; onClose: () => void; onDone: (codes: readonly string[]) => void }

/** Adds a passkey: asks for a name and a confirmation, then opens the browser's prompt. */
export function PasskeyDialog({ account, onClose, onDone }: PasskeyDialogProps) {
  const { t } = useLingui()
  const { requestOptions, savePasskey } = useOwnActions()
  const [storedOptions, setStoredOptions] = useState<Record<string, unknown> | null>(null)
  const addPasskey = async ({ name, ...confirmation }: Confirmation & { name: string }) => {
    // Requesting options consumes the code, so they are kept for retries until the server accepts or refuses a passkey.
    const passkeyOptions = storedOptions ?? (await requestOptions.mutateAsync(confirmation))
    setStoredOptions(passkeyOptions)
    const newPasskey = await createPasskey(passkeyOptions)
    setStoredOptions(null)
    return savePasskey.mutateAsync({ name, passkey: newPasskey })
  }
  const nameField = {
    name: 'name',
    label: t`Name`,
    value: describeDevice(navigator.userAgent),
    inputProps: { maxLength: 100 },
  } as const
  return (
    <ConfirmDialog
      account={account}
      title={t`Add a passkey`}
      submit={t`Add`}
      extraFields={[nameField]}
      action={addPasskey}
      onDone={({ codes }) => onDone(codes)}
      onClose={onClose}
    >
      <p>{t`Name the device or password manager that keeps it. Your browser guides you through the rest.`}</p>
    </ConfirmDialog>
  )
}
