import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { Webhook } from '@clearway/contract/monitor/notification/schema.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { FactList } from '../../../kit/page/fact-list.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import layout from '../../../kit/page/layout.module.css'
import { useSession } from '../../user/model.ts'
import { deliveriesQuery } from '../queries.ts'
import { getDeliveryLabel, webhookEventLabels } from '../parts/labels.ts'

type WebhookRow = z.output<typeof Webhook>

export function WebhookFacts({ webhook: { url, events, active } }: { webhook: WebhookRow }) {
  const { t } = useLingui()
  const { formatList } = useFormats()
  return (
    <div className={`${layout.card} ${layout.pad}`}>
      <FactList
        facts={[
          [
            t`URL`,
            <span key="url" className={layout.break} translate="no">
              {url}
            </span>,
          ],
          [t`Events`, formatList(events.map((event) => t(webhookEventLabels[event])))],
          [t`State`, active ? t`Switched on` : t`Switched off`],
        ]}
      />
    </div>
  )
}

export function DeliveryTable({ scanId, webhook }: { scanId: ScanId; webhook: WebhookRow }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const { formatDateTime, formatNumber } = useFormats()
  const deliveryList = useQuery(deliveriesQuery(apiClient, scanId, webhook.id))
  if (!deliveryList.data)
    return <QueryState query={deliveryList} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} />
  const latestDeliveries = deliveryList.data.content
  if (latestDeliveries.length === 0) return <p className={layout.muted}>{t`No deliveries yet.`}</p>
  return (
    <div className={layout.card}>
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
          { key: 'status', heading: t`State`, renderCell: (delivery) => t(getDeliveryLabel(delivery)) },
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
    </div>
  )
}
