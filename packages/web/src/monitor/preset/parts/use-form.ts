import { useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { assignFieldErrors } from '../../../kit/client/refusal.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { SaveState } from '../../../kit/form/use-save.ts'
import { useSave } from '../../../kit/form/use-save.ts'
import type { StepFault, StepsState } from '../../../kit/form/use-steps.ts'
import { useSteps } from '../../../kit/form/use-steps.ts'
import { formErrors } from '../../scan/form/check.ts'
import type { ScanForm } from '../../scan/form/values.ts'
import { nameOfField } from '../../scan/form/field-table.ts'
import { faultText } from '../../scan/form/words.ts'
import { useScanForm } from '../../scan/form/use-form.ts'
import { useSession } from '../../user/model.ts'
import { usePresetActions } from '../queries.ts'
import type { PresetChoices, PresetStep } from './values.ts'
import {
  choicesOf,
  emptyChoices,
  presetFieldOf,
  presetForm,
  presetOf,
  presetSteps,
  stepOfField,
} from './values.ts'

type Found = Pick<FieldError, 'path' | 'code' | 'params'>
export type PresetFormState = {
  form: UseFormReturn<ScanForm>
  choices: PresetChoices
  setChoices: (next: PresetChoices) => void
  steps: StepsState<PresetStep>
  save: SaveState
  onward: () => void
  send: () => void
  isChanged: () => boolean
}
type Options = { id: PresetId | null; stored: PresetSettings | null; version: number }

/** What was found wrong, in words, at the step and the field where it is. */
function useFaults(choices: PresetChoices) {
  const { t } = useLingui()
  return (problems: readonly Found[], values: ScanForm): StepFault<PresetStep>[] =>
    problems.flatMap(({ path, code, params }) => {
      const field = presetFieldOf(path, values)
      const step = field && stepOfField(field, choices)
      if (!field || !step) return []
      const name = nameOfField(field)
      return [
        { step, field, ...(name ? { label: t(name) } : {}), message: t(faultText(field, code, params)) },
      ]
    })
}

/** The values of a preset's form, the way through its steps, and sending it. */
export function usePresetForm({ id, stored, version }: Options): PresetFormState {
  const [begin] = useState(() => ({
    values: presetForm(stored),
    choices: stored ? choicesOf(stored) : emptyChoices,
  }))
  const { form } = useScanForm(begin.values, null)
  // An error goes while one types: on leaving the field it would move what one is about to press.
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name }) => name && form.clearErrors(name as 'name'),
      }),
    [form],
  )
  const [choices, setChoices] = useState(begin.choices)
  const found = useRef<readonly Found[]>([])
  const faultsOf = useFaults(choices)
  const check = () => faultsOf(found.current, form.getValues())
  const steps = useSteps<PresetStep>({ stepOrder: presetSteps, findFaults: check, areAllStepsOpen: id !== null })
  const save = usePresetSave({ id, version, form, choices, steps, faultsOf })
  const look = async () => {
    found.current = await formErrors(form.getValues(), null)
    // Shows each message at its field, too.
    await form.trigger()
  }
  return {
    form,
    choices,
    setChoices,
    steps,
    save,
    onward: () => void look().then(steps.continueToNext),
    send: () =>
      void look().then(() => {
        if (steps.validateAllSteps()) save.submit()
      }),
    isChanged: () => (form.formState.isDirty || choices !== begin.choices) && !save.isSaved(),
  }
}

type Sending = Pick<Options, 'id' | 'version'> &
  Pick<PresetFormState, 'form' | 'choices' | 'steps'> & { faultsOf: ReturnType<typeof useFaults> }

function usePresetSave({ id, version, form, choices, steps, faultsOf }: Sending): SaveState {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = useNavigate()
  const { api } = useSession()
  const { save } = usePresetActions()
  return useSave({
    version,
    save: (known) => save.mutateAsync({ id, settings: presetOf(form.getValues(), choices), version: known }),
    fetchLatestVersion: async () => (id ? (await api.readPresetSettings({ params: { id } })).version : 0),
    showServerErrors: (error) => {
      const { fieldFaults: faults, unassignedError: rest } = assignFieldErrors(error, (refused) => faultsOf([refused], form.getValues())[0] ?? null)
      if (faults.length > 0) steps.showServerFaults(faults)
      return rest
    },
    onSaved: () => {
      const name = form.getValues('name').trim()
      toast('confirmation', t`Preset saved: ${name}`)
      void navigate({ to: '/admin/presets' })
    },
  })
}
