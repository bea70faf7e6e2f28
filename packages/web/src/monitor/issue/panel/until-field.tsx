import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Field } from '../../../kit/form/field.tsx'
import { toLastDay } from '../model-register.ts'

type UntilFieldProps = { value: string; error: string | undefined; onChange: (isoDay: string) => void }

/** The last day of an ignore, in the user's time zone; empty for no end. */
export function UntilField({ value, error, onChange }: UntilFieldProps) {
  const { t } = useLingui()
  const [today] = useState(() => toLastDay(new Date().toISOString()))
  return (
    <Field
      label={t`Ignore until`}
      optional={t`optional`}
      hint={t`The last day. After it, the issues are open again.`}
      width="narrow"
      error={error}
    >
      {(control) => (
        <input
          {...control}
          type="date"
          min={today}
          max="2999-12-31"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
