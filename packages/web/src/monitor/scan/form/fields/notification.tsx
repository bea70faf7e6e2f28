import { useLingui } from '@lingui/react/macro'
import { useFormContext } from 'react-hook-form'
import { CheckField } from '../../../../kit/form/field.tsx'
import layout from '../../../../kit/page/layout.module.css'
import { useMailUnavailability } from '../../../user/parts/use-mail-unavailability.ts'
import type { ScanForm } from '../values.ts'
import { LinesField, Question, TickField, useFieldError, useQuestionTexts } from './controls.tsx'

export function NotificationFields() {
  const { t } = useLingui()
  const { register, watch } = useFormContext<ScanForm>()
  const [eventsQuestion, recipientsQuestion] = [useQuestionTexts('notification.events'), useQuestionTexts('notification.me')]
  const isMailUnavailable = useMailUnavailability()
  const eventsError = useFieldError('notification.events')
  // Boxes that change nothing would only say no. What they hold is kept.
  if (isMailUnavailable.everybody !== undefined)
    return <p className={layout.muted}>{t`This server sends no email. Runs still appear in your inbox.`}</p>
  const eventOptions: [ScanForm['notification']['events'][number], string][] = [
    ['finished', t`A run is complete`],
    ['failed', t`A run failed`],
    ['new-issues', t`A run found new issues`],
  ]
  return (
    <div className={layout.stack}>
      <Question {...eventsQuestion} error={eventsError}>
        {eventOptions.map(([event, name]) => (
          <CheckField key={event} label={name}>
            {(control) => <input {...control} type="checkbox" value={event} {...register('notification.events')} />}
          </CheckField>
        ))}
      </Question>
      <Question {...recipientsQuestion}>
        <fieldset disabled={isMailUnavailable.me !== undefined}>
          <TickField name="notification.me" hint={isMailUnavailable.me} />
        </fieldset>
        <TickField name="notification.allTeamMembers" />
        <TickField name="notification.notifyOthers" />
      </Question>
      {watch('notification.notifyOthers') && <LinesField name="notification.specificUsers" separator="comma" lineCount={2} />}
    </div>
  )
}
