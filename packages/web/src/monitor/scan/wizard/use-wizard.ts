import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { get } from 'react-hook-form'
import { isEditConflict } from '../../../kit/client/field-errors.ts'
import type { ShownSteps } from '../../../kit/form/step-form.tsx'
import type { StepState } from '../../../kit/form/stepper.tsx'
import { type SaveState, useSave } from '../../../kit/form/use-save.ts'
import type { StepFault } from '../../../kit/form/use-steps.ts'
import { useSession } from '../../user/model.ts'
import { type FormField, getControlInfo, getFieldName, stepFields } from '../form/field-table.ts'
import { type SentSettings, toSentSettings } from '../form/model.ts'
import { extraSteps, type WizardStep, wizardSteps } from '../form/step-name.ts'
import { findChangedFields, getStepOfField, mergeForms, type MergeResult } from '../form/steps.ts'
import { listErrors, type ScanFormState, useScanForm } from '../form/use-form.ts'
import type { ScanForm } from '../form/values.ts'
import { combineDraftAndStart, type WizardStart } from './start.ts'
import { useDraft } from './use-draft.ts'

export type WizardOptions = {
  scanId: ScanId | null
  /** URL that a new scan started from. Each URL has its own draft. */
  url?: string | undefined
  wizardStart: WizardStart
  draft: ScanDraft | null
  step: WizardStep
  onStep: (step: WizardStep) => void
  /** Saves the settings; `version` is null for a new scan. */
  save: (settings: SentSettings, version: number | null) => Promise<unknown>
  /** Loads the stored settings after a concurrent save. */
  reload: () => Promise<WizardStart>
  onSaved: () => void
}

/** Passed and skipped steps, and the number of attempts with errors. */
function useStepProgress(scanId: ScanId | null, draft: ScanDraft | null) {
  const toStepSet = (names: readonly string[] = []) => new Set(wizardSteps.filter((step) => names.includes(step)))
  const [passedSteps, setPassedSteps] = useState<ReadonlySet<WizardStep>>(() => toStepSet(scanId ? wizardSteps : draft?.left))
  const [skippedSteps, setSkippedSteps] = useState<ReadonlySet<WizardStep>>(() => toStepSet(draft?.skipped))
  const [attemptCount, setAttemptCount] = useState(0)
  return {
    left: passedSteps,
    skipped: skippedSteps,
    attempt: attemptCount,
    passStep: (step: WizardStep, isSkipped: boolean) => {
      setPassedSteps(new Set([...passedSteps, step]))
      const otherSkipped = [...skippedSteps].filter((candidate) => candidate !== step)
      setSkippedSteps(new Set(isSkipped ? [...otherSkipped, step] : otherSkipped))
    },
    reportErrors: () => setAttemptCount((count) => count + 1),
    getStepState: (step: WizardStep, isInvalid: boolean): StepState => {
      if (isInvalid) return 'wrong'
      if (skippedSteps.has(step)) return 'skipped'
      return passedSteps.has(step) ? 'done' : 'open'
    },
  }
}

/** Validates an invalid field on each change. On blur only, pressing a button would remove errors and move the button. */
function useLiveValidation(form: ScanFormState['form']): void {
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name }) => {
          const changedField = name as FormField | undefined
          if (changedField && form.getFieldState(changedField).invalid) void form.trigger(changedField)
        },
      }),
    [form],
  )
}

/** Lists errors in step order. An error in a row names the row, and its field if the row has several. */
function useStepFaults(form: ScanFormState['form']): StepFault<WizardStep>[] {
  const { t } = useLingui()
  return listErrors(form.formState.errors)
    .map(({ field, message }) => {
      const step = getStepOfField(field)
      const rowIndex = /\.(\d+)\./.exec(field)?.[1]
      const fieldName = getFieldName(field)
      const fieldLabel = fieldName ? t(fieldName) : ''
      if (rowIndex === undefined) return { step, field, message, label: fieldLabel }
      const { label: partLabel } = getControlInfo(field)
      const labelParts = [`${fieldLabel} ${Number(rowIndex) + 1}`, ...(partLabel ? [t(partLabel)] : [])]
      return { step, field, message, label: labelParts.join(', ') }
    })
    .toSorted((a, b) => wizardSteps.indexOf(a.step) - wizardSteps.indexOf(b.step))
}

function useWizardSteps(
  { step: currentStepId, onStep }: WizardOptions,
  isExtraOpen: boolean,
  form: ScanFormState['form'],
  progress: ReturnType<typeof useStepProgress>,
): ShownSteps<WizardStep> {
  const faults = useStepFaults(form)
  const isInvalid = (step: WizardStep) => faults.some((fault) => fault.step === step)
  const openSteps = wizardSteps.filter((step) => isExtraOpen || !extraSteps.includes(step))
  const currentIndex = openSteps.indexOf(currentStepId)
  return {
    currentStepId,
    nextStepId: openSteps[currentIndex + 1],
    previousStepId: openSteps[currentIndex - 1],
    attempt: progress.attempt,
    faults: progress.attempt > 0 ? faults : [],
    getStepState: (step) => progress.getStepState(step, isInvalid(step)),
    isReachable: () => true,
    goToStep: onStep,
    showFault: ({ field }) => {
      if (getStepOfField(field) !== currentStepId) onStep(getStepOfField(field))
    },
  }
}

