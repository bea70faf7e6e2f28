import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import field from '../form/field.module.css'
import { type SelectOption, Select } from '../form/select.tsx'
import layout from '../page/layout.module.css'
import styles from './filter.module.css'

type Props = {
  label: string
  /** Empty for any. */
  value: string
  options: readonly SelectOption<string>[]
  onChange: (value: string) => void
}

/** A filter that takes one value of a few, or any. */
export function FilterChoice({ label, value, options, onChange }: Props) {
  const { t } = useLingui()
  const id = useId()
  return (
    <span className={layout.line}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        className={`${field.control} ${field.fit} ${styles.choice}`}
        value={value}
        options={[['', t`Any`], ...options]}
        onChange={onChange}
      />
    </span>
  )
}
