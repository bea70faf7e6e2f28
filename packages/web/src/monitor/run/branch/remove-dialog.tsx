import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { BranchRunSummary } from '@clearway/contract/monitor/run/branch/schema.ts'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useBranchRemoval } from '../queries-branch.ts'

type RemoveBranchRunProps = {
  scanId: ScanId
  branchRun: Pick<BranchRunSummary, 'id' | 'branch' | 'uploadedAt'>
  onRemoved?: () => void
  onClose: () => void
}

export function RemoveBranchRunDialog({ scanId, branchRun, onRemoved, onClose }: RemoveBranchRunProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { formatDateTime } = useFormats()
  const removal = useBranchRemoval(scanId)
  const { branch: branchName } = branchRun
  const uploadTime = formatDateTime(branchRun.uploadedAt)
  return (
    <FormDialog
      title={t`Delete result`}
      submitLabel={t`Delete result`}
      kind="danger"
      pending={removal.isPending}
      failure={removal.isError && { title: t`The result could not be deleted.`, error: removal.error }}
      onSubmit={() =>
        removal.mutate(branchRun.id, {
          onSuccess: () => {
            onClose()
            showToast('confirmation', t`Result deleted: ${branchName}`)
            onRemoved?.()
          },
        })
      }
      onClose={onClose}
    >
      <p>
        {t`The result of the branch ${branchName} of ${uploadTime} is deleted. Runs and issues of the scan stay as they are.`}{' '}
        {t`It cannot be undone.`}
      </p>
    </FormDialog>
  )
}
