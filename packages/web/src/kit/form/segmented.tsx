import { type ReactNode, useId } from 'react'
import layout from '../page/layout.module.css'
import coveringInput from './covering-input.module.css'
import styles from './segmented.module.css'

type SegmentedProps<T extends string> = {
  label: string
  options: readonly { value: T; label: ReactNode }[]
  /** Null selects none. */
  value: T | null
  onChange: (value: T) => void
  /** For long options: phones show one per line. */
  isStackedOnPhones?: boolean
}

/** Single choice with all options visible: radio buttons in a row. */
export function Segmented<T extends string>({ label, options, value, onChange, isStackedOnPhones = false }: SegmentedProps<T>) {
  const radioGroupName = useId()
  return (
    <fieldset className={`${styles.segmented} ${isStackedOnPhones ? styles.stacked : ''}`}>
      <legend className={layout.hidden}>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            className={coveringInput.covering}
            type="radio"
            name={radioGroupName}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
