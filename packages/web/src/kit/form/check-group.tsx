import { useId } from 'react'
import styles from './field.module.css'
import { CheckField, FieldMessage } from './field.tsx'

type Props<Value extends string> = {
  legend: string
  /** Every value that can be ticked, in its order, with its words. */
  words: Record<Value, string>
  chosen: readonly Value[]
  error?: string | undefined
  onChange: (chosen: Value[]) => void
}

/** Several values to tick, of which some may have to be; the error is below them. */
export function CheckGroup<Value extends string>({ legend, words, chosen, error, onChange }: Props<Value>) {
  const id = useId()
  const values = Object.keys(words) as Value[]
  return (
    <fieldset aria-describedby={error ? id : undefined}>
      <legend className={styles.legend}>{legend}</legend>
      {values.map((value) => (
        <CheckField key={value} label={words[value]}>
          {(control) => (
            <input
              {...control}
              type="checkbox"
              aria-invalid={error !== undefined}
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(values.filter((one) => (one === value ? target.checked : chosen.includes(one))))
              }
            />
          )}
        </CheckField>
      ))}
      {error && <FieldMessage id={id}>{error}</FieldMessage>}
    </fieldset>
  )
}
