import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../user/model.ts'
import type { SentSettings } from '../form/model.ts'
import type { WizardStep } from '../form/step-name.ts'
import { wizardSteps } from '../form/step-name.ts'
import type { MergeResult } from '../form/steps.ts'
import { stepFields } from '../form/field-table.ts'
import { findChangedFields, mergeForms } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import type { ScanFormState } from '../form/use-form.ts'
import { useScanForm } from '../form/use-form.ts'
import { combineDraftAndStart, type WizardStart } from './start.ts'
import { useDraft } from './use-draft.ts'

export type WizardOptions = {
  scanId: ScanId | null
  /** URL that a new scan started from. Each URL has its own draft. */
  url?: string | undefined
  wizardStart: WizardStart
  /** Unsaved input of an earlier visit. */
  draft: ScanDraft | null
  step: WizardStep
  onStep: (step: WizardStep) => void
  /** Saves the settings; `version` is null for a new scan. */
  save: (settings: SentSettings, version: number | null) => Promise<unknown>
  /** Loads the stored settings after a concurrent save. */
  reload: () => Promise<WizardStart>
  onSaved: () => void
}

type WizardFailure = { error: unknown } | null

/** Passed and skipped steps, and the number of attempts with errors. */
function useStepProgress(scanId: ScanId | null, draft: ScanDraft | null) {
  const toStepSet = (names: readonly string[] = []) =>
    new Set(wizardSteps.filter((step) => names.includes(step)))
  const [passedSteps, setPassedSteps] = useState<ReadonlySet<WizardStep>>(() =>
    toStepSet(scanId ? wizardSteps : draft?.left),
  )
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
  }
}

const getAdjacentSteps = (step: WizardStep) => {
  const stepIndex = wizardSteps.indexOf(step)
  return { next: wizardSteps[stepIndex + 1], back: wizardSteps[stepIndex - 1] }
}

/**
 * Validates an invalid field on each change. Before the first submit, the form would validate only on blur. Pressing a
 * button then removes errors from the summary, which moves the button.
 */
function useLiveValidation(form: ScanFormState['form']): void {
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name }) => {
          const changedField = name as keyof ScanForm | undefined
          if (changedField && form.getFieldState(changedField).invalid) void form.trigger(changedField)
        },
      }),
    [form],
  )
}

/** State of the wizard: values, draft, errors and saving. */
export function useWizard(wizardOptions: WizardOptions) {
  const { scanId, wizardStart, step: currentStep, onStep, draft: initialDraft } = wizardOptions
  const { permissions } = useSession()
  const [baseStart, setBaseStart] = useState(wizardStart)
  const [initialState] = useState(() => combineDraftAndStart(wizardStart, initialDraft))
  const formState = useScanForm(initialState.values, baseStart.opened)
  const { form: scanForm } = formState
  useLiveValidation(scanForm)
  const stepProgress = useStepProgress(scanId, initialDraft)
  const [mergeResult, setMergeResult] = useState<MergeResult | null>(initialState.merged)
  const isSavedRef = useRef(false)
  const { values: baseValues, version: baseVersion } = baseStart
  const draftOwner = { username: permissions.username, scanId, begunWith: wizardOptions.url ?? '' }
  const {
    saved: savedDraft,
    restored: restoredDraft,
    drop: discardDraft,
  } = useDraft(
    draftOwner,
    scanForm,
    { base: baseValues, version: baseVersion, ...stepProgress },
    initialDraft,
  )
  const { next: nextStep, back: previousStep } = getAdjacentSteps(currentStep)
  const passCurrentStep = (isSkipped: boolean) => {
    stepProgress.passStep(currentStep, isSkipped)
    if (nextStep) onStep(nextStep)
  }
  const savingState = useSaving(wizardOptions, {
    ...formState,
    version: baseVersion,
    reportErrors: stepProgress.reportErrors,
    onConflict: (reloadedStart) => {
      const mergedForm = mergeForms(baseValues, scanForm.getValues(), reloadedStart.values)
      setBaseStart(reloadedStart)
      scanForm.reset(mergedForm.values)
      setMergeResult(mergedForm)
    },
    onSent: async () => {
      isSavedRef.current = true
      // The scan is saved, so a draft that could not be deleted contains nothing new.
      await discardDraft().catch(() => undefined)
    },
  })
  return {
    ...stepProgress,
    ...savingState,
    form: scanForm,
    opened: baseStart.opened,
    version: baseVersion,
    restored: restoredDraft,
    savedDraft,
    merged: mergeResult,
    next: nextStep,
    back: previousStep,
    onward: async () =>
      (await scanForm.trigger([...stepFields[currentStep]]))
        ? passCurrentStep(false)
        : stepProgress.reportErrors(),
    skip: () => {
      for (const stepField of stepFields[currentStep]) scanForm.setValue(stepField, baseValues[stepField])
      scanForm.clearErrors([...stepFields[currentStep]])
      passCurrentStep(true)
    },
    discard: async () => {
      await discardDraft()
      isSavedRef.current = true
      window.location.reload()
    },
    isChanged: () => !isSavedRef.current && findChangedFields(baseValues, scanForm.getValues()).length > 0,
  }
}

type SavingOptions = ScanFormState & {
  version: number | null
  reportErrors: () => void
  onConflict: (reloadedStart: WizardStart) => void
  onSent: () => Promise<void>
}

/** Submits the whole form, one request at a time, and handles the result. */
function useSaving({ save, reload, onSaved }: WizardOptions, savingOptions: SavingOptions) {
  const { form: scanForm, submitForm, version: baseVersion, reportErrors, onConflict, onSent } = savingOptions
  const [isBusy, setIsBusy] = useState(false)
  const [saveFailure, setSaveFailure] = useState<WizardFailure>(null)
  const saveValidForm = async (values: ScanForm) => {
    const sendOutcome = await submitForm(values, (settings) => save(settings, baseVersion))
    if (sendOutcome.kind === 'refused') {
      reportErrors()
      setSaveFailure(sendOutcome.rest === null ? null : { error: sendOutcome.rest })
    }
    if (sendOutcome.kind === 'failed') setSaveFailure({ error: sendOutcome.error })
    if (sendOutcome.kind === 'conflict') onConflict(await reload())
    if (sendOutcome.kind !== 'sent') return
    await onSent()
    onSaved()
  }
  const submitAll = async () => {
    if (isBusy) return
    setIsBusy(true)
    setSaveFailure(null)
    // Reloading the stored settings failed, too.
    await scanForm
      .handleSubmit(saveValidForm, reportErrors)()
      .catch((error: unknown) => setSaveFailure({ error }))
    setIsBusy(false)
  }
  return { busy: isBusy, failure: saveFailure, finish: submitAll }
}
