import { useLingui } from '@lingui/react/macro'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { Field } from '../../../kit/form/field.tsx'
import { Select } from '../../../kit/form/select.tsx'
import { roleHints, roleLabels } from './labels.ts'

type RoleFieldProps = { value: MemberRole; onChange: (role: MemberRole) => void }

/** Selects a person's permissions beyond single scans. */
export function RoleField({ value, onChange }: RoleFieldProps) {
  const { t } = useLingui()
  return (
    <Field label={t`Role`} hint={t(roleHints[value])}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={onChange}
          options={(Object.keys(roleLabels) as MemberRole[]).map((role) => [role, t(roleLabels[role])])}
        />
      )}
    </Field>
  )
}
