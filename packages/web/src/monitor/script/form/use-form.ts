import { useLingui } from '@lingui/react/macro'
import type { ScriptId } from '@clearway/contract/kit/id.ts'
import { defaultLimits } from '@clearway/contract/kit/limit.ts'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { type AssignedErrors, assignFieldErrors } from '../../../kit/client/field-errors.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { type SaveState, useSave } from '../../../kit/form/use-save.ts'
import { type StepFault, type StepsState, useSteps } from '../../../kit/form/use-steps.ts'
import { useSession } from '../../user/model.ts'
import { type ScriptValues, type VariableRow, toScriptBody, findVariableFaults, addMissingVariables } from './model.ts'
import { parseScriptText, useScriptActions } from '../queries.ts'
import { getVariableFieldId } from './variables.tsx'
import { getVariableFaultMessage } from '../parts/labels.ts'

export const scriptSteps = ['script', 'variables', 'review'] as const
export type ScriptStepId = (typeof scriptSteps)[number]
type ScriptFault = StepFault<ScriptStepId>
export const nameField = 'script-name'
export const typeField = 'script-type'
export const textField = 'script-text'

/** Returns the step and control id of a request path; null for values that users cannot enter. */
export function findScriptField(path: string, { variables }: ScriptValues): { step: ScriptStepId; field: string } | null {
  const [fieldName = '', rowIndex, rowPart] = path.replace(/^settings\./, '').split('.')
  const fieldId = ({ name: nameField, type: typeField, text: textField } as Record<string, string>)[fieldName]
  if (fieldId) return { step: 'script', field: fieldId }
  if (fieldName !== 'variables') return null
  const rowKey = variables[Number(rowIndex ?? 0)]?.key ?? 0
  return { step: 'variables', field: getVariableFieldId(rowKey, rowPart === 'value' ? 'value' : 'name') }
}

export type ScriptFormState = {
  values: ScriptValues
  changeValues: (changes: Partial<ScriptValues>) => void
  setVariables: (rows: VariableRow[]) => void
  steps: StepsState<ScriptStepId>
  /** True after the first validation of the variables; from then on their errors are shown. */
  areVariablesChecked: boolean
  save: SaveState
  continueToNext: () => void
  submitForm: () => void
  isChanged: () => boolean
}

/** Returns a function that finds errors in the values. The caller knows whether the text is a valid script. */
function useFaultFinder() {
  const { t } = useLingui()
  const invalidScriptText = t`Please upload a valid script file.`
  return (values: ScriptValues, isScript: boolean): ScriptFault[] => {
    const scriptFaults: ScriptFault[] = []
    const addFault = (step: ScriptStepId, field: string, label: string, message: string) =>
      scriptFaults.push({ step, field, label, message })
    const trimmedName = values.name.trim()
    if (trimmedName === '') addFault('script', nameField, t`Name`, t(getFieldErrorMessage('required')))
    if (trimmedName.length > defaultLimits.nameLength)
      addFault('script', nameField, t`Name`, t(getFieldErrorMessage('too-long', { max: defaultLimits.nameLength })))
    if (!isScript) addFault('script', textField, t`Script`, invalidScriptText)
    for (const { key, part, code } of findVariableFaults(values.variables)) {
      const variableName = values.variables.find((row) => row.key === key)?.name
      const faultLabel = [variableName, part === 'name' ? t`Name` : t`Value`].filter(Boolean).join(', ')
      addFault('variables', getVariableFieldId(key, part), faultLabel, t(getVariableFaultMessage(code)))
    }
    return scriptFaults
  }
}

