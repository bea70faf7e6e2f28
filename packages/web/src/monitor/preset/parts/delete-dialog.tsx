import { Plural, useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { usePresetActions } from '../queries.ts'

type Props = { preset: { id: PresetId; name: string; assignedScanCount: number }; onClose: () => void }

/** Deletes a preset once its name was typed. */
export function DeletePresetDialog({ preset, onClose }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { remove } = usePresetActions()
  const { id, name, assignedScanCount } = preset
  return (
    <DeleteDialog
      title={t`Delete preset`}
      name={name}
      failure={remove.error ? t(getProblemMessage(remove.error)) : undefined}
      pending={remove.isPending}
      onClose={onClose}
      onDelete={() =>
        remove.mutate(id, {
          onSuccess: () => {
            onClose()
            toast('confirmation', t`Preset deleted: ${name}`)
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
