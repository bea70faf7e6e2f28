import { Trans, useLingui } from '@lingui/react/macro'
import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { TeamAccess } from '@clearway/contract/monitor/access/schema.ts'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useAccessActions } from '../queries.ts'

type RemoveAccessDialogProps = { row: z.output<typeof TeamAccess>; onClose: () => void }

export function RemoveAccessDialog({ row, onClose }: RemoveAccessDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { assignMutation } = useAccessActions()
  const { teamId, teamName, scan: accessedScan, scanGroup: accessedGroup } = row
  const targetName = accessedScan?.name ?? accessedGroup?.name ?? ''
  const assignmentTarget = {
    ...(accessedScan && { scanId: accessedScan.id }),
    ...(accessedGroup && { scanGroupId: accessedGroup.id }),
  }
  const removeAccess = () =>
    assignMutation.mutate(
      { assignments: [{ teamId: teamId as TeamId, ...assignmentTarget, role: null }] },
      {
        onSuccess: () => showToast('confirmation', t`${teamName} no longer has access to ${targetName}.`),
        onError: (error) => {
          const errorMessage = t(getProblemMessage(error))
          showToast('error', t`Team assignment error: ${errorMessage}`, { error })
        },
        onSettled: onClose,
      },
    )
  return (
    <Dialog alert title={t`Remove access`} onClose={onClose}>
      <p>
        <Trans>
          The members of <strong>{teamName}</strong> lose what this role gave them on <strong>{targetName}</strong>.
        </Trans>
      </p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" pending={assignMutation.isPending} onPress={removeAccess}>{t`Remove access`}</Button>
      </DialogActions>
    </Dialog>
  )
}
