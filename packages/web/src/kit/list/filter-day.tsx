import { useId, useState } from 'react'
import field from '../form/field.module.css'
import layout from '../page/layout.module.css'
import styles from './filter.module.css'

type FilterDayProps = {
  label: string
  /** ISO date such as 2026-03-18; empty for any date. */
  value: string
  min: string
  max: string
  onChange: (value: string) => void
}

/** Date filter. Ignores incomplete years during input. Follows the URL. */
export function FilterDay({ label, value, min, max, onChange }: FilterDayProps) {
  const inputId = useId()
  const [typedDate, setTypedDate] = useState(value)
  const [syncedValue, setSyncedValue] = useState(value)
  if (syncedValue !== value) {
    setSyncedValue(value)
    setTypedDate(value)
  }
  return (
    <span className={layout.line}>
      <label htmlFor={inputId}>{label}</label>
      <input
        id={inputId}
        type="date"
        className={`${field.control} ${field.fit} ${styles.choice}`}
        min={min}
        max={max}
        value={typedDate}
        onChange={({ target }) => {
          setTypedDate(target.value)
          if (target.validity.valid && target.value !== value) onChange(target.value)
        }}
      />
    </span>
  )
}
