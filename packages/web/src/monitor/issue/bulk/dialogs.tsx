import { Plural, useLingui } from '@lingui/react/macro'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { maxIssueLengths, TicketUrl } from '@clearway/contract/monitor/issue/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import type { Selection } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import type { IssueSearch } from '../model.ts'
import { selectedUsersQuery } from '../queries.ts'
import { getPersonName } from '../../../kit/text/person.ts'

type AssignDialogProps = { search: IssueSearch; selection: Selection; onAssign: (id: string) => void; onClose: () => void }

/** Assigns the selected issues to a person with a role on all of their scans. */
export function AssignDialog({ search, selection, onAssign, onClose }: AssignDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const assignableUsers = useQuery(selectedUsersQuery(apiClient, search, selection))
  const [selectedUserId, setSelectedUserId] = useState('')
  return (
    <FormDialog
      title={t`Assign issues`}
      submitLabel={t`Assign`}
      onSubmit={() => {
        onClose()
        onAssign(selectedUserId)
      }}
      onClose={onClose}
    >
      <Field label={t`Person`} hint={t`People with a role on every scan of the selected issues.`}>
        {(control) => (
          <Select
            {...control}
            autoFocus
            value={selectedUserId}
            onChange={setSelectedUserId}
            options={toNamedOptions(
              t`Nobody`,
              assignableUsers.data?.content.map((user) => ({ id: user.id, name: getPersonName(user) })),
            )}
          />
        )}
      </Field>
    </FormDialog>
  )
}

type TextDialogProps = { onSet: (text: string) => void; onClose: () => void }

/** Adds a label to the selected issues. */
export function LabelDialog({ onSet, onClose }: TextDialogProps) {
  const { t } = useLingui()
  const [labelName, setLabelName] = useState('')
  const [isEmpty, setIsEmpty] = useState(false)
  return (
    <FormDialog
      title={t`Add a label`}
      submitLabel={t`Add label`}
      onSubmit={() => {
        if (labelName.trim() === '') return setIsEmpty(true)
        onClose()
        onSet(labelName.trim())
      }}
      onClose={onClose}
    >
      <Field label={t`New label`} error={isEmpty ? t`Labels cannot be empty.` : undefined}>
        {(control) => (
          <input
            {...control}
            autoFocus
            maxLength={defaultLimits.nameLength}
            autoComplete="off"
            value={labelName}
            onChange={({ target }) => setLabelName(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** Links the selected issues to a ticket. Validates the URL like the server. */
export function TicketDialog({ onSet, onClose }: TextDialogProps) {
  const { t } = useLingui()
  const [ticketUrl, setTicketUrl] = useState('')
  const [isInvalid, setIsInvalid] = useState(false)
  return (
    <FormDialog
      title={t`Link to a ticket`}
      submitLabel={t`Save ticket`}
      onSubmit={() => {
        if (!TicketUrl.safeParse(ticketUrl).success) return setIsInvalid(true)
        onClose()
        onSet(ticketUrl.trim())
      }}
      onClose={onClose}
    >
      <Field label={t`Ticket URL`} error={isInvalid ? t`This is not a URL. Enter one like https://www.example.org/.` : undefined}>
        {(control) => (
          <input
            {...control}
            autoFocus
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={maxIssueLengths.ticketUrl}
            value={ticketUrl}
            onChange={({ target }) => {
              setTicketUrl(target.value)
              setIsInvalid(false)
            }}
          />
        )}
      </Field>
    </FormDialog>
  )
}

type DeleteIssuesDialogProps = { count: number; onDelete: () => void; onClose: () => void }

/** Confirms the deletion of the selected issues and shows their number. */
export function DeleteIssuesDialog({ count, onDelete, onClose }: DeleteIssuesDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog alert title={t`Delete issues`} onClose={onClose}>
      <p>
        <Plural
          value={count}
          one="This deletes # issue from all runs, with its comments. If it is found again, it counts as new."
          other="This deletes # issues from all runs, with their comments. If they are found again, they count as new."
        />{' '}
        {t`It cannot be undone.`}
      </p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>{t`Cancel`}</Button>
        <Button
          kind="danger"
          onPress={() => {
            onClose()
            onDelete()
          }}
        >{t`Delete issues`}</Button>
      </DialogActions>
    </Dialog>
  )
}
