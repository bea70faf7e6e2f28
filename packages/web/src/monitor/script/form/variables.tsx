import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CheckField, Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { VariableRow } from '../model.ts'
import { variableFaults } from '../model.ts'
import styles from './variables.module.css'
import { variableFaultText } from '../parts/words.ts'

type Props = {
  rows: readonly VariableRow[]
  onChange: (rows: VariableRow[]) => void
  /** Whether faults are shown: from the first attempt to go on. */
  checked: boolean
}

/** Id of the control for a part of one variable. */
export const variableField = (key: number, part: 'name' | 'value'): string => `variable-${key}-${part}`

/** Environment variables of a script: names and values. Values that are stored are never shown, only replaced. */
export function VariableFields({ rows, onChange, checked }: Props) {
  const { t } = useLingui()
  const add = useRef<HTMLButtonElement>(null)
  const [added, setAdded] = useState<number | null>(null)
  const faults = checked ? variableFaults(rows) : []
  const errorOf = (key: number, part: 'name' | 'value') => {
    const fault = faults.find((one) => one.key === key && one.part === part)
    return fault && t(variableFaultText(fault.code))
  }
  const set = (key: number, next: Partial<VariableRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...next } : row)))
  return (
    <div className={layout.tight}>
      {rows.map(({ key, name, value, locked }, i) => {
        const number = i + 1
        const called = name || String(number)
        return (
          <div key={key} role="group" aria-label={t`Variable ${called}`} className={styles.row}>
            <Field id={variableField(key, 'name')} label={t`Name`} error={errorOf(key, 'name')}>
              {(control) => (
                <input
                  {...control}
                  autoFocus={key === added}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  translate="no"
                  maxLength={255}
                  value={name}
                  onChange={({ target }) => set(key, { name: target.value })}
                />
              )}
            </Field>
            <Field id={variableField(key, 'value')} label={t`Value`} error={errorOf(key, 'value')}>
              {(control) => (
                <input
                  {...control}
                  type="password"
                  autoComplete="new-password"
                  maxLength={4096}
                  placeholder={value === null ? t`Stored, and not shown` : ''}
                  value={value ?? ''}
                  onChange={({ target }) => set(key, { value: target.value })}
                />
              )}
            </Field>
            <Button
              kind="quiet"
              square
              icon="close"
              label={t`Remove variable ${called}`}
              onPress={() => {
                onChange(rows.filter((row) => row.key !== key))
                add.current?.focus()
              }}
            />
            <div className={styles.lock}>
              <CheckField
                label={t`Scans may not override this value`}
                hint={t`For a value that determines where other values are sent, such as a host.`}
              >
                {(control) => (
                  <input
                    {...control}
                    type="checkbox"
                    checked={locked}
                    onChange={({ target }) => set(key, { locked: target.checked })}
                  />
                )}
              </CheckField>
            </div>
          </div>
        )
      })}
      <div>
        <Button
          ref={add}
          small
          icon="plus"
          onPress={() => {
            const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
            setAdded(key)
            onChange([...rows, { key, name: '', value: '', locked: false }])
          }}
        >
          {t`Add variable`}
        </Button>
      </div>
    </div>
  )
}
