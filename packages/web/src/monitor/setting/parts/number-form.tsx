import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { LeaveGuard } from '../../../kit/dialog/leave-guard.tsx'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import styles from './number-form.module.css'
import { type FieldMessages, useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { useSave } from '../../../kit/form/use-save.ts'

type NumberRange = readonly [min: number, max: number]
type NumberValues<Name extends string> = Record<Name, number>
type NumberFormProps<Name extends string> = {
  fields: readonly Name[]
  ranges: Record<Name, NumberRange>
  fieldTexts: Record<Name, readonly [label: string, hint: string]>
  /** Shown after a field, and announced with it. */
  notes?: Partial<Record<Name, ReactNode>>
  storedValues: NumberValues<Name> & { version: number }
  save: (body: NumberValues<Name> & { version: number }) => Promise<{ version: number }>
  fetchLatestVersion: () => Promise<number>
  savedText: string
  header: ReactNode
}

/** Returns a translatable error message for a number; null if it is valid. */
function findFault([min, max]: NumberRange, typedText: string) {
  if (typedText.trim() === '') return min === 0 ? null : getFieldErrorMessage('required')
  const typedNumber = /^\d+$/.test(typedText.trim()) ? Number(typedText) : -1
  return typedNumber < min || typedNumber > max ? getFieldErrorMessage('wrong-type', { min, max }) : null
}

/** A range from zero is optional: an empty field means never, which is stored as 0. */
const toText = (value: number): string => (value === 0 ? '' : String(value))

const mapFields = <Name extends string, T>(fields: readonly Name[], getValue: (name: Name) => T): Record<Name, T> =>
  Object.fromEntries(fields.map((name) => [name, getValue(name)])) as Record<Name, T>

export function NumberForm<Name extends string>(props: NumberFormProps<Name>) {
  const { fields, ranges, fieldTexts, notes = {} as Partial<Record<Name, ReactNode>>, storedValues } = props
  const { t } = useLingui()
  const showToast = useToast()
  const [typedValues, setTypedValues] = useState(() => mapFields(fields, (name) => toText(storedValues[name])))
  const { formRef, faults: fieldFaults, showFaults, showServerErrors, submitFailure } = useFormFaults(fields)
  const saveState = useSave({
    version: storedValues.version,
    save: (version) => props.save({ ...mapFields(fields, (name) => Number(typedValues[name])), version }),
    fetchLatestVersion: props.fetchLatestVersion,
    showServerErrors: (error) => {
      showServerErrors(error)
      return null
    },
    onSaved: () => showToast('confirmation', props.savedText),
  })
  const submitForm = () => {
    const fieldMessages: FieldMessages<Name> = {}
    for (const name of fields) {
      const faultMessage = findFault(ranges[name], typedValues[name])
      if (faultMessage) fieldMessages[name] = t(faultMessage)
    }
    if (showFaults(fieldMessages)) return
    saveState.submit()
  }
  return (
    <CardForm
      formRef={formRef}
      submitFailure={submitFailure}
      failureTitle={t`The settings could not be saved.`}
      onOverwrite={saveState.overwrite}
      submitLabel={t`Save`}
      pending={saveState.isPending}
      onSubmit={submitForm}
      header={props.header}
    >
      <div className={styles.fields}>
        {fields.map((name) => (
          <Field key={name} width="narrow" label={fieldTexts[name][0]} hint={fieldTexts[name][1]} error={fieldFaults[name]}>
            {(control) => (
              <div className={styles.control}>
                <input
                  {...control}
                  aria-describedby={
                    [control['aria-describedby'], notes[name] && `${control.id}-note`].filter(Boolean).join(' ') || undefined
                  }
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder={ranges[name][0] === 0 ? t`Never` : undefined}
                  value={typedValues[name]}
                  onChange={({ target }) => setTypedValues({ ...typedValues, [name]: target.value })}
                />
                {notes[name] && <span id={`${control.id}-note`}>{notes[name]}</span>}
              </div>
            )}
          </Field>
        ))}
      </div>
      <LeaveGuard shouldBlock={() => fields.some((name) => Number(typedValues[name]) !== storedValues[name])} />
    </CardForm>
  )
}
