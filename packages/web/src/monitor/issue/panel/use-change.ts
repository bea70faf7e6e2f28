import { useLingui } from '@lingui/react/macro'
import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { problemText } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useIssuePeople, useTakeBack } from '../queries.ts'

/** Changes fields of an issue and says so; the message can take it back to `before`. */
export function useChange(issue: IssueDetail) {
  const { t } = useLingui()
  const toast = useToast()
  const { change } = useIssuePeople(issue)
  const takeBack = useTakeBack()
  return (
    fields: IssueFields,
    saved: (changed: IssueDetail) => string,
    before: IssueFields | undefined,
    /** What became of a refusal; left out, it is told as a message. */
    onError: (error: unknown) => void = (error) => toast('error', t(problemText(error))),
  ): Promise<void> =>
    // Also when somebody has gone on to the next issue meanwhile.
    change.mutateAsync(fields).then((changed) => {
      const undo =
        before && (() => takeBack.mutate({ id: issue.id, version: changed.version, fieldsToUpdate: before }))
      toast('confirmation', saved(changed), undo)
    }, onError)
}
