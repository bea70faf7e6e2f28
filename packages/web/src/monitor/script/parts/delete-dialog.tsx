import { useLingui } from '@lingui/react/macro'
import type { ScriptId } from '@clearway/contract/kit/id.ts'
import { ApiError } from '../../../kit/client/client.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useScriptActions } from '../queries.ts'

type Props = { script: { id: ScriptId; name: string; assignedScanCount: number }; onClose: () => void }

/** Deletes a shared script once its name was typed. One that a scan uses stays. */
export function DeleteScriptDialog({ script, onClose }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { remove } = useScriptActions()
  const { id, name, assignedScanCount } = script
  const inUse = t`The shared script ${name} is currently applied to one or more scans. Please remove it from those scans before proceeding with deletion.`
  const isInUse = remove.error instanceof ApiError && remove.error.problem?.code === 'in-use'
  return (
    <DeleteDialog
      title={t`Delete script`}
      name={name}
      failure={isInUse ? inUse : remove.error ? t(getProblemMessage(remove.error)) : undefined}
      pending={remove.isPending}
      onClose={onClose}
      onDelete={() =>
        remove.mutate(id, {
          onSuccess: () => {
            onClose()
            toast('confirmation', t`Script deleted: ${name}`)
          },
        })
      }
    >
      {assignedScanCount > 0 ? inUse : t`No scan uses it.`}
    </DeleteDialog>
  )
}