/** Opens "More settings" for existing scans, and while one of its steps is open. */
function useExtraSteps(scanId: ScanId | null, currentStep: WizardStep) {
  const isInside = extraSteps.includes(currentStep)
  const [isOpen, setIsOpen] = useState(scanId !== null || isInside)
  const [wasInside, setWasInside] = useState(isInside)
  // The step that is open stays in view after it was left; leaving by closing the group takes effect a moment later.
  if (isInside !== wasInside) {
    setWasInside(isInside)
    if (isInside) setIsOpen(true)
  }
  return { ids: extraSteps, isOpen: isOpen || isInside, isInside, setIsOpen }
}

/** Computes the errors of a restored draft again: of all that was typed, and of the steps that were passed. */
function useRestoredErrors(form: ScanFormState['form'], draft: ScanDraft | null, baseValues: ScanForm): void {
  const recompute = useEffectEvent(() => {
    if (!draft) return
    const passedFields = wizardSteps.filter((step) => draft.left.includes(step)).flatMap((step) => stepFields[step])
    void form.trigger([...new Set([...passedFields, ...findChangedFields(baseValues, form.getValues())])])
  })
  useEffect(() => recompute(), [])
}

/** Returns the fields of a step to their base values. */
function resetStep(form: ScanFormState['form'], step: WizardStep, baseValues: ScanForm): void {
  for (const field of stepFields[step]) form.setValue(field, get(baseValues, field))
  form.clearErrors([...stepFields[step]])
}

export function useWizard(wizardOptions: WizardOptions) {
  const { scanId, wizardStart, step: currentStep, onStep, draft: initialDraft } = wizardOptions
  const { permissions } = useSession()
  const [baseStart, setBaseStart] = useState(wizardStart)
  const [initialState] = useState(() => combineDraftAndStart(wizardStart, initialDraft))
  const formState = useScanForm(initialState.values, baseStart.opened)
  const { form: scanForm } = formState
  useLiveValidation(scanForm)
  const stepProgress = useStepProgress(scanId, initialDraft)
  useRestoredErrors(scanForm, initialDraft, baseStart.values)
  const extraGroup = useExtraSteps(scanId, currentStep)
  const stepsState = useWizardSteps(wizardOptions, extraGroup.isOpen, scanForm, stepProgress)
  const [mergeResult, setMergeResult] = useState<MergeResult | null>(initialState.merged)
  const { values: baseValues, version: baseVersion } = baseStart
  const draftState = useDraft(
    { username: permissions.username, scanId, begunWith: wizardOptions.url ?? '' },
    scanForm,
    { base: baseValues, version: baseVersion, ...stepProgress },
    initialDraft,
  )
  const passCurrentStep = (isSkipped: boolean) => {
    stepProgress.passStep(currentStep, isSkipped)
    if (stepsState.nextStepId) onStep(stepsState.nextStepId)
  }
  const saveState = useWizardSave(wizardOptions, {
    ...formState,
    baseStart,
    reportErrors: stepProgress.reportErrors,
    onConflict: (reloadedStart) => {
      const mergedForm = mergeForms(baseValues, scanForm.getValues(), reloadedStart.values)
      setBaseStart(reloadedStart)
      scanForm.reset(mergedForm.values)
      setMergeResult(mergedForm)
    },
    dropDraft: draftState.drop,
  })
  return {
    form: scanForm,
    steps: stepsState,
    extraGroup,
    noteCheckedName: formState.noteCheckedName,
    save: saveState,
    reportErrors: stepProgress.reportErrors,
    opened: baseStart.opened,
    version: baseVersion,
    restored: draftState.restored,
    savedDraft: draftState.saved,
    merged: mergeResult,
    onward: async () =>
      (await scanForm.trigger([...stepFields[currentStep]])) ? passCurrentStep(false) : stepProgress.reportErrors(),
    skip: () => {
      resetStep(scanForm, currentStep, baseValues)
      passCurrentStep(true)
    },
    discardDraft: draftState.drop,
    isChanged: () =>
      !draftState.isDropped() && !saveState.isSaved() && findChangedFields(baseValues, scanForm.getValues()).length > 0,
  }
}

type WizardSaveOptions = ScanFormState & {
  baseStart: WizardStart
  reportErrors: () => void
  onConflict: (reloadedStart: WizardStart) => void
  dropDraft: () => Promise<void>
}

/** Thrown after a concurrent save was merged into the form: the user reviews it before the next attempt. */
const mergedConflict = new Error('merged')

function useWizardSave({ save, reload, onSaved }: WizardOptions, saveOptions: WizardSaveOptions): SaveState {
  const { form: scanForm, baseStart, showServerErrors, reportErrors, onConflict, dropDraft } = saveOptions
  const saveState = useSave({
    version: baseStart.version ?? 0,
    save: async () => {
      const sentSettings = toSentSettings(scanForm.getValues(), baseStart.opened?.access ?? null)
      try {
        await save(sentSettings, baseStart.version)
      } catch (error) {
        if (!isEditConflict(error)) throw error
        onConflict(await reload())
        throw mergedConflict
      }
      // The scan is saved, so a draft that could not be deleted contains nothing new.
      await dropDraft().catch(() => undefined)
    },
    fetchLatestVersion: async () => (await reload()).version ?? 0,
    showServerErrors: (error) => {
      if (error === mergedConflict) return null
      const unassignedError = showServerErrors(error)
      if (unassignedError !== error) reportErrors()
      return unassignedError
    },
    onSaved,
  })
  const { isSubmitting } = scanForm.formState
  return {
    ...saveState,
    isPending: saveState.isPending || isSubmitting,
    submit: () => {
      if (!isSubmitting) void scanForm.handleSubmit(saveState.submit, reportErrors)()
    },
  }
}
