import { useLingui } from '@lingui/react/macro'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useApiKeyActions } from '../queries.ts'

type Props = { apiKey: { id: string; name: string }; onClose: () => void }

/** Asks before a key is ended. */
export function EndKeyDialog({ apiKey: { id, name }, onClose }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { remove } = useApiKeyActions()
  const end = () =>
    remove.mutate(id, {
      onSuccess: () => {
        onClose()
        toast('confirmation', t`Key revoked: ${name}`)
      },
      onError: (error) => {
        onClose()
        toast('error', t(getProblemMessage(error)))
      },
    })
  return (
    <Dialog alert title={t`Revoke key`} onClose={onClose}>
      <p>{t`Programs that use “${name}” are refused from now on.`}</p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" pending={remove.isPending} onPress={end}>{t`Revoke key`}</Button>
      </DialogActions>
    </Dialog>
  )
}
