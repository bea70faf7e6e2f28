import { useLingui } from '@lingui/react/macro'
import { useFormContext } from 'react-hook-form'
import { CheckField, Unavailable } from '../../../../kit/form/field.tsx'
import { useMailUnavailability } from '../../../user/parts/use-mail-unavailability.ts'
import type { ScanForm } from '../values.ts'
import { Question, TextField, TickField, useQuestionTexts } from './controls.tsx'

/** Recipients of emails about runs, and the events that trigger them. */
export function NotificationFields() {
  const { t } = useLingui()
  const { register, watch, formState } = useFormContext<ScanForm>()
  const [eventsQuestion, recipientsQuestion] = [useQuestionTexts('events'), useQuestionTexts('me')]
  const isMailUnavailable = useMailUnavailability()
  const eventOptions: [ScanForm['events'][number], string][] = [
    ['finished', t`A run is complete`],
    ['failed', t`A run failed`],
    ['new-issues', t`A run found new issues`],
  ]
  return (
    <Unavailable reason={isMailUnavailable.everybody}>
      <Question {...eventsQuestion} error={formState.errors.events?.message}>
        {eventOptions.map(([event, name]) => (
          <CheckField key={event} label={name}>
            {(control) => <input {...control} type="checkbox" value={event} {...register('events')} />}
          </CheckField>
        ))}
      </Question>
      <Question {...recipientsQuestion}>
        <fieldset disabled={isMailUnavailable.me !== undefined}>
          <TickField name="me" hint={isMailUnavailable.me} />
        </fieldset>
        <TickField name="allTeamMembers" />
        <TickField name="notifyOthers" />
      </Question>
      {watch('notifyOthers') && (
        <TextField
          name="specificUsers"

          lineCount={2}
        />
      )}
    </Unavailable>
  )
}
