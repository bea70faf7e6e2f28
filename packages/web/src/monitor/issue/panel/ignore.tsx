import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useFormats } from '../../../kit/text/format.ts'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useServerErrorText } from '../../../kit/form/use-server-error-text.ts'
import { useIssueMutations, useUndoChange } from '../queries-change.ts'
import { IgnoreDialog, ignoreScopeLabels, useIgnoreDraft } from './ignore-dialog.tsx'
import { toLastDay } from '../model-register.ts'
import layout from '../../../kit/page/layout.module.css'

type IgnoreFactsProps = { issue: IssueDetail }

/** Reason and scope of an ignored issue, or of the ignore that an open issue lost. */
export function IgnoreFacts({ issue }: IgnoreFactsProps) {
  const { t } = useLingui()
  const { formatDateTime, formatDay } = useFormats()
  const { ignore: ignoreInfo } = issue
  if (!ignoreInfo) return null
  const authorName = ignoreInfo.author?.name ?? t`Former member`
  const formattedDate = formatDateTime(ignoreInfo.createdAt)
  const scopeLabel = t(ignoreScopeLabels[ignoreInfo.scope])
  const { reason: ignoreReason, until } = ignoreInfo
  const formattedEnd = until === null ? '' : formatDay(toLastDay(until))
  return (
    <div className={layout.tight}>
      {issue.status === 'ignored' ? (
        <p>
          {t`Ignored by ${authorName}, ${formattedDate}. Applies to: ${scopeLabel}.`}
          {formattedEnd !== '' && ` ${t`Until ${formattedEnd}.`}`}
        </p>
      ) : ignoreInfo.expired ? (
        <p>{t`Was ignored by ${authorName}, ${formattedDate}, until ${formattedEnd}. That time is over, so decide again.`}</p>
      ) : (
        <p>
          {t`Was ignored by ${authorName}, ${formattedDate}. The element can no longer be told apart from others, so decide again.`}
        </p>
      )}
      {ignoreReason !== '' && <p className={layout.break}>{t`Reason: ${ignoreReason}`}</p>}
    </div>
  )
}

export function IgnoreIssue({ issue, onClose }: IgnoreFactsProps & { onClose: () => void }) {
  const { t } = useLingui()
  const showToast = useToast()
  const { change: changeMutation } = useIssueMutations(issue)
  const undoChange = useUndoChange()
  const previousStatus = issue.status === 'fixed' ? 'fixed' : 'open'
  const getServerErrorText = useServerErrorText()
  const draft = useIgnoreDraft(issue.id)
  return (
    <IgnoreDialog
      draft={draft}
      pending={changeMutation.isPending}
      failure={
        changeMutation.isError
          ? (getServerErrorText(changeMutation.error, ['fieldsToUpdate.ignore']) ?? t(getProblemMessage(changeMutation.error)))
          : undefined
      }
      onClose={onClose}
      onIgnore={(ignore) => {
        const scopeLabel = t(ignoreScopeLabels[ignore.scope])
        // The dialog closes on success, so the mutation's own callbacks would no longer run.
        void changeMutation.mutateAsync({ fields: { status: 'ignored', ignore } }).then(
          ({ version }) => {
            draft.discard()
            onClose()
            const undoIgnore = () => undoChange({ id: issue.id, version, fields: { status: previousStatus } })
            showToast('confirmation', t`Ignored: ${scopeLabel}.`, undoIgnore)
          },
          () => undefined,
        )
      }}
    />
  )
}
