import { Plural, useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { usePresetActions } from '../queries.ts'

type DeletePresetDialogProps = { preset: { id: PresetId; name: string; assignedScanCount: number }; onClose: () => void }

export function DeletePresetDialog({ preset, onClose }: DeletePresetDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { deleteMutation } = usePresetActions()
  const { id: presetId, name: presetName, assignedScanCount } = preset
  return (
    <DeleteDialog
      title={t`Delete preset`}
      name={presetName}
      failure={deleteMutation.error ? t(getProblemMessage(deleteMutation.error)) : undefined}
      pending={deleteMutation.isPending}
      onClose={onClose}
      onDelete={() =>
        deleteMutation.mutate(presetId, {
          onSuccess: () => {
            onClose()
            showToast('confirmation', t`Preset deleted: ${presetName}`)
          },
        })
      }
    >
      <Plural
        value={assignedScanCount}
        _0="No scan uses it."
        one="# scan uses it, and keeps its settings."
        other="# scans use it, and keep their settings."
      />
    </DeleteDialog>
  )
}
