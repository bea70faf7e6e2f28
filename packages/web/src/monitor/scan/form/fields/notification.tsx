import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useFormContext } from 'react-hook-form'
import { CheckField } from '../../../../kit/form/field.tsx'
import { useSession } from '../../../user/model.ts'
import { ownSettingsQuery } from '../../../user/queries.ts'
import type { ScanForm } from '../values.ts'
import { Question, TextField, TickField, useQuestion } from './controls.tsx'

/** Who gets mail about the runs, and about what. */
export function NotificationFields() {
  const { t } = useLingui()
  const { register, watch, formState } = useFormContext<ScanForm>()
  const [occasions, recipients] = [useQuestion('events'), useQuestion('me')]
  const mail = useQuery(ownSettingsQuery(useSession().api)).data
  const isUnreachable = mail?.sendsMail === true && mail.email === null
  const events: [ScanForm['events'][number], string][] = [
    ['finished', t`A run is complete`],
    ['failed', t`A run failed`],
    ['new-issues', t`A run found new issues`],
  ]
  return (
    <>
      <Question {...occasions} error={formState.errors.events?.message}>
        {events.map(([event, name]) => (
          <CheckField key={event} label={name}>
            {(control) => <input {...control} type="checkbox" value={event} {...register('events')} />}
          </CheckField>
        ))}
      </Question>
      <Question {...recipients}>
        <TickField name="me" hint={isUnreachable ? t`Your account has no email address.` : undefined} />
        <TickField name="allTeamMembers" />
        <TickField name="notifyOthers" />
      </Question>
      {watch('notifyOthers') && (
        <TextField
          name="specificUsers"

          rows={2}
        />
      )}
      {mail?.sendsMail === false && <p>{t`This server sends no email.`}</p>}
    </>
  )
}
