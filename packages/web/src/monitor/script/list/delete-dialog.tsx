import { useLingui } from '@lingui/react/macro'
import type { ScriptId } from '@clearway/contract/kit/id.ts'
import { ApiError } from '../../../kit/client/client.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useScriptActions } from '../queries.ts'

type DeleteScriptDialogProps = { script: { id: ScriptId; name: string; assignedScanCount: number }; onClose: () => void }

/** Deletes a shared script after its name is typed. A script in use cannot be deleted. */
export function DeleteScriptDialog({ script, onClose }: DeleteScriptDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { deleteMutation } = useScriptActions()
  const { id: scriptId, name: scriptName, assignedScanCount } = script
  const inUseMessage = t`The shared script ${scriptName} is currently applied to one or more scans. Please remove it from those scans before proceeding with deletion.`
  const isScriptInUse = deleteMutation.error instanceof ApiError && deleteMutation.error.problem?.code === 'in-use'
  return (
    <DeleteDialog
      title={t`Delete script`}
      name={scriptName}
      failure={isScriptInUse ? inUseMessage : deleteMutation.error ? t(getProblemMessage(deleteMutation.error)) : undefined}
      pending={deleteMutation.isPending}
      onClose={onClose}
      onDelete={() =>
        deleteMutation.mutate(scriptId, {
          onSuccess: () => {
            onClose()
            showToast('confirmation', t`Script deleted: ${scriptName}`)
          },
        })
      }
    >
      {assignedScanCount > 0 ? inUseMessage : t`No scan uses it.`}
    </DeleteDialog>
  )
}
