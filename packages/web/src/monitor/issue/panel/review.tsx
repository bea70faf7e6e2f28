import { useLingui } from '@lingui/react/macro'
import type { IssueDetail, ReviewAnswer } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useDraft } from '../../user/parts/use-draft.ts'
import { discardQueuedKeys } from '../../../kit/keyboard/shortcuts.ts'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import type { IssueSearch } from '../model.ts'
import { reviewProgressQuery } from '../queries.ts'
import { reviewLabels } from './value-labels.ts'
import { useChangeIssue } from './use-change-issue.ts'

type IssueReviewProps = { issue: IssueDetail; search: IssueSearch; onNext: (() => void) | null }

/** The question that an undecided result asks. An answer is saved at once, and the next result opens. */
export function IssueReview({ issue, search, onNext }: IssueReviewProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const scanResult = useQuery(scanQuery(apiClient, issue.scanId))
  if (!issue.needsReview && issue.review === null) return null
  return (
    <div className={layout.tight}>
      <p className={layout.sm}>
        {issue.review === null
          ? t`The automated check was inconclusive: review the element yourself.`
          : t(reviewLabels[issue.review])}{' '}
        <ReviewProgress search={search} />
      </p>
      {issue.reviewed && issue.reviewed.reason !== '' && <p className={layout.break}>{issue.reviewed.reason}</p>}
      {scanResult.data?.rights.curate && <ReviewAnswers issue={issue} onNext={onNext} />}
    </div>
  )
}

function ReviewAnswers({ issue, onNext }: Pick<IssueReviewProps, 'issue' | 'onNext'>) {
  const { t } = useLingui()
  const changeIssue = useChangeIssue(issue)
  const [typedReason, setTypedReason] = useDraft('review', issue.id)
  const [isReasonOpen, setIsReasonOpen] = useState(typedReason !== null)
  // A restored reason does not take the focus: the keys of the answers would be typed into it.
  const [wasReasonOpen] = useState(isReasonOpen)
  const reason = typedReason ?? issue.reviewed?.reason ?? ''
  const answer = (chosen: ReviewAnswer) => {
    void changeIssue({
      fields: { review: { answer: chosen, reason } },
      getSavedMessage: () => {
        setTypedReason(null)
        return t(reviewLabels[chosen])
      },
      previousFields: { review: { answer: issue.review, reason: issue.reviewed?.reason ?? '' } },
    })
    if (onNext) onNext()
    else discardQueuedKeys()
  }
  const renderAnswer = (value: ReviewAnswer, text: string, shortcut: 'yes' | 'no' | 'unsure') => (
    <Button small pressed={issue.review === value} shortcut={shortcut} onPress={() => answer(value)}>
      {text}
    </Button>
  )
  return (
    <>
      <div className={layout.row} role="group" aria-label={t`Is it an issue?`}>
        <strong aria-hidden>{t`Is it an issue?`}</strong>
        {renderAnswer('issue', t`Yes`, 'yes')}
        {renderAnswer('not-issue', t`No`, 'no')}
        {renderAnswer('unsure', t`Cannot tell`, 'unsure')}
        {!isReasonOpen && <Button small kind="quiet" onPress={() => setIsReasonOpen(true)}>{t`Add a reason`}</Button>}
      </div>
      {isReasonOpen && (
        <Field label={t`Reason`} optional={t`optional`}>
          {(control) => (
            <input
              {...control}
              autoFocus={!wasReasonOpen}
              value={reason}
              maxLength={2000}
              onChange={({ target }) => setTypedReason(target.value)}
            />
          )}
        </Field>
      )}
    </>
  )
}

/** Reviewed results of the scans and run in view. */
function ReviewProgress({ search }: { search: IssueSearch }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatNumber } = useFormats()
  const progress = useQuery(reviewProgressQuery(apiClient, search)).data
  if (!progress) return null
  const [reviewedCount, totalCount] = [formatNumber(progress.reviewed), formatNumber(progress.reviewed + progress.open)]
  return <span className={layout.muted}>{t`${reviewedCount} of ${totalCount} reviewed`}</span>
}
