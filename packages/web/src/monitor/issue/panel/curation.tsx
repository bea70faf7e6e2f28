import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { useIssueBulk, useIssueMutations } from '../queries-change.ts'
import { DeleteIssuesDialog } from '../bulk/dialogs.tsx'
import layout from '../../../kit/page/layout.module.css'

/** Marks whether a result counts, and deletes it. Requires the scan member role or higher. */
export function IssueCuration({ issue, onDeleted }: { issue: IssueDetail; onDeleted: () => void }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const showToast = useToast()
  const scanResult = useQuery(scanQuery(apiClient, issue.scanId))
  const { change: changeMutation } = useIssueMutations(issue)
  const { removeOne: deleteMutation } = useIssueBulk()
  const [isDeleteOpen, setIsDeleteOpen] = useState(false)
  if (!scanResult.data?.rights.curate) return null
  const isCounted = issue.markedAsIssue ?? !issue.needsReview
  // Also reports after navigation to the next issue.
  const markAsIssue = (isIssue: boolean) =>
    changeMutation.mutateAsync({ fields: { markAsIssue: isIssue } }).then(
      () => showToast('confirmation', isIssue ? t`It is now counted as an issue.` : t`It is no longer counted as an issue.`),
      (error: unknown) => {
        const errorMessage = t(getProblemMessage(error))
        showToast(
          'error',
          isIssue
            ? t`Error while trying to mark as issues: ${errorMessage}`
            : t`Error while trying to unmark as issues: ${errorMessage}`,
          { error },
        )
      },
    )
  const deleteIssue = () =>
    deleteMutation.mutate(issue.id, {
      onSuccess: () => {
        onDeleted()
        showToast('confirmation', t`Issue deleted.`)
      },
      onError: (error) => {
        const errorMessage = t(getProblemMessage(error))
        showToast('error', t`Error while trying to delete issues: ${errorMessage}`, { error })
      },
    })
  return (
    <DetailPart title={t`Manage issue`}>
      <div className={layout.row}>
        {/* Undecided results are answered in the head of the panel. */}
        {!issue.needsReview && issue.review === null && (
          <Button small pending={changeMutation.isPending} onPress={() => void markAsIssue(!isCounted)}>
            {isCounted ? t`Mark as not an issue` : t`Mark as an issue`}
          </Button>
        )}
        <Button small onPress={() => setIsDeleteOpen(true)}>{t`Delete issue…`}</Button>
      </div>
      {isDeleteOpen && <DeleteIssuesDialog count={1} onClose={() => setIsDeleteOpen(false)} onDelete={deleteIssue} />}
    </DetailPart>
  )
}
