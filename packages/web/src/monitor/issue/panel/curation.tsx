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
import { useIssueBulk, useIssuePeople } from '../queries.ts'
import { DeleteIssuesDialog } from '../bulk/dialogs.tsx'
import layout from '../../../kit/page/layout.module.css'

/** Whether a result counts, and deleting it: for members of the scan and up. */
export function IssueCuration({ issue, onDeleted }: { issue: IssueDetail; onDeleted: () => void }) {
  const { t } = useLingui()
  const { api } = useSession()
  const toast = useToast()
  const scan = useQuery(scanQuery(api, issue.scanId))
  const { change } = useIssuePeople(issue)
  const { removeOne } = useIssueBulk()
  const [deleting, setDeleting] = useState(false)
  if (!scan.data?.rights.curate) return null
  const counts = issue.markedAsIssue ?? !issue.needsReview
  const mark = (isIssue: boolean) =>
    change.mutate(
      { fields: { markAsIssue: isIssue } },
      {
        onSuccess: () =>
          toast(
            'confirmation',
            isIssue ? t`It is now counted as an issue.` : t`It is no longer counted as an issue.`,
          ),
        onError: (error) => {
          const errorMessage = t(getProblemMessage(error))
          toast(
            'error',
            isIssue
              ? t`Error while trying to mark as issues: ${errorMessage}`
              : t`Error while trying to unmark as issues: ${errorMessage}`,
          )
        },
      },
    )
  const remove = () =>
    removeOne.mutate(issue.id, {
      onSuccess: () => {
        onDeleted()
        toast('confirmation', t`Issue deleted.`)
      },
      onError: (error) => {
        const errorMessage = t(getProblemMessage(error))
        toast('error', t`Error while trying to delete issues: ${errorMessage}`)
      },
    })
  return (
    <DetailPart title={t`Review result`}>
      <p>{counts ? t`It is counted as an issue.` : t`It is not counted as an issue.`}</p>
      <div className={layout.row}>
        <Button small pending={change.isPending} onPress={() => mark(!counts)}>
          {counts ? t`Mark as not an issue` : t`Mark as an issue`}
        </Button>
        <Button small kind="danger" onPress={() => setDeleting(true)}>{t`Delete…`}</Button>
      </div>
      {deleting && <DeleteIssuesDialog count={1} onClose={() => setDeleting(false)} onDelete={remove} />}
    </DetailPart>
  )
}
