import { useLingui } from '@lingui/react/macro'
import { type IssueDetail, maxIssueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { Field } from '../../../kit/form/field.tsx'
import { useDraft } from '../../user/parts/use-draft.ts'
import { useServerErrorText } from '../../../kit/form/use-server-error-text.ts'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { OnDemand } from './on-demand.tsx'
import { TicketLink } from './ticket-link.tsx'
import { useChangeIssue } from './use-change-issue.ts'

/** Ticket of an issue: visible to everyone who may see the issue, editable by users who may discuss it. */
export function IssueTicket({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const canEdit = useQuery(scanQuery(apiClient, issue.scanId)).data?.rights.discuss ?? false
  if (!canEdit && issue.ticketUrl === null) return null
  return (
    <DetailPart title={t`Ticket`}>
      {issue.ticketUrl !== null && (
        <p>
          <TicketLink url={issue.ticketUrl} />
        </p>
      )}
      {canEdit && <TicketForm issue={issue} />}
    </DetailPart>
  )
}

/** Form for the ticket's URL. A URL that the server refuses stays in its field. */
function TicketForm({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const showError = useShowError()
  const changeIssue = useChangeIssue(issue)
  const getServerErrorText = useServerErrorText()
  const previousUrl = issue.ticketUrl
  // Null until the user types. Typed text then stays, even if others save a change.
  const [typedUrl, setTypedUrl] = useDraft('ticket', issue.id)
  const [fieldError, setFieldError] = useState<string>()
  const [isPending, setIsPending] = useState(false)
  const saveTicket = () => {
    const trimmedUrl = (typedUrl ?? previousUrl ?? '').trim()
    setIsPending(true)
    void changeIssue({
      fields: { ticketUrl: trimmedUrl === '' ? null : trimmedUrl },
      getSavedMessage: (changed) => {
        setTypedUrl(null)
        return changed.ticketUrl === null ? t`Ticket removed.` : t`Ticket saved.`
      },
      previousFields: { ticketUrl: previousUrl },
      onError: (error) => {
        const serverErrorText = getServerErrorText(error, ['fieldsToUpdate.ticketUrl'])
        if (serverErrorText === undefined) showError(error)
        else setFieldError(serverErrorText)
      },
    }).finally(() => setIsPending(false))
  }
  return (
    <OnDemand label={previousUrl === null ? t`Link a ticket…` : t`Change the ticket…`} hasDraft={typedUrl !== null}>
      <form
        noValidate
        className={layout.tight}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) saveTicket()
        }}
      >
        <Field label={t`Ticket URL`} hint={t`Where the work is tracked. Leave it empty to remove the link.`} error={fieldError}>
          {(control) => (
            <input
              {...control}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              maxLength={maxIssueLengths.ticketUrl}
              value={typedUrl ?? previousUrl ?? ''}
              onChange={({ target }) => {
                setTypedUrl(target.value)
                setFieldError(undefined)
              }}
            />
          )}
        </Field>
        <div>
          <Button type="submit" small pending={isPending}>{t`Save ticket`}</Button>
        </div>
      </form>
    </OnDemand>
  )
}
