import { useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { CheckField, Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { type VariableRow, findVariableFaults } from './model.ts'
import styles from './variables.module.css'
import { getVariableFaultMessage } from '../parts/labels.ts'

type VariableFieldsProps = {
  rows: readonly VariableRow[]
  onChange: (rows: VariableRow[]) => void
  /** True after the first attempt to continue; then errors are shown. */
  areFaultsShown: boolean
}

export const getVariableFieldId = (rowKey: number, part: 'name' | 'value'): string => `variable-${rowKey}-${part}`

/** Names and values of a script's environment variables. Stored values are never shown, only replaced. */
export function VariableFields({ rows, onChange, areFaultsShown }: VariableFieldsProps) {
  const { t } = useLingui()
  const addButtonRef = useRef<HTMLButtonElement>(null)
  const [addedKey, setAddedKey] = useState<number | null>(null)
  const shownFaults = areFaultsShown ? findVariableFaults(rows) : []
  const getError = (rowKey: number, part: 'name' | 'value') => {
    const variableFault = shownFaults.find((candidate) => candidate.key === rowKey && candidate.part === part)
    return variableFault && t(getVariableFaultMessage(variableFault.code))
  }
  const updateRow = (rowKey: number, changes: Partial<VariableRow>) =>
    onChange(rows.map((row) => (row.key === rowKey ? { ...row, ...changes } : row)))
  return (
    <div className={layout.tight}>
      {rows.map(({ key, name, value, locked }, i) => {
        const rowNumber = i + 1
        const variableLabel = name || String(rowNumber)
        return (
          <div key={key} role="group" aria-label={t`Variable ${variableLabel}`} className={styles.row}>
            <Field id={getVariableFieldId(key, 'name')} label={t`Name`} error={getError(key, 'name')}>
              {(control) => (
                <input
                  {...control}
                  autoFocus={key === addedKey}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  translate="no"
                  maxLength={255}
                  value={name}
                  onChange={({ target }) => updateRow(key, { name: target.value })}
                />
              )}
            </Field>
            <Field id={getVariableFieldId(key, 'value')} label={t`Value`} error={getError(key, 'value')}>
              {(control) => (
                <input
                  {...control}
                  type="password"
                  autoComplete="new-password"
                  maxLength={4096}
                  placeholder={value === null ? t`Stored, and not shown` : ''}
                  value={value ?? ''}
                  onChange={({ target }) => updateRow(key, { value: target.value })}
                />
              )}
            </Field>
            <Button
              kind="quiet"
              square
              icon="close"
              label={t`Remove variable ${variableLabel}`}
              onPress={() => {
                onChange(rows.filter((row) => row.key !== key))
                addButtonRef.current?.focus()
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
                    onChange={({ target }) => updateRow(key, { locked: target.checked })}
                  />
                )}
              </CheckField>
            </div>
          </div>
        )
      })}
      <div>
        <Button
          ref={addButtonRef}
          small
          icon="plus"
          onPress={() => {
            const newKey = Math.max(-1, ...rows.map((row) => row.key)) + 1
            setAddedKey(newKey)
            onChange([...rows, { key: newKey, name: '', value: '', locked: false }])
          }}
        >
          {t`Add variable`}
        </Button>
      </div>
    </div>
  )
}
