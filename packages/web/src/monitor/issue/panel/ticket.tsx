import { useLingui } from '@lingui/react/macro'
import { type IssueDetail, issueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useServerErrorText } from '../../../kit/form/use-refusal.ts'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { scanQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { TicketLink } from '../parts/ticket-link.tsx'
import { useChange } from './use-change.ts'

/** Where the work on an issue is followed: read by all who may see the issue, set by those who discuss it. */
export function IssueTicket({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const { api } = useSession()
  const may = useQuery(scanQuery(api, issue.scanId)).data?.rights.discuss ?? false
  if (!may && issue.ticketUrl === null) return null
  return (
    <DetailPart title={t`Ticket`}>
      {issue.ticketUrl !== null && (
        <p>
          <TicketLink url={issue.ticketUrl} />
        </p>
      )}
      {may && <TicketForm issue={issue} />}
    </DetailPart>
  )
}

/** The URL of the ticket. A URL that the server refuses stays in its field. */
function TicketForm({ issue }: { issue: IssueDetail }) {
  const { t } = useLingui()
  const toast = useToast()
  const change = useChange(issue)
  const refusal = useServerErrorText()
  const before = issue.ticketUrl
  // Null until somebody types: then what was typed stays, whatever others store meanwhile.
  const [typed, setTyped] = useState<string | null>(null)
  const [fault, setFault] = useState<string>()
  const [pending, setPending] = useState(false)
  const save = () => {
    const url = (typed ?? before ?? '').trim()
    setPending(true)
    void change({
      fields: { ticketUrl: url === '' ? null : url },
      saved: (changed) => {
        setTyped(null)
        return changed.ticketUrl === null ? t`Ticket removed.` : t`Ticket saved.`
      },
      before: { ticketUrl: before },
      onError: (error) => {
        const refused = refusal(error, ['fieldsToUpdate.ticketUrl'])
        if (refused === undefined) toast('error', t(getProblemMessage(error)))
        else setFault(refused)
      },
    }).finally(() => setPending(false))
  }
  return (
    <form
      noValidate
      className={layout.tight}
      onSubmit={(event) => {
        event.preventDefault()
        if (!pending) save()
      }}
    >
      <Field
        label={t`Ticket URL`}
        hint={t`Where the work is tracked. Leave it empty to remove the link.`}
        error={fault}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={issueLengths.ticketUrl}
            value={typed ?? before ?? ''}
            onChange={({ target }) => {
              setTyped(target.value)
              setFault(undefined)
            }}
          />
        )}
      </Field>
      <div>
        <Button type="submit" small pending={pending}>{t`Save ticket`}</Button>
      </div>
    </form>
  )
}
