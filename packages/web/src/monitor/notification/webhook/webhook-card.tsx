import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { Webhook } from '@clearway/contract/monitor/notification/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog/dialog.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { useSession } from '../../user/model.ts'
import { deliveriesQuery, useWebhookActions } from '../queries.ts'
import { deliveryStatusLabels, webhookEventLabels } from '../parts/labels.ts'

type WebhookCardProps = { scanId: ScanId; webhook: z.output<typeof Webhook> }

export function WebhookCard({ scanId, webhook }: WebhookCardProps) {
  const { t } = useLingui()
  const { formatList } = useFormats()
  const showToast = useToast()
  const { changeMutation, testMutation, deleteMutation } = useWebhookActions(scanId)
  const [isDeleteOpen, setIsDeleteOpen] = useState(false)
  const { id: webhookId, url: webhookUrl, events: webhookEvents, active: isActive } = webhook
  const showError = useShowError()
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={webhookUrl}>
      <div className={layout.tight}>
        <h2 className={layout.break} translate="no">
          {webhookUrl}
        </h2>
        <p className={layout.muted}>
          {formatList(webhookEvents.map((event) => t(webhookEventLabels[event])))} · {isActive ? t`Switched on` : t`Switched off`}
        </p>
        <div className={layout.row}>
          <Button
            small
            pending={testMutation.isPending}
            onPress={() => testMutation.mutate(webhookId, { onError: showError })}
          >{t`Send a test message`}</Button>
          <Button
            small
            pending={changeMutation.isPending}
            onPress={() =>
              changeMutation.mutate(
                { webhook: webhookId, body: { url: webhookUrl, events: webhookEvents, active: !isActive } },
                { onError: showError },
              )
            }
          >
            {isActive ? t`Switch off` : t`Switch on`}
          </Button>
          <Button small kind="danger" onPress={() => setIsDeleteOpen(true)}>{t`Delete…`}</Button>
        </div>
      </div>
      <DeliveryTable scanId={scanId} webhook={webhook} />
      {isDeleteOpen && (
        <Dialog alert title={t`Delete webhook`} onClose={() => setIsDeleteOpen(false)}>
          <p>{t`${webhookUrl} is no longer notified.`}</p>
          <DialogActions>
            <Button autoFocus onPress={() => setIsDeleteOpen(false)}>{t`Cancel`}</Button>
            <Button
              kind="danger"
              pending={deleteMutation.isPending}
              onPress={() =>
                // The card is unmounted by then, together with the mutation's own callbacks.
                void deleteMutation.mutateAsync(webhookId).then(() => showToast('confirmation', t`Webhook deleted.`), showError)
              }
            >{t`Delete webhook`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </section>
  )
}

function DeliveryTable({ scanId, webhook }: WebhookCardProps) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDateTime, formatNumber } = useFormats()
  const latestDeliveries = useQuery(deliveriesQuery(apiClient, scanId, webhook.id)).data?.content ?? []
  if (latestDeliveries.length === 0) return <p className={layout.muted}>{t`No deliveries yet.`}</p>
  return (
    <DataTable
      caption={t`Deliveries`}
      rows={latestDeliveries}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'at',
          heading: t`Date`,
          isRowHeading: true,
          renderCell: ({ createdAt }) => formatDateTime(createdAt),
        },
        { key: 'event', heading: t`Events`, renderCell: ({ event }) => t(webhookEventLabels[event]) },
        {
          key: 'run',
          heading: t`Run`,
          renderCell: ({ runNumber }) => (runNumber === null ? '' : formatNumber(runNumber)),
        },
        { key: 'status', heading: t`State`, renderCell: ({ status }) => t(deliveryStatusLabels[status]) },
        {
          key: 'attempts',
          heading: t`Attempts`,
          isNumeric: true,
          renderCell: ({ attempts }) => formatNumber(attempts),
        },
        {
          key: 'answer',
          heading: t`HTTP status`,
          renderCell: ({ lastStatus, lastError }) => lastStatus ?? lastError,
        },
      ]}
    />
  )
}
