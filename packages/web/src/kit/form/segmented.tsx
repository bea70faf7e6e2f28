import type { ReactNode } from 'react'
import { useId } from 'react'
import layout from '../page/layout.module.css'
import styles from './segmented.module.css'

type Props<T extends string> = {
  label: string
  options: readonly { value: T; label: ReactNode }[]
  value: T
  onChange: (value: T) => void
}

/** One choice of a few, always visible: radio buttons side by side. */
export function Segmented<T extends string>({ label, options, value, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className={styles.segmented}>
      <legend className={layout.hidden}>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
