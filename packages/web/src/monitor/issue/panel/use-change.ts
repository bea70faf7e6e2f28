import { useLingui } from '@lingui/react/macro'
import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { type Assumed, useIssuePeople, useTakeBack } from '../queries.ts'

type Change = {
  fields: IssueFields
  /** What is shown of it at once; left out, nothing before the server has answered. */
  assumed?: Assumed
  /** What the message says once it is stored. */
  saved: (changed: IssueDetail) => string
  /** Where the message takes it back to; left out, there is no way back. */
  before?: IssueFields | undefined
  /** What became of a refusal; left out, it is shown as a message. */
  onError?: (error: unknown) => void
}

/** Changes fields of an issue and says so. */
export function useChange(issue: IssueDetail) {
  const { t } = useLingui()
  const toast = useToast()
  const { change } = useIssuePeople(issue)
  const takeBack = useTakeBack()
  const showError = (error: unknown) => toast('error', t(getProblemMessage(error)))
  // Also when somebody has gone on to the next issue meanwhile.
  return ({ fields, assumed, saved, before, onError = showError }: Change): Promise<void> =>
    change.mutateAsync({ fields, ...(assumed && { assumed }) }).then((changed) => {
      const undo = before && (() => takeBack({ id: issue.id, version: changed.version, fields: before }))
      toast('confirmation', saved(changed), undo)
    }, onError)
}
