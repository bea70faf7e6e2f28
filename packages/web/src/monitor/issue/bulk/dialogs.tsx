import { Plural, useLingui } from '@lingui/react/macro'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { issueLengths, TicketUrl } from '@clearway/contract/monitor/issue/schema.ts'
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

type AssignProps = {
  search: IssueSearch
  selection: Selection
  onAssign: (id: string) => void
  onClose: () => void
}

/** Gives the selected issues to somebody with a role on all of their scans. */
export function AssignDialog({ search, selection, onAssign, onClose }: AssignProps) {
  const { t } = useLingui()
  const { api } = useSession()
  const users = useQuery(selectedUsersQuery(api, search, selection))
  const [id, setId] = useState('')
  return (
    <FormDialog
      title={t`Assign issues`}
      submitLabel={t`Assign`}
      onSubmit={() => {
        onClose()
        onAssign(id)
      }}
      onClose={onClose}
    >
      <Field label={t`Person`} hint={t`People with a role on every scan of the selected issues.`}>
        {(control) => (
          <Select
            {...control}
            autoFocus
            value={id}
            onChange={setId}
            options={toNamedOptions(
              t`Nobody`,
              users.data?.content.map((user) => ({
                id: user.id,
                name: getPersonName(user),
              })),
            )}
          />
        )}
      </Field>
    </FormDialog>
  )
}

type TextProps = { onSet: (text: string) => void; onClose: () => void }

/** Puts a label on the selected issues. */
export function LabelDialog({ onSet, onClose }: TextProps) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  const [empty, setEmpty] = useState(false)
  return (
    <FormDialog
      title={t`Add a label`}
      submitLabel={t`Add label`}
      onSubmit={() => {
        if (name.trim() === '') return setEmpty(true)
        onClose()
        onSet(name.trim())
      }}
      onClose={onClose}
    >
      <Field label={t`New label`} error={empty ? t`Labels cannot be empty.` : undefined}>
        {(control) => (
          <input
            {...control}
            autoFocus
            maxLength={defaultLimits.nameLength}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** Links the selected issues to one ticket, by the rule that the server checks it by. */
export function TicketDialog({ onSet, onClose }: TextProps) {
  const { t } = useLingui()
  const [url, setUrl] = useState('')
  const [wrong, setWrong] = useState(false)
  return (
    <FormDialog
      title={t`Link to a ticket`}
      submitLabel={t`Save ticket`}
      onSubmit={() => {
        if (!TicketUrl.safeParse(url).success) return setWrong(true)
        onClose()
        onSet(url.trim())
      }}
      onClose={onClose}
    >
      <Field
        label={t`Ticket URL`}
        error={wrong ? t`This is not a URL. Enter one like https://www.example.org/.` : undefined}
      >
        {(control) => (
          <input
            {...control}
            autoFocus
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={issueLengths.ticketUrl}
            value={url}
            onChange={({ target }) => {
              setUrl(target.value)
              setWrong(false)
            }}
          />
        )}
      </Field>
    </FormDialog>
  )
}

type DeleteProps = { count: number; onDelete: () => void; onClose: () => void }

/** Asks before issues are deleted, with their number. */
export function DeleteIssuesDialog({ count, onDelete, onClose }: DeleteProps) {
  const { t } = useLingui()
  return (
    <Dialog alert title={t`Delete issues`} onClose={onClose}>
      <p>
        <Plural
          value={count}
          one="This deletes # issue from all runs, with its comments. If it is found again, it counts as new."
          other="This deletes # issues from all runs, with their comments. If they are found again, they count as new."
        />
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
