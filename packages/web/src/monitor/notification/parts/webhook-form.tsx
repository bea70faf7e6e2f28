import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { CheckGroup } from '../../../kit/form/check-group.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { useFormFaults } from '../../../kit/form/use-faults.ts'
import { useWebhookActions } from '../queries.ts'
import { eventWords } from './words.ts'

type Event = z.output<typeof NotificationEvent>
/** What one enters, as the request names it. */
export const webhookFields = ['url', 'events'] as const
type Props = { scan: ScanId; onMade: (secret: string) => void }

/** Adds a webhook with its events. */
export function WebhookForm({ scan, onMade }: Props) {
  const { t } = useLingui()
  const { create } = useWebhookActions(scan)
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly Event[]>(['finished', 'failed'])
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults(
    webhookFields,
    (name, { code, params: { max } }) =>
      name === 'url' && code === 'too-big'
        ? t`A scan can have at most ${max} webhooks. Delete one first.`
        : undefined,
  )
  const words = {
    finished: t(eventWords.finished),
    failed: t(eventWords.failed),
    'new-issues': t(eventWords['new-issues']),
  }
  const send = () => {
    const isFaulty = show({
      ...(!/^https?:\/\/[^/]/.test(url.trim()) && { url: t(getFieldErrorMessage('bad-url')) }),
      ...(events.length === 0 && { events: t`Choose at least one.` }),
    })
    if (isFaulty) return
    create.mutate(
      { url: url.trim(), events: [...events] },
      {
        onSuccess: ({ secret }) => {
          onMade(secret)
          setUrl('')
        },
        onError: refuse,
      },
    )
  }
  return (
    <CardForm
      formRef={form}
      submitFailure={failure}
      failureTitle={t`The webhook could not be added.`}
      submitLabel={t`Add webhook`}
      pending={create.isPending}
      onSubmit={send}
      header={<h2>{t`Add webhook`}</h2>}
    >
      <Field label={t`URL`} error={faults.url}>
        {(control) => (
          <input
            {...control}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={4000}
            placeholder="https://hooks.example.org/"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
      <CheckGroup
        legend={t`Events`}
        labels={words}
        selectedValues={events}
        error={faults.events}
        onChange={setEvents}
      />
    </CardForm>
  )
}
