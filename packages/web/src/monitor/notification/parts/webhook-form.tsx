import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { CheckGroup } from '../../../kit/form/check-group.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { useWebhookActions } from '../queries.ts'
import { webhookEventLabels } from './labels.ts'

type WebhookEvent = z.output<typeof NotificationEvent>
export const webhookFields = ['url', 'events'] as const
type WebhookFormProps = { scanId: ScanId; onCreated: (secret: string) => void }

export function WebhookForm({ scanId, onCreated }: WebhookFormProps) {
  const { t } = useLingui()
  const { createMutation } = useWebhookActions(scanId)
  const [typedUrl, setTypedUrl] = useState('')
  const [selectedEvents, setSelectedEvents] = useState<readonly WebhookEvent[]>(['finished', 'failed'])
  const {
    formRef,
    faults: fieldFaults,
    showFaults,
    showServerErrors,
    submitFailure,
  } = useFormFaults(webhookFields, (name, { code, params: { max } }) =>
    name === 'url' && code === 'too-big' ? t`A scan can have at most ${max} webhooks. Delete one first.` : undefined,
  )
  const eventLabels = {
    finished: t(webhookEventLabels.finished),
    failed: t(webhookEventLabels.failed),
    'new-issues': t(webhookEventLabels['new-issues']),
  }
  const submitWebhook = () => {
    const hasFaults = showFaults({
      ...(!/^https?:\/\/[^/]/.test(typedUrl.trim()) && { url: t(getFieldErrorMessage('bad-url')) }),
      ...(selectedEvents.length === 0 && { events: t`Choose at least one.` }),
    })
    if (hasFaults) return
    createMutation.mutate(
      { url: typedUrl.trim(), events: [...selectedEvents] },
      {
        onSuccess: ({ secret }) => {
          onCreated(secret)
          setTypedUrl('')
        },
        onError: showServerErrors,
      },
    )
  }
  return (
    <CardForm
      formRef={formRef}
      submitFailure={submitFailure}
      failureTitle={t`The webhook could not be added.`}
      submitLabel={t`Add webhook`}
      pending={createMutation.isPending}
      onSubmit={submitWebhook}
      header={<h2>{t`Add webhook`}</h2>}
    >
      <Field label={t`URL`} error={fieldFaults.url}>
        {(control) => (
          <input
            {...control}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={4000}
            placeholder="https://hooks.example.org/"
            value={typedUrl}
            onChange={({ target }) => setTypedUrl(target.value)}
          />
        )}
      </Field>
      <CheckGroup
        legend={t`Events`}
        labels={eventLabels}
        selectedValues={selectedEvents}
        error={fieldFaults.events}
        onChange={setSelectedEvents}
      />
    </CardForm>
  )
}
