import { useLingui } from '@lingui/react/macro'
import { useFormContext } from 'react-hook-form'
import { CheckField, Unavailable } from '../../../../kit/form/field.tsx'
import { useNoMail } from '../../../user/parts/use-no-mail.ts'
import type { ScanForm } from '../values.ts'
import { Question, TextField, TickField, useQuestion } from './controls.tsx'

/** Who gets mail about the runs, and about what. */
export function NotificationFields() {
  const { t } = useLingui()
  const { register, watch, formState } = useFormContext<ScanForm>()
  const [occasions, recipients] = [useQuestion('events'), useQuestion('me')]
  const noMail = useNoMail()
  const events: [ScanForm['events'][number], string][] = [
    ['finished', t`A run is complete`],
    ['failed', t`A run failed`],
    ['new-issues', t`A run found new issues`],
  ]
  return (
    <Unavailable reason={noMail.everybody}>
      <Question {...occasions} error={formState.errors.events?.message}>
        {events.map(([event, name]) => (
          <CheckField key={event} label={name}>
            {(control) => <input {...control} type="checkbox" value={event} {...register('events')} />}
          </CheckField>
        ))}
      </Question>
      <Question {...recipients}>
        <fieldset disabled={noMail.me !== undefined}>
          <TickField name="me" hint={noMail.me} />
        </fieldset>
        <TickField name="allTeamMembers" />
        <TickField name="notifyOthers" />
      </Question>
      {watch('notifyOthers') && (
        <TextField
          name="specificUsers"

          rows={2}
        />
      )}
    </Unavailable>
  )
}
