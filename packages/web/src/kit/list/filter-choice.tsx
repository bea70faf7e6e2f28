import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import field from '../form/field.module.css'
import { type SelectOption, Select } from '../form/select.tsx'
import layout from '../page/layout.module.css'
import styles from './filter.module.css'

type FilterChoiceProps = {
  label: string
  /** Empty for any value. */
  value: string
  options: readonly SelectOption<string>[]
  onChange: (value: string) => void
}

export function FilterChoice({ label, value, options, onChange }: FilterChoiceProps) {
  const { t } = useLingui()
  const selectId = useId()
  return (
    <span className={layout.line}>
      <label htmlFor={selectId}>{label}</label>
      <Select
        id={selectId}
        className={`${field.control} ${field.fit} ${styles.choice}`}
        value={value}
        options={[['', t`Any`], ...options]}
        onChange={onChange}
      />
    </span>
  )
}
