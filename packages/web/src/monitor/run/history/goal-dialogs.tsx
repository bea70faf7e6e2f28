import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { goalDays, maxAnnotationLength, type ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { useDraft } from '../../user/parts/use-draft.ts'
import { useGoalActions } from '../queries-goal.ts'
import { toLocalDay } from '../model-goal.ts'

export const noteFields = ['day', 'text'] as const
export const targetFields = ['score', 'dueOn'] as const

/** Adds a note to the trend, for today unless another day is chosen. */
export function NoteDialog({ scanId, onClose }: { scanId: ScanId; onClose: () => void }) {
  const { t } = useLingui()
  const { addAnnotation } = useGoalActions(scanId)
  const [today] = useState(() => toLocalDay(Date.now()))
  const [typedDay, setTypedDay] = useDraft('note-day', scanId)
  const [typedText, setTypedText] = useDraft('note-text', scanId)
  const [day, text] = [typedDay ?? today, typedText ?? '']
  const { formRef, faults, showFaults, showServerErrors, submitFailure } = useFormFaults(noteFields)
  const required = t(getFieldErrorMessage('required'))
  const discardDraft = () => {
    setTypedDay(null)
    setTypedText(null)
  }
  const submit = () => {
    if (showFaults({ ...(day === '' && { day: required }), ...(text.trim() === '' && { text: required }) })) return
    // Also after the dialog was closed, when the mutation's own callbacks no longer run.
    void addAnnotation.mutateAsync({ day, text: text.trim() }).then(() => {
      discardDraft()
      onClose()
    }, showServerErrors)
  }
  return (
    <FormDialog
      title={t`Add a note to the trend`}
      submitLabel={t`Add note`}
      pending={addAnnotation.isPending}
      formRef={formRef}
      failure={submitFailure !== null && { title: t`The changes could not be saved.`, error: submitFailure }}
      onSubmit={submit}
      onClose={onClose}
      onCancel={discardDraft}
    >
      <Field label={t`Note`} hint={t`For example: Release 2.3`} error={faults.text}>
        {(control) => (
          <input
            {...control}
            maxLength={maxAnnotationLength}
            value={text}
            onChange={({ target }) => setTypedText(target.value)}
          />
        )}
      </Field>
      <Field label={t`Day`} width="narrow" error={faults.day}>
        {(control) => (
          <input {...control} type="date" {...goalDays} value={day} onChange={({ target }) => setTypedDay(target.value)} />
        )}
      </Field>
    </FormDialog>
  )
}

type TargetDialogProps = { scanId: ScanId; target: ScoreTarget | null; onClose: () => void }

export function TargetDialog({ scanId, target, onClose }: TargetDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { saveTarget } = useGoalActions(scanId)
  const [score, setScore] = useState(String(target?.score ?? 90))
  const [dueOn, setDueOn] = useState(target?.dueOn ?? '')
  const { formRef, faults, showFaults, showServerErrors, submitFailure } = useFormFaults(targetFields)
  const saveChange = (nextTarget: ScoreTarget | null) =>
    saveTarget.mutate(nextTarget, {
      onSuccess: () => {
        onClose()
        showToast('confirmation', t`Saved.`)
      },
      onError: showServerErrors,
    })
  const submit = () => {
    const points = Number(score)
    const isScoreWrong = !Number.isInteger(points) || points < 1 || points > 100
    const wrongScore = t(getFieldErrorMessage('wrong-type', { min: 1, max: 100 }))
    const required = t(getFieldErrorMessage('required'))
    if (showFaults({ ...(isScoreWrong && { score: wrongScore }), ...(dueOn === '' && { dueOn: required }) })) return
    saveChange({ score: points, dueOn })
  }
  return (
    <FormDialog
      title={t`Target of the score`}
      submitLabel={t`Save`}
      pending={saveTarget.isPending}
      formRef={formRef}
      failure={submitFailure !== null && { title: t`The changes could not be saved.`, error: submitFailure }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t`Score to reach`} width="narrow" error={faults.score}>
        {(control) => (
          <input {...control} inputMode="numeric" value={score} onChange={({ target: input }) => setScore(input.value)} />
        )}
      </Field>
      <Field label={t`Due on`} width="narrow" error={faults.dueOn}>
        {(control) => (
          <input {...control} type="date" {...goalDays} value={dueOn} onChange={({ target: input }) => setDueOn(input.value)} />
        )}
      </Field>
      {target && (
        <div>
          <Button small pending={saveTarget.isPending} onPress={() => saveChange(null)}>{t`Remove target`}</Button>
        </div>
      )}
    </FormDialog>
  )
}
