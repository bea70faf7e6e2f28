import type { ReactNode } from 'react'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
import styles from './toggles.module.css'

type Props<T extends string> = {
  label: string
  options: readonly { value: T; label: ReactNode; count?: string }[]
  /** The options that are on; none means all. */
  value: readonly T[]
  onChange: (value: T[]) => void
}

/** Several of a few, always visible: tick boxes as pills. All on and none on are the same, and kept as none. */
export function Toggles<T extends string>({ label, options, value, onChange }: Props<T>) {
  const all = options.map((option) => option.value)
  const on = value.length === 0 ? all : value
  const toggle = (one: T) => {
    const next = all.filter((each) => on.includes(each) !== (each === one))
    onChange(next.length === all.length ? [] : next)
  }
  return (
    <fieldset className={styles.toggles}>
      <legend className={layout.hidden}>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="checkbox" checked={on.includes(option.value)} onChange={() => toggle(option.value)} />
          {option.label}
          {option.count !== undefined && (
            <span className={`${layout.muted} ${layout.num}`}>{option.count}</span>
          )}
          <span className={styles.tick}>
            <Icon name="check" />
          </span>
        </label>
      ))}
    </fieldset>
  )
}
