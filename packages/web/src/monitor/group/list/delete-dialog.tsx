import { useLingui } from '@lingui/react/macro'
import type { ScanGroup } from '@clearway/contract/monitor/group/schema.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useGroupActions } from '../queries.ts'

export function DeleteGroupDialog({ group, onClose }: { group: ScanGroup; onClose: () => void }) {
  const { t } = useLingui()
  const showToast = useToast()
  const { deleteMutation } = useGroupActions()
  const groupName = group.scanGroupName
  const errorMessage = deleteMutation.error && t(getProblemMessage(deleteMutation.error))
  return (
    <DeleteDialog
      title={t`Delete scan group`}
      name={groupName}
      failure={errorMessage ? t`Error when trying to delete scan group! ${errorMessage}` : undefined}
      pending={deleteMutation.isPending}
      onClose={onClose}
      onDelete={() =>
        deleteMutation.mutate(group.scanGroupId, {
          onSuccess: () => {
            onClose()
            showToast('confirmation', t`Scan group deleted: ${groupName}`)
          },
        })
      }
    >
      {t`Its scans are kept; the access that it gave ends.`}
    </DeleteDialog>
  )
}
