import { useLingui } from '@lingui/react/macro'
import type { SavedView } from '@clearway/contract/monitor/view/schema.ts'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useViewActions } from '../queries.ts'

type DeleteViewDialogProps = { view: SavedView; onDeleted: () => void; onClose: () => void }

export function DeleteViewDialog({ view, onDeleted, onClose }: DeleteViewDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const showError = useShowError()
  const { deleteMutation } = useViewActions()
  const { name: viewName } = view
  const deleteView = () =>
    deleteMutation.mutate(view.id, {
      onSuccess: () => {
        showToast('confirmation', t`View deleted: ${viewName}`)
        onDeleted()
      },
      onError: showError,
      onSettled: onClose,
    })
  return (
    <Dialog alert title={t`Delete view`} onClose={onClose}>
      <p>
        {view.audience.kind === 'me'
          ? t`“${viewName}” is deleted. The list itself does not change.`
          : t`“${viewName}” is deleted for everyone it is shared with. The list itself does not change.`}
      </p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" pending={deleteMutation.isPending} onPress={deleteView}>{t`Delete view`}</Button>
      </DialogActions>
    </Dialog>
  )
}
