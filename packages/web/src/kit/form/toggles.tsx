import type { ReactNode } from 'react'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
import coveringInput from './covering-input.module.css'
import styles from './toggles.module.css'

type TogglesProps<T extends string> = {
  label: string
  options: readonly { value: T; label: ReactNode; count?: string }[]
  /** Selected options; an empty list means all, as does selecting all of them. */
  value: readonly T[]
  onChange: (value: T[]) => void
}

/** Multiple choice with all options visible as pills. None is selected at first, which means all. */
export function Toggles<T extends string>({ label, options, value, onChange }: TogglesProps<T>) {
  const allValues = options.map((option) => option.value)
  const toggleValue = (toggledValue: T) => {
    const nextValues = allValues.filter((candidate) => value.includes(candidate) !== (candidate === toggledValue))
    onChange(nextValues.length === allValues.length ? [] : nextValues)
  }
  return (
    <fieldset className={styles.toggles}>
      <legend className={layout.hidden}>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            className={coveringInput.covering}
            type="checkbox"
            checked={value.includes(option.value)}
            onChange={() => toggleValue(option.value)}
          />
          {option.label}
          {option.count !== undefined && <span className={`${layout.muted} ${layout.num}`}>{option.count}</span>}
          <span className={styles.tick}>
            <Icon name="check" />
          </span>
        </label>
      ))}
    </fieldset>
  )
}
