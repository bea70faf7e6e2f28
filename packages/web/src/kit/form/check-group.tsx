import { useId } from 'react'
import styles from './field.module.css'
import { CheckField, FieldMessage } from './field.tsx'

type CheckGroupProps<Value extends string> = {
  legend: string
  /** Labels of all values, in display order. */
  labels: Record<Value, string>
  selectedValues: readonly Value[]
  error?: string | undefined
  onChange: (selectedValues: Value[]) => void
}

export function CheckGroup<Value extends string>({ legend, labels, selectedValues, error, onChange }: CheckGroupProps<Value>) {
  const groupId = useId()
  const groupValues = Object.keys(labels) as Value[]
  return (
    <fieldset aria-describedby={error ? groupId : undefined}>
      <legend className={styles.legend}>{legend}</legend>
      {groupValues.map((value) => (
        <CheckField key={value} label={labels[value]}>
          {(control) => (
            <input
              {...control}
              type="checkbox"
              aria-invalid={error !== undefined}
              checked={selectedValues.includes(value)}
              onChange={({ target }) =>
                onChange(groupValues.filter((one) => (one === value ? target.checked : selectedValues.includes(one))))
              }
            />
          )}
        </CheckField>
      ))}
      {error && <FieldMessage id={groupId}>{error}</FieldMessage>}
    </fieldset>
  )
}
