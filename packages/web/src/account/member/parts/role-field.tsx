import { useLingui } from '@lingui/react/macro'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { Field } from '../../../kit/form/field.tsx'
import { roleHints, roleWords } from './words.ts'

type Props = { value: MemberRole; onChange: (role: MemberRole) => void }

/** Chooses what somebody may do beyond single scans. */
export function RoleField({ value, onChange }: Props) {
  const { t } = useLingui()
  return (
    <Field label={t`Role`} hint={t(roleHints[value])}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value as MemberRole)}>
          {(Object.keys(roleWords) as MemberRole[]).map((role) => (
            <option key={role} value={role}>
              {t(roleWords[role])}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
