import { useLingui } from '@lingui/react/macro'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import { useState } from 'react'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { usePeopleActions } from '../queries.ts'
import { RoleField } from './role-field.tsx'
import { roleLabels } from './labels.ts'
import { getPersonName } from '../../../kit/text/person.ts'

export function RoleDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { t } = useLingui()
  const showToast = useToast()
  const { changeRole } = usePeopleActions()
  const [selectedRole, setSelectedRole] = useState(person.role)
  const personName = getPersonName(person)
  const saveRole = () =>
    changeRole.mutate(
      { id: person.id, role: selectedRole },
      {
        onSuccess: () => {
          onClose()
          const roleLabel = t(roleLabels[selectedRole])
          showToast('confirmation', t`${personName}: ${roleLabel}`)
        },
      },
    )
  return (
    <FormDialog
      title={t`Change the role of ${personName}`}
      submitLabel={t`Save`}
      failure={changeRole.error !== null && { title: t`The role could not be changed.`, error: changeRole.error }}
      pending={changeRole.isPending}
      onSubmit={saveRole}
      onClose={onClose}
    >
      <RoleField value={selectedRole} onChange={setSelectedRole} />
    </FormDialog>
  )
}
