import { useLingui } from '@lingui/react/macro'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useApiKeyActions } from '../queries.ts'

type EndKeyDialogProps = { apiKey: { id: string; name: string }; onClose: () => void }

export function EndKeyDialog({ apiKey: { id, name }, onClose }: EndKeyDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const { revokeMutation } = useApiKeyActions()
  const revokeKey = () =>
    revokeMutation.mutate(id, {
      onSuccess: () => showToast('confirmation', t`Key revoked: ${name}`),
      onError: showError,
      onSettled: onClose,
    })
  return (
    <Dialog alert title={t`Revoke key`} onClose={onClose}>
      <p>{t`Programs that use “${name}” are refused from now on.`}</p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" pending={revokeMutation.isPending} onPress={revokeKey}>{t`Revoke key`}</Button>
      </DialogActions>
    </Dialog>
  )
}
