import { useLingui } from '@lingui/react/macro'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import { useState } from 'react'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { usePeopleActions } from '../queries.ts'
import { RoleField } from './role-field.tsx'
import { roleWords } from './words.ts'
import { nameOfPerson } from '../../../kit/text/person.ts'

/** Changes the role of somebody. */
export function RoleDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { t } = useLingui()
  const toast = useToast()
  const { changeRole } = usePeopleActions()
  const [role, setRole] = useState(person.role)
  const name = nameOfPerson(person)
  const save = () =>
    changeRole.mutate(
      { id: person.id, role },
      {
        onSuccess: () => {
          onClose()
          const word = t(roleWords[role])
          toast('confirmation', t`${name}: ${word}`)
        },
      },
    )
  return (
    <FormDialog
      title={t`Change the role of ${name}`}
      submitLabel={t`Save`}
      failure={
        changeRole.error !== null && { title: t`The role could not be changed.`, error: changeRole.error }
      }
      pending={changeRole.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  )
}