/** Returns a function that assigns server errors to their fields. */
function useServerFaults() {
  const { t } = useLingui()
  return (error: unknown, values: ScriptValues): AssignedErrors<ScriptFault> => {
    const fieldLabels: Readonly<Record<string, string>> = {
      [nameField]: t`Name`,
      [typeField]: t`Type`,
      [textField]: t`Script`,
    }
    return assignFieldErrors(error, ({ path, code, params }): ScriptFault | null => {
      const fieldPlace = findScriptField(path, values)
      if (!fieldPlace) return null
      const { step: fieldStep, field: fieldId } = fieldPlace
      const isInvalidScript = fieldId === textField && code === 'invalid'
      const faultMessage = isInvalidScript ? t`Please upload a valid script file.` : t(getVariableFaultMessage(code, params))
      const faultLabel = fieldLabels[fieldId] ?? t`Environment variables`
      return { step: fieldStep, field: fieldId, label: faultLabel, message: faultMessage }
    })
  }
}

type ScriptFormOptions = { id: ScriptId | null; initialValues: ScriptValues; version: number }

export function useScriptForm({ id, initialValues, version }: ScriptFormOptions): ScriptFormState {
  const findFaults = useFaultFinder()
  const [formValues, setFormValues] = useState(initialValues)
  const [areVariablesChecked, setAreVariablesChecked] = useState(false)
  const isScriptRef = useRef(true)
  const findCurrentFaults = () => findFaults(formValues, isScriptRef.current)
  const stepsState = useSteps<ScriptStepId>({
    stepOrder: ['script', 'variables', 'review'],
    findFaults: findCurrentFaults,
    areAllStepsOpen: id !== null,
  })
  const saveState = useScriptSave({ id, values: formValues, version, steps: stepsState })
  const changeValues: ScriptFormState['changeValues'] = (changes) => {
    setFormValues({ ...formValues, ...changes })
    const correctedFields = [changes.name !== undefined && nameField, (changes.text ?? changes.type) !== undefined && textField]
    stepsState.clearFaults(correctedFields.filter((field) => field !== false))
  }
  const validateScript = async () => {
    const parsedScript = await parseScriptText(formValues.text, formValues.type)
    isScriptRef.current = parsedScript.ok
    return parsedScript
  }
  const continueToNext = async () => {
    const parsedScript = await validateScript()
    if (stepsState.currentStepId === 'script' && parsedScript.ok)
      setFormValues({ ...formValues, variables: addMissingVariables(formValues.variables, parsedScript.script.variables) })
    if (stepsState.currentStepId === 'variables') setAreVariablesChecked(true)
    stepsState.continueToNext()
  }
  const submitForm = async () => {
    setAreVariablesChecked(true)
    await validateScript()
    if (stepsState.validateAllSteps()) saveState.submit()
  }
  return {
    values: formValues,
    changeValues,
    setVariables: (variables) => {
      setFormValues({ ...formValues, variables })
      stepsState.clearFaults(stepsState.faults.filter(({ step }) => step === 'variables').map(({ field }) => field))
    },
    steps: stepsState,
    areVariablesChecked,
    save: saveState,
    continueToNext: () => void continueToNext(),
    submitForm: () => void submitForm(),
    isChanged: () => formValues !== initialValues && !saveState.isSaved(),
  }
}

type ScriptSaveOptions = { id: ScriptId | null; values: ScriptValues; version: number; steps: StepsState<ScriptStepId> }

function useScriptSave({ id, values, version, steps }: ScriptSaveOptions): SaveState {
  const { t } = useLingui()
  const showToast = useToast()
  const navigateTo = useNavigate()
  const { api: apiClient } = useSession()
  const { saveMutation } = useScriptActions()
  const toServerFaults = useServerFaults()
  return useSave({
    version,
    save: (baseVersion) => saveMutation.mutateAsync({ id, settings: toScriptBody(values), version: baseVersion }),
    fetchLatestVersion: async () => (id ? (await apiClient.readScriptSettings({ params: { id } })).version : 0),
    showServerErrors: (error) => {
      const { fieldFaults: stepFaults, unassignedError } = toServerFaults(error, values)
      if (stepFaults.length > 0) steps.showServerFaults(stepFaults)
      return unassignedError
    },
    onSaved: () => {
      const scriptName = values.name.trim()
      showToast('confirmation', t`Script saved: ${scriptName}`)
      void navigateTo({ to: '/admin/scripts' })
    },
  })
}
