import { Trans, useLingui } from '@lingui/react/macro'
import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { TeamAccess } from '@clearway/contract/monitor/access/schema.ts'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useAccessActions } from '../queries.ts'

type Props = { row: z.output<typeof TeamAccess>; onClose: () => void }

/** Asks before a team loses its role. */
export function RemoveAccessDialog({ row, onClose }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { assign } = useAccessActions()
  const { teamId, teamName, scan, scanGroup } = row
  const target = scan?.name ?? scanGroup?.name ?? ''
  const on = { ...(scan && { scanId: scan.id }), ...(scanGroup && { scanGroupId: scanGroup.id }) }
  const remove = () =>
    assign.mutate(
      { assignments: [{ teamId: teamId as TeamId, ...on, role: null }] },
      {
        onSuccess: () => {
          onClose()
          toast('confirmation', t`${teamName} no longer has access to ${target}.`)
        },
        onError: (error) => {
          const message = t(getProblemMessage(error))
          onClose()
          toast('error', t`Team assignment error: ${message}`)
        },
      },
    )
  return (
    <Dialog alert title={t`Remove access`} onClose={onClose}>
      <p>
        <Trans>
          The members of <strong>{teamName}</strong> lose what this role gave them on{' '}
          <strong>{target}</strong>.
        </Trans>
      </p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button kind="danger" pending={assign.isPending} onPress={remove}>{t`Remove access`}</Button>
      </DialogActions>
    </Dialog>
  )
}
