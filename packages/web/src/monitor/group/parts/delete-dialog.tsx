import { useLingui } from '@lingui/react/macro'
import type { ScanGroup } from '@clearway/contract/monitor/group/schema.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useGroupActions } from '../queries.ts'

/** Deletes a scan group once its name was typed. */
export function DeleteGroupDialog({ group, onClose }: { group: ScanGroup; onClose: () => void }) {
  const { t } = useLingui()
  const toast = useToast()
  const { remove } = useGroupActions()
  const name = group.scanGroupName
  const why = remove.error && t(getProblemMessage(remove.error))
  return (
    <DeleteDialog
      title={t`Delete scan group`}
      name={name}
      failure={why ? t`Error when trying to delete scan group! ${why}` : undefined}
      pending={remove.isPending}
      onClose={onClose}
      onDelete={() =>
        remove.mutate(group.scanGroupId, {
          onSuccess: () => {
            onClose()
            toast('confirmation', t`Scan group deleted: ${name}`)
          },
        })
      }
    >
      {t`Its scans are kept; the access that it gave ends.`}
    </DeleteDialog>
  )
}
