import { useId, useState } from 'react'
import field from '../form/field.module.css'
import layout from '../page/layout.module.css'
import styles from './filter.module.css'

type Props = {
  label: string
  /** 2026-03-18; empty for any. */
  value: string
  min: string
  max: string
  onChange: (value: string) => void
}

/** A filter that takes a day. A year that is still being typed is not one yet. Follows the address bar. */
export function FilterDay({ label, value, min, max, onChange }: Props) {
  const id = useId()
  const [day, setDay] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setDay(value)
  }
  return (
    <span className={layout.line}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className={`${field.control} ${field.fit} ${styles.choice}`}
        min={min}
        max={max}
        value={day}
        onChange={({ target }) => {
          setDay(target.value)
          if (target.validity.valid && target.value !== value) onChange(target.value)
        }}
      />
    </span>
  )
}
