import { Plural, useLingui } from '@lingui/react/macro'
import type { RegisteredIgnore } from '@clearway/contract/monitor/issue/ignore/schema.ts'
import { maxIssueLengths } from '@clearway/contract/monitor/issue/schema.ts'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { isPossibleEnd, toEndOfDay, toLastDay } from '../model-register.ts'
import { UntilField } from '../panel/until-field.tsx'
import { useRegisterActions } from '../queries-register.ts'

type DecisionDialogProps = { decision: RegisteredIgnore; onClose: () => void }

export const decisionFields = ['until', 'reason'] as const

export function ChangeDecisionDialog({ decision, onClose }: DecisionDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { changeIgnore } = useRegisterActions()
  const previousDay = toLastDay(decision.until)
  const [lastDay, setLastDay] = useState(previousDay)
  const [typedReason, setTypedReason] = useState(decision.reason)
  const { formRef, faults: fieldFaults, showFaults, showServerErrors, submitFailure } = useFormFaults(decisionFields)
  const submitChange = () => {
    // An unchanged end keeps its time of day.
    const hasNewEnd = lastDay !== previousDay
    const isEndPast = hasNewEnd && !isPossibleEnd(lastDay)
    if (showFaults(isEndPast ? { until: t(getFieldErrorMessage('in-past')) } : {})) return
    const patch = { reason: typedReason.trim(), ...(hasNewEnd && { until: toEndOfDay(lastDay) }) }
    changeIgnore.mutate(
      { path: { id: decision.scanId, ignore: decision.id }, patch },
      {
        onSuccess: () => {
          onClose()
          showToast('confirmation', t`Saved.`)
        },
        onError: showServerErrors,
      },
    )
  }
  return (
    <FormDialog
      title={t`Change ignored issues`}
      submitLabel={t`Save`}
      pending={changeIgnore.isPending}
      formRef={formRef}
      failure={submitFailure !== null && { title: t`The changes could not be saved.`, error: submitFailure }}
      onSubmit={submitChange}
      onClose={onClose}
    >
      <UntilField value={lastDay} error={fieldFaults.until} onChange={setLastDay} />
      <Field label={t`Reason`} optional={t`optional`} error={fieldFaults.reason}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={maxIssueLengths.reason}
            value={typedReason}
            onChange={({ target }) => setTypedReason(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

export function EndDecisionDialog({ decision, onClose }: DecisionDialogProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const { endIgnore } = useRegisterActions()
  return (
    <FormDialog
      title={t`Stop ignoring`}
      submitLabel={t`Stop ignoring`}
      kind="danger"
      pending={endIgnore.isPending}
      failure={endIgnore.isError && { title: t`The changes could not be saved.`, error: endIgnore.error }}
      onSubmit={() =>
        endIgnore.mutate(
          { id: decision.scanId, ignore: decision.id },
          {
            onSuccess: () => {
              onClose()
              showToast('confirmation', t`The issues are open again.`)
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>
        <Plural
          value={decision.issues}
          one="# issue of this decision becomes open again. It counts in the score."
          other="# issues of this decision become open again. They count in the score."
        />
      </p>
    </FormDialog>
  )
}
