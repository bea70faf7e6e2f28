import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { LeaveGuard } from '../../../kit/dialog/leave-guard.tsx'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { type FieldMessages, useFormFaults } from '../../../kit/form/use-faults.ts'
import { useSave } from '../../../kit/form/use-save.ts'

type Range = readonly [least: number, most: number]
type Numbers<Name extends string> = Record<Name, number>
type Props<Name extends string> = {
  /** In the order in which they stand. */
  fields: readonly Name[]
  ranges: Record<Name, Range>
  words: Record<Name, readonly [label: string, hint: string]>
  stored: Numbers<Name> & { version: number }
  save: (body: Numbers<Name> & { version: number }) => Promise<{ version: number }>
  /** The version of what is stored now. */
  latest: () => Promise<number>
  /** What is said once it is stored. */
  saved: string
  head: ReactNode
}

/** What is wrong with one number, as a sentence to translate; null when nothing is. */
function faultOf([min, max]: Range, text: string) {
  if (text.trim() === '') return getFieldErrorMessage('required')
  const value = /^\d+$/.test(text.trim()) ? Number(text) : -1
  return value < min || value > max ? getFieldErrorMessage('wrong-type', { min, max }) : null
}

const each = <Name extends string, T>(fields: readonly Name[], value: (name: Name) => T): Record<Name, T> =>
  Object.fromEntries(fields.map((name) => [name, value(name)])) as Record<Name, T>

/** Settings that are whole numbers, each within its range. */
export function NumberForm<Name extends string>(props: Props<Name>) {
  const { fields, ranges, words, stored } = props
  const { t } = useLingui()
  const toast = useToast()
  const [typed, setTyped] = useState(() => each(fields, (name) => String(stored[name])))
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults(fields)
  const save = useSave({
    version: stored.version,
    save: (version) => props.save({ ...each(fields, (name) => Number(typed[name])), version }),
    fetchLatestVersion: props.latest,
    showServerErrors: (error) => {
      refuse(error)
      return null
    },
    onSaved: () => toast('confirmation', props.saved),
  })
  const send = () => {
    const found: FieldMessages<Name> = {}
    for (const name of fields) {
      const fault = faultOf(ranges[name], typed[name])
      if (fault) found[name] = t(fault)
    }
    if (show(found)) return
    save.submit()
  }
  return (
    <CardForm
      formRef={form}
      submitFailure={failure}
      failureTitle={t`The settings could not be saved.`}
      onOverwrite={save.overwrite}
      submitLabel={t`Save`}
      pending={save.isPending}
      onSubmit={send}
      header={props.head}
    >
      {fields.map((name) => (
        <Field key={name} label={words[name][0]} hint={words[name][1]} error={faults[name]}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={typed[name]}
              onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      <LeaveGuard shouldBlock={() => fields.some((name) => typed[name] !== String(stored[name]))} />
    </CardForm>
  )
}
