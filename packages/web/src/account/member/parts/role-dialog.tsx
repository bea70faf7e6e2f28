import { useLingui } from '@lingui/react/macro'
import type { Person } from '@clearway/contract/account/member/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import layout from '../../../kit/page/layout.module.css'
import { ErrorCard } from '../../../kit/page/states.tsx'
import { nameOf } from '../model.ts'
import { usePeopleActions } from '../queries.ts'
import { RoleField } from './role-field.tsx'
import { roleWords } from './words.ts'

/** Changes the role of somebody. */
export function RoleDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { t } = useLingui()
  const toast = useToast()
  const { changeRole } = usePeopleActions()
  const [role, setRole] = useState(person.role)
  const name = nameOf(person)
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
    <Dialog title={t`Change the role of ${name}`} onClose={onClose}>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (!changeRole.isPending) save()
        }}
      >
        {changeRole.error && <ErrorCard title={t`The role could not be changed.`} error={changeRole.error} />}
        <RoleField value={role} onChange={setRole} />
        <DialogActions>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" pending={changeRole.isPending}>{t`Save`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
