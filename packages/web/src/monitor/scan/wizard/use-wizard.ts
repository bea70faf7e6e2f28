import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanDraft } from '@clearway/contract/monitor/scan/draft/schema.ts'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../user/model.ts'
import type { SentSettings } from '../form/model.ts'
import type { Step } from '../form/step-name.ts'
import { steps } from '../form/step-name.ts'
import type { Merged } from '../form/steps.ts'
import { stepFields } from '../form/field-table.ts'
import { changedFields, merge } from '../form/steps.ts'
import type { ScanForm } from '../form/values.ts'
import type { ScanFormState } from '../form/use-form.ts'
import { useScanForm } from '../form/use-form.ts'
import { beginning, type Start } from './start.ts'
import { useDraft } from './use-draft.ts'

export type WizardOptions = {
  scanId: ScanId | null
  /** What a new scan was begun with, whose draft is then one of its own. */
  url?: string | undefined
  start: Start
  /** What was entered before, and not saved. */
  draft: ScanDraft | null
  step: Step
  onStep: (step: Step) => void
  /** Sends the settings; `version` is null for a new scan. */
  save: (settings: SentSettings, version: number | null) => Promise<unknown>
  /** What is stored now, after somebody else saved. */
  reload: () => Promise<Start>
  onSaved: () => void
}

type Failure = { error: unknown } | null

/** Steps that were passed or skipped, and how often something was found wrong. */
function useProgress(scanId: ScanId | null, draft: ScanDraft | null) {
  const among = (names: readonly string[] = []) => new Set(steps.filter((step) => names.includes(step)))
  const [left, setLeft] = useState<ReadonlySet<Step>>(() => among(scanId ? steps : draft?.left))
  const [skipped, setSkipped] = useState<ReadonlySet<Step>>(() => among(draft?.skipped))
  const [attempt, setAttempt] = useState(0)
  return {
    left,
    skipped,
    attempt,
    pass: (step: Step, skip: boolean) => {
      setLeft(new Set([...left, step]))
      const others = [...skipped].filter((one) => one !== step)
      setSkipped(new Set(skip ? [...others, step] : others))
    },
    refuse: () => setAttempt((before) => before + 1),
  }
}

const around = (step: Step) => {
  const at = steps.indexOf(step)
  return { next: steps[at + 1], back: steps[at - 1] }
}

/**
 * Checks a field that is wrong at each change. Until something was sent, the form would do so only when the field is left: by
 * the press of a button, which the summary of errors moves as it goes.
 */
function useFreshErrors(form: ScanFormState['form']): void {
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name }) => {
          const field = name as keyof ScanForm | undefined
          if (field && form.getFieldState(field).invalid) void form.trigger(field)
        },
      }),
    [form],
  )
}

/** The way through the wizard: values, draft, what has to be corrected, and saving. */
export function useWizard(options: WizardOptions) {
  const { scanId, start, step, onStep, draft } = options
  const { permissions } = useSession()
  const [from, setFrom] = useState(start)
  const [first] = useState(() => beginning(start, draft))
  const state = useScanForm(first.values, from.opened)
  const { form } = state
  useFreshErrors(form)
  const progress = useProgress(scanId, draft)
  const [merged, setMerged] = useState<Merged | null>(first.merged)
  const saved = useRef(false)
  const { values: base, version } = from
  const of = { username: permissions.username, scanId, begunWith: options.url ?? '' }
  const { saved: savedDraft, restored, drop } = useDraft(of, form, { base, version, ...progress }, draft)
  const { next, back } = around(step)
  const pass = (skip: boolean) => {
    progress.pass(step, skip)
    if (next) onStep(next)
  }
  const saving = useSaving(options, {
    ...state,
    version,
    refuse: progress.refuse,
    onConflict: (theirs) => {
      const both = merge(base, form.getValues(), theirs.values)
      setFrom(theirs)
      form.reset(both.values)
      setMerged(both)
    },
    onSent: async () => {
      saved.current = true
      // The scan is saved: a draft that stays behind contains nothing new.
      await drop().catch(() => undefined)
    },
  })
  return {
    ...progress,
    ...saving,
    form,
    opened: from.opened,
    version,
    restored,
    savedDraft,
    merged,
    next,
    back,
    onward: async () => ((await form.trigger([...stepFields[step]])) ? pass(false) : progress.refuse()),
    skip: () => {
      for (const field of stepFields[step]) form.setValue(field, base[field])
      form.clearErrors([...stepFields[step]])
      pass(true)
    },
    discard: async () => {
      await drop()
      saved.current = true
      window.location.reload()
    },
    isChanged: () => !saved.current && changedFields(base, form.getValues()).length > 0,
  }
}

type SavingDeps = ScanFormState & {
  version: number | null
  refuse: () => void
  onConflict: (theirs: Start) => void
  onSent: () => Promise<void>
}

/** Sends the whole form once, and says what came of it. */
function useSaving({ save, reload, onSaved }: WizardOptions, deps: SavingDeps) {
  const { form, send, version, refuse, onConflict, onSent } = deps
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>(null)
  const onValid = async (values: ScanForm) => {
    const outcome = await send(values, (settings) => save(settings, version))
    if (outcome.kind === 'refused') {
      refuse()
      setFailure(outcome.rest === null ? null : { error: outcome.rest })
    }
    if (outcome.kind === 'failed') setFailure({ error: outcome.error })
    if (outcome.kind === 'conflict') onConflict(await reload())
    if (outcome.kind !== 'sent') return
    await onSent()
    onSaved()
  }
  const finish = async () => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    // The newest settings could not be had, either.
    await form
      .handleSubmit(onValid, refuse)()
      .catch((error: unknown) => setFailure({ error }))
    setBusy(false)
  }
  return { busy, failure, finish }
}
