import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { problemText } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useRefusal } from '../../../kit/form/use-refusal.ts'
import { useIssuePeople, useTakeBack } from '../queries.ts'
import { IgnoreDialog, ignoreWords } from './ignore-dialog.tsx'
import layout from '../../../kit/page/layout.module.css'

type Props = { issue: IssueDetail }

/** Why an issue is ignored and how far that reaches. */
export function IgnoreFacts({ issue }: Props) {
  const { t } = useLingui()
  const { dateTime } = useFormats()
  const { ignore } = issue
  if (!ignore) return null
  const name = ignore.author?.name ?? t`Somebody who has left`
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

/** Leads to ignoring an issue for a reason, or more than this one. */
export function IgnoreButton({ issue }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const { change } = useIssuePeople(issue)
  const takeBack = useTakeBack()
  const before = issue.status === 'fixed' ? 'fixed' : 'open'
  const refusal = useRefusal()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <div>
        <Button small onPress={() => setAsking(true)}>{t`Ignore…`}</Button>
      </div>
      {asking && (
        <IgnoreDialog
          pending={change.isPending}
          failure={
            change.isError
              ? (refusal(change.error, ['fieldsToUpdate.ignore']) ?? t(problemText(change.error)))
              : undefined
          }
          onClose={() => {
            setAsking(false)
            change.reset()
          }}
          onIgnore={(ignore) => {
            const scope = t(ignoreWords[ignore.scope])
            // What is ignored has no such button any more: the mutation could not show that it is done.
            void change.mutateAsync({ status: 'ignored', ignore }).then(
              ({ version }) => {
                setAsking(false)
                const undo = () =>
                  takeBack.mutate({ id: issue.id, version, fieldsToUpdate: { status: before } })
                toast('confirmation', t`Ignored: ${scope}.`, undo)
              },
              () => undefined,
            )
          }}
        />
      )}
    </>
  )
}
