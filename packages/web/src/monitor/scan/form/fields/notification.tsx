import { useLingui } from '@lingui/react/macro'
import { useFormContext } from 'react-hook-form'
import { CheckField } from '../../../../kit/form/field.tsx'
import type { ScanForm } from '../values.ts'
import { Question, TextField, TickField } from './controls.tsx'

/** Who gets mail about the runs, and about what. */
export function NotificationFields() {
  const { t } = useLingui()
  const { register, watch, formState } = useFormContext<ScanForm>()
  const events: [ScanForm['events'][number], string][] = [
    ['finished', t`A run is complete`],
    ['failed', t`A run failed`],
    ['new-issues', t`A run found new issues`],
  ]
  return (
    <>
      <Question label={t`Email notifications`} error={formState.errors.events?.message}>
        {events.map(([event, name]) => (
          <CheckField key={event} label={name}>
            {(control) => <input {...control} type="checkbox" value={event} {...register('events')} />}
          </CheckField>
        ))}
      </Question>
      <Question label={t`Recipients`}>
        <TickField name="me" />
        <TickField name="allTeamMembers" />
        <TickField name="notifyOthers" />
      </Question>
      {watch('notifyOthers') && (
        <TextField
          name="specificUsers"

          rows={2}
        />
      )}
    </>
  )
}
