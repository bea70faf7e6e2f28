import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { CheckGroup } from '../../../kit/form/check-group.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { Select, toNamedOptions } from '../../../kit/form/select.tsx'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { allScansQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { useWebhookActions } from '../queries.ts'
import { webhookEventLabels } from '../parts/labels.ts'

type WebhookEvent = z.output<typeof NotificationEvent>
export const webhookFields = ['url', 'events'] as const
type WebhookDialogProps = { onCreated: (secret: string) => void; onClose: () => void }

/** Adds a webhook to a scan of choice. */
export function WebhookDialog({ onCreated, onClose }: WebhookDialogProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { createMutation } = useWebhookActions()
  const editableScans = useQuery(allScansQuery(apiClient)).data?.filter(({ rights }) => rights.manage)
  const [scanId, setScanId] = useState<ScanId | ''>('')
  const [typedUrl, setTypedUrl] = useState('')
  const [selectedEvents, setSelectedEvents] = useState<readonly WebhookEvent[]>(['finished', 'failed'])
  const {
    formRef,
    faults: fieldFaults,
    showFaults,
    showServerErrors,
    submitFailure,
  } = useFormFaults([...webhookFields, 'scan'], (name, { code, params: { max } }) =>
    name === 'url' && code === 'too-big' ? t`A scan can have at most ${max} webhooks. Delete one first.` : undefined,
  )
  const eventLabels = {
    finished: t(webhookEventLabels.finished),
    failed: t(webhookEventLabels.failed),
    'new-issues': t(webhookEventLabels['new-issues']),
  }
  const submitWebhook = () => {
    const hasFaults = showFaults({
      ...(scanId === '' && { scan: t`Choose a scan.` }),
      ...(!/^https?:\/\/[^/]/.test(typedUrl.trim()) && { url: t(getFieldErrorMessage('bad-url')) }),
      ...(selectedEvents.length === 0 && { events: t`Choose at least one.` }),
    })
    if (hasFaults || scanId === '') return
    const newWebhook = { scanId, body: { url: typedUrl.trim(), events: [...selectedEvents] } }
    // Not a callback of `mutate`, which a closed dialog never gets: the secret is shown only once.
    void createMutation.mutateAsync(newWebhook).then(({ secret }) => {
      onCreated(secret)
      onClose()
    }, showServerErrors)
  }
  return (
    <FormDialog
      title={t`New webhook`}
      submitLabel={t`Add webhook`}
      pending={createMutation.isPending}
      formRef={formRef}
      failure={submitFailure !== null && { title: t`The webhook could not be added.`, error: submitFailure }}
      onSubmit={submitWebhook}
      onClose={onClose}
    >
      <Field label={t`Scan`} hint={t`Scans that you manage.`} error={fieldFaults.scan}>
        {(control) => (
          <Select {...control} value={scanId} options={toNamedOptions(t`Choose a scan`, editableScans)} onChange={setScanId} />
        )}
      </Field>
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
    </FormDialog>
  )
}
