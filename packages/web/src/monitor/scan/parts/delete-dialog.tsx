import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { DeleteDialog } from '../../../kit/dialog/delete-dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useScanActions } from '../queries.ts'

type DeleteScanDialogProps = { scan: ScanSummary; onClose: () => void; onDeleted: () => void }

export function DeleteScanDialog({ scan, onClose, onDeleted }: DeleteScanDialogProps) {
  const { t } = useLingui()
  const { deleteMutation } = useScanActions()
  return (
    <DeleteDialog
      title={t`Delete scan`}
      name={scan.name}
      failure={deleteMutation.error ? t(getProblemMessage(deleteMutation.error)) : undefined}
      pending={deleteMutation.isPending}
      onClose={onClose}
      onDelete={() => deleteMutation.mutate(scan.id, { onSuccess: onDeleted })}
    >
      <Plural
        value={scan.lastRun?.number ?? 0}
        _0="It has no runs yet."
        one="# run is deleted with it, including its pages and issues."
        other="# runs are deleted with it, including their pages and issues."
      />
    </DeleteDialog>
  )
}
