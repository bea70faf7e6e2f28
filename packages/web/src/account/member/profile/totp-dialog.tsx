import { useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import layout from '../../../kit/page/layout.module.css'
import { useOwnActions } from '../queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type TotpDialogProps = {
  account: OwnAccount
  offer: { secret: string; picture: string }
  onClose: () => void
  onDone: (codes: readonly string[]) => void
}

/** Sets up an authenticator app by picture or key. Requires a code of the app and a confirmation. */
export function TotpDialog({ account, offer, onClose, onDone }: TotpDialogProps) {
  const { t } = useLingui()
  const { setUpTotp } = useOwnActions()
  const codeField = {
    name: 'code',
    label: t`Code from the app`,
    width: 'narrow',
    inputProps: { autoComplete: 'one-time-code', inputMode: 'numeric', maxLength: 20 },
  } as const
  return (
    <ConfirmDialog
      account={account}
      title={t`Set up two-factor sign-in`}
      submit={t`Turn on`}
      extraFields={[codeField]}
      action={(confirmation) => setUpTotp.mutateAsync({ ...confirmation, secret: offer.secret })}
      onDone={({ codes }) => onDone(codes)}
      onClose={onClose}
    >
      <p>{t`Scan the picture with an authenticator app, or enter the key there.`}</p>
      <img
        width={192}
        height={192}
        alt={t`QR code of the key below`}
        src={`data:image/svg+xml,${encodeURIComponent(offer.picture)}`}
      />
      <p>
        {t`Key`}:{' '}
        <code translate="no" className={layout.break}>
          {offer.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
      </p>
    </ConfirmDialog>
  )
}
