import { useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { assignFieldErrors } from '../../../kit/client/field-errors.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { type SaveState, useSave } from '../../../kit/form/use-save.ts'
import { type StepFault, type StepsState, useSteps } from '../../../kit/form/use-steps.ts'
import { findFormErrors } from '../../scan/form/check.ts'
import type { ScanForm } from '../../scan/form/values.ts'
import { getFieldName } from '../../scan/form/field-table.ts'
import { type FormProblem, getProblemText } from '../../scan/form/fault-text.ts'
import { useScanForm } from '../../scan/form/use-form.ts'
import { useSession } from '../../user/model.ts'
import { usePresetActions } from '../queries.ts'
import {
  type PresetChoices,
  type PresetStep,
  toPresetChoices,
  emptyChoices,
  findPresetField,
  createPresetForm,
  toPresetSettings,
  toScanPath,
  presetSteps,
  getStepOfField,
} from '../parts/values.ts'

export type PresetFormState = {
  form: UseFormReturn<ScanForm>
  choices: PresetChoices
  setChoices: (next: PresetChoices) => void
  steps: StepsState<PresetStep>
  save: SaveState
  continueToNext: () => void
  submitForm: () => void
  isChanged: () => boolean
}
type PresetFormOptions = { id: PresetId | null; storedPreset: PresetSettings | null; version: number }

/** Returns a function that converts problems to messages with step and field. */
function useProblemMessages(choices: PresetChoices) {
  const { t } = useLingui()
  return (problems: readonly FormProblem[], values: ScanForm): StepFault<PresetStep>[] =>
    problems.flatMap((problem) => {
      const formField = findPresetField(problem.path, values)
      const fieldStep = formField && getStepOfField(formField, choices)
      if (!formField || !fieldStep) return []
      const fieldName = getFieldName(formField)
      const scanProblem = { ...problem, path: toScanPath(problem.path) }
      return [
        {
          step: fieldStep,
          field: formField,
          ...(fieldName ? { label: t(fieldName) } : {}),
          message: getProblemText(formField, scanProblem, values, t),
        },
      ]
    })
}

export function usePresetForm({ id, storedPreset, version }: PresetFormOptions): PresetFormState {
  const [initialState] = useState(() => ({
    values: createPresetForm(storedPreset),
    choices: storedPreset ? toPresetChoices(storedPreset) : emptyChoices,
  }))
  const { config: appConfig } = useSession()
  const { form: scanForm } = useScanForm(initialState.values, null)
  // Errors disappear during typing. If they disappeared on blur, the layout would shift under the pointer.
  useEffect(
    () =>
      scanForm.subscribe({ formState: { values: true }, callback: ({ name }) => name && scanForm.clearErrors(name as 'name') }),
    [scanForm],
  )
  const [presetChoices, setPresetChoices] = useState(initialState.choices)
  const problemsRef = useRef<readonly FormProblem[]>([])
  const toFaults = useProblemMessages(presetChoices)
  const findFaults = () => toFaults(problemsRef.current, scanForm.getValues())
  const stepsState = useSteps<PresetStep>({ stepOrder: presetSteps, findFaults, areAllStepsOpen: id !== null })
  const saveState = usePresetSave({ id, version, form: scanForm, choices: presetChoices, steps: stepsState, toFaults })
  const validate = async () => {
    problemsRef.current = await findFormErrors(scanForm.getValues(), null, appConfig.limits)
    // Also shows each message at its field.
    await scanForm.trigger()
  }
  return {
    form: scanForm,
    choices: presetChoices,
    setChoices: setPresetChoices,
    steps: stepsState,
    save: saveState,
    continueToNext: () => void validate().then(stepsState.continueToNext),
    submitForm: () =>
      void validate().then(() => {
        if (stepsState.validateAllSteps()) saveState.submit()
      }),
    isChanged: () => (scanForm.formState.isDirty || presetChoices !== initialState.choices) && !saveState.isSaved(),
  }
}

type PresetSaveOptions = Pick<PresetFormOptions, 'id' | 'version'> &
  Pick<PresetFormState, 'form' | 'choices' | 'steps'> & { toFaults: ReturnType<typeof useProblemMessages> }

function usePresetSave({ id, version, form, choices, steps, toFaults }: PresetSaveOptions): SaveState {
  const { t } = useLingui()
  const showToast = useToast()
  const navigateTo = useNavigate()
  const { api: apiClient } = useSession()
  const { saveMutation } = usePresetActions()
  return useSave({
    version,
    save: (baseVersion) =>
      saveMutation.mutateAsync({ id, settings: toPresetSettings(form.getValues(), choices), version: baseVersion }),
    fetchLatestVersion: async () => (id ? (await apiClient.readPresetSettings({ params: { id } })).version : 0),
    showServerErrors: (error) => {
      const { fieldFaults: stepFaults, unassignedError } = assignFieldErrors(
        error,
        (fieldError) => toFaults([fieldError], form.getValues())[0] ?? null,
      )
      if (stepFaults.length > 0) steps.showServerFaults(stepFaults)
      return unassignedError
    },
    onSaved: () => {
      const presetName = form.getValues('name').trim()
      showToast('confirmation', t`Preset saved: ${presetName}`)
      void navigateTo({ to: '/admin/presets' })
    },
  })
}
