import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { type OptimisticUpdate, useIssueMutations, useUndoChange } from '../queries-change.ts'

type IssueChangeRequest = {
  fields: IssueFields
  /** Optimistic update; without it, nothing changes on screen before the response. */
  optimisticUpdate?: OptimisticUpdate
  getSavedMessage: (changed: IssueDetail) => string
  /** Values that Undo restores; without them, the message has no Undo. */
  previousFields?: IssueFields | undefined
  /** Handles a refusal; by default, an error message is shown. */
  onError?: (error: unknown) => void
}

/** Returns a function that changes fields of an issue and reports the result. */
export function useChangeIssue(issue: IssueDetail) {
  const showToast = useToast()
  const { change: changeMutation } = useIssueMutations(issue)
  const undoChange = useUndoChange()
  const showErrorToast = useShowError()
  // Also works after navigation to the next issue.
  return ({
    fields,
    optimisticUpdate,
    getSavedMessage,
    previousFields,
    onError = showErrorToast,
  }: IssueChangeRequest): Promise<void> =>
    changeMutation.mutateAsync({ fields, ...(optimisticUpdate && { optimisticUpdate }) }).then((changedIssue) => {
      const undoSavedChange =
        previousFields && (() => undoChange({ id: issue.id, version: changedIssue.version, fields: previousFields }))
      showToast('confirmation', getSavedMessage(changedIssue), undoSavedChange)
    }, onError)
}
