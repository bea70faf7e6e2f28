import { useLingui } from '@lingui/react/macro'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { Field } from '../../../kit/form/field.tsx'
import { Select } from '../../../kit/form/select.tsx'
import { roleHints, roleWords } from './words.ts'

type Props = { value: MemberRole; onChange: (role: MemberRole) => void }

/** Chooses what somebody may do beyond single scans. */
export function RoleField({ value, onChange }: Props) {
  const { t } = useLingui()
  return (
    <Field label={t`Role`} hint={t(roleHints[value])}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={onChange}
          options={(Object.keys(roleWords) as MemberRole[]).map((role) => [role, t(roleWords[role])])}
        />
      )}
    </Field>
  )
}
