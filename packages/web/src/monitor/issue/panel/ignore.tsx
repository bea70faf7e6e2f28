import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useFormats } from '../../../kit/text/format.ts'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useServerErrorText } from '../../../kit/form/use-refusal.ts'
import { useIssuePeople, useTakeBack } from '../queries.ts'
import { IgnoreDialog, ignoreWords } from './ignore-dialog.tsx'
import layout from '../../../kit/page/layout.module.css'

type Props = { issue: IssueDetail }

/** Why an issue is ignored and how far that reaches. */
export function IgnoreFacts({ issue }: Props) {
  const { t } = useLingui()
  const { formatDateTime: dateTime } = useFormats()
  const { ignore } = issue
  if (!ignore) return null
  const name = ignore.author?.name ?? t`Former member`
  const at = dateTime(ignore.createdAt)
  const scope = t(ignoreWords[ignore.scope])
  const { reason } = ignore
  return (
    <div className={layout.tight}>
      <p>{t`Ignored by ${name}, ${at}. Applies to: ${scope}.`}</p>
      {reason !== '' && <p className={layout.break}>{t`Reason: ${reason}`}</p>}
    </div>
  )
}

/** Asks for a reason and how far it reaches, and ignores the issue. */
export function IgnoreIssue({ issue, onClose }: Props & { onClose: () => void }) {
  const { t } = useLingui()
  const toast = useToast()
  const { change } = useIssuePeople(issue)
  const takeBack = useTakeBack()
  const before = issue.status === 'fixed' ? 'fixed' : 'open'
  const refusal = useServerErrorText()
  return (
    <IgnoreDialog
      pending={change.isPending}
      failure={
        change.isError
          ? (refusal(change.error, ['fieldsToUpdate.ignore']) ?? t(getProblemMessage(change.error)))
          : undefined
      }
      onClose={onClose}
      onIgnore={(ignore) => {
        const scope = t(ignoreWords[ignore.scope])
        // The dialog closes with the answer: the mutation could not show that it is done.
        void change.mutateAsync({ fields: { status: 'ignored', ignore } }).then(
          ({ version }) => {
            onClose()
            const undo = () => takeBack({ id: issue.id, version, fields: { status: before } })
            toast('confirmation', t`Ignored: ${scope}.`, undo)
          },
          () => undefined,
        )
      }}
    />
  )
}
