import { useLingui } from '@lingui/react/macro'
import type { ScriptId } from '@clearway/contract/kit/id.ts'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import type { AssignedErrors } from '../../../kit/client/refusal.ts'
import { assignFieldErrors } from '../../../kit/client/refusal.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { SaveState } from '../../../kit/form/use-save.ts'
import { useSave } from '../../../kit/form/use-save.ts'
import type { StepFault, StepsState } from '../../../kit/form/use-steps.ts'
import { useSteps } from '../../../kit/form/use-steps.ts'
import { useSession } from '../../user/model.ts'
import type { ScriptValues, VariableRow } from '../model.ts'
import { toBody, variableFaults, withMissing } from '../model.ts'
import { readScript, useScriptActions } from '../queries.ts'
import { variableField } from './variables.tsx'
import { variableFaultText } from '../parts/words.ts'

export const scriptSteps = ['script', 'variables', 'review'] as const
export type ScriptStepId = (typeof scriptSteps)[number]
type Found = StepFault<ScriptStepId>
export const nameField = 'script-name'
export const typeField = 'script-type'
export const textField = 'script-text'

/** Where a value of the request is: its step, and the id of its control; null for one that nobody enters. */
export function scriptFieldOf(
  path: string,
  { variables }: ScriptValues,
): { step: ScriptStepId; field: string } | null {
  const [first = '', row, part] = path.replace(/^settings\./, '').split('.')
  const own = ({ name: nameField, type: typeField, text: textField } as Record<string, string>)[first]
  if (own) return { step: 'script', field: own }
  if (first !== 'variables') return null
  const key = variables[Number(row ?? 0)]?.key ?? 0
  return { step: 'variables', field: variableField(key, part === 'value' ? 'value' : 'name') }
}

export type ScriptFormState = {
  values: ScriptValues
  change: (next: Partial<ScriptValues>) => void
  setVariables: (rows: VariableRow[]) => void
  steps: StepsState<ScriptStepId>
  /** Whether the variables were looked at once: from then on their faults show. */
  isChecked: boolean
  save: SaveState
  onward: () => void
  send: () => void
  isChanged: () => boolean
}

/** What is wrong with the values, in words; whether the text is a script is known beforehand. */
function useFaults() {
  const { t } = useLingui()
  const valid = t`Please upload a valid script file.`
  return (values: ScriptValues, isScript: boolean): Found[] => {
    const found: Found[] = []
    const add = (step: ScriptStepId, field: string, label: string, message: string) =>
      found.push({ step, field, label, message })
    const name = values.name.trim()
    if (name === '') add('script', nameField, t`Name`, t(getFieldErrorMessage('required')))
    if (name.length > defaultLimits.nameLength)
      add('script', nameField, t`Name`, t(getFieldErrorMessage('too-long', { max: defaultLimits.nameLength })))
    if (!isScript) add('script', textField, t`Script`, valid)
    for (const { key, part, code } of variableFaults(values.variables)) {
      const called = values.variables.find((row) => row.key === key)?.name
      const label = [called, part === 'name' ? t`Name` : t`Value`].filter(Boolean).join(', ')
      add('variables', variableField(key, part), label, t(variableFaultText(code)))
    }
    return found
  }
}

/** What the server refused, at the field that it names. */
function useRefusals() {
  const { t } = useLingui()
  return (error: unknown, values: ScriptValues): AssignedErrors<Found> => {
    const labels: Readonly<Record<string, string>> = {
      [nameField]: t`Name`,
      [typeField]: t`Type`,
      [textField]: t`Script`,
    }
    return assignFieldErrors(error, ({ path, code, params }): Found | null => {
      const found = scriptFieldOf(path, values)
      if (!found) return null
      const { step, field } = found
      const valid = field === textField && code === 'invalid'
      const message = valid ? t`Please upload a valid script file.` : t(variableFaultText(code, params))
      const label = labels[field] ?? t`Environment variables`
      return { step, field, label, message }
    })
  }
}

type Options = { id: ScriptId | null; before: ScriptValues; version: number }

/** The values of a script's form, the way through its steps, and sending it. */
export function useScriptForm({ id, before, version }: Options): ScriptFormState {
  const faultsOf = useFaults()
  const [values, setValues] = useState(before)
  const [isChecked, setChecked] = useState(false)
  const isScript = useRef(true)
  const check = () => faultsOf(values, isScript.current)
  const steps = useSteps<ScriptStepId>({ stepOrder: ['script', 'variables', 'review'], findFaults: check, areAllStepsOpen: id !== null })
  const save = useScriptSave({ id, values, version, steps })
  const change: ScriptFormState['change'] = (next) => {
    setValues({ ...values, ...next })
    const corrected = [
      next.name !== undefined && nameField,
      (next.text ?? next.type) !== undefined && textField,
    ]
    steps.clearFaults(corrected.filter((field) => field !== false))
  }
  const look = async () => {
    const read = await readScript(values.text, values.type)
    isScript.current = read.ok
    return read
  }
  const onward = async () => {
    const read = await look()
    if (steps.currentStepId === 'script' && read.ok)
      setValues({ ...values, variables: withMissing(values.variables, read.script.variables) })
    if (steps.currentStepId === 'variables') setChecked(true)
    steps.continueToNext()
  }
  const send = async () => {
    setChecked(true)
    await look()
    if (steps.validateAllSteps()) save.submit()
  }
  return {
    values,
    change,
    setVariables: (variables) => {
      setValues({ ...values, variables })
      steps.clearFaults(steps.faults.filter(({ step }) => step === 'variables').map(({ field }) => field))
    },
    steps,
    isChecked,
    save,
    onward: () => void onward(),
    send: () => void send(),
    isChanged: () => values !== before && !save.isSaved(),
  }
}

type Sending = { id: ScriptId | null; values: ScriptValues; version: number; steps: StepsState<ScriptStepId> }

function useScriptSave({ id, values, version, steps }: Sending): SaveState {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = useNavigate()
  const { api } = useSession()
  const { save } = useScriptActions()
  const refusalsOf = useRefusals()
  return useSave({
    version,
    save: (known) => save.mutateAsync({ id, settings: toBody(values), version: known }),
    fetchLatestVersion: async () => (id ? (await api.readScriptSettings({ params: { id } })).version : 0),
    showServerErrors: (error) => {
      const { fieldFaults: faults, unassignedError: rest } = refusalsOf(error, values)
      if (faults.length > 0) steps.showServerFaults(faults)
      return rest
    },
    onSaved: () => {
      const name = values.name.trim()
      toast('confirmation', t`Script saved: ${name}`)
      void navigate({ to: '/admin/scripts' })
    },
  })
}
