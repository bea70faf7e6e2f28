import { useLingui } from '@lingui/react/macro'
import type { SavedView } from '@clearway/contract/monitor/view/schema.ts'
import { Button } from '../../../kit/control/button.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useViewActions } from '../queries.ts'

type Props = { view: SavedView; onDeleted: () => void; onClose: () => void }

/** Asks before a view is deleted. */
export function DeleteViewDialog({ view, onDeleted, onClose }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { remove } = useViewActions()
  const { name } = view
  const end = () =>
    remove.mutate(view.id, {
      onSuccess: () => {
        toast('confirmation', t`View deleted: ${name}`)
        onDeleted()
      },
      onError: (error) => {
        onClose()
        toast('error', t(getProblemMessage(error)))
      },
    })
  return (
    <Dialog alert title={t`Delete view`} onClose={onClose}>
      <p>
        {view.audience.kind === 'me'
          ? t`“${name}” is deleted. The list itself does not change.`
          : t`“${name}” is deleted for everybody it is shared with. The list itself does not change.`}
      </p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" pending={remove.isPending} onPress={end}>{t`Delete view`}</Button>
      </DialogActions>
    </Dialog>
  )
}
