import { useState } from 'react'
import { Button } from '../control/button.tsx'
import styles from './choice-field.module.css'
import { Field } from './field.tsx'

type Props = {
  label: string
  hint?: string
  /** What is stored. */
  value: string
  options: readonly { value: string; text: string }[]
  /** Words of the button. */
  save: string
  /** What the button saves, for screen readers; begins with its words. */
  saveLabel: string
  pending: boolean
  onSave: (value: string) => void
}

/** A choice that is saved by a button: going through a list by the arrow keys must not change anything. */
export function ChoiceField({ label, hint, value, options, save, saveLabel, pending, onSave }: Props) {
  const [chosen, setChosen] = useState({ from: value, to: value })
  // What is stored may change by another way; a choice that was made before that is none any more.
  const now = chosen.from === value ? chosen.to : value
  return (
    <div className={styles.choice}>
      <Field label={label} {...(hint !== undefined && { hint })} width="narrow">
        {(control) => (
          <select
            {...control}
            value={now}
            onChange={({ target }) => setChosen({ from: value, to: target.value })}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button label={saveLabel} pending={pending || now === value} onPress={() => onSave(now)}>
        {save}
      </Button>
    </div>
  )
}
