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
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSession } from '../../user/model.ts'
import { deliveriesQuery, useWebhookActions } from '../queries.ts'
import { deliveryWords, eventWords } from './words.ts'

type Props = { scan: ScanId; webhook: z.output<typeof Webhook> }

/** One webhook: its events, its latest deliveries, and what can be done with it. */
export function WebhookCard({ scan, webhook }: Props) {
  const { t } = useLingui()
  const { formatList: list } = useFormats()
  const toast = useToast()
  const { change, test, remove } = useWebhookActions(scan)
  const [deleting, setDeleting] = useState(false)
  const { id, url, events, active } = webhook
  const onError = (error: unknown) => toast('error', t(getProblemMessage(error)))
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={url}>
      <div className={layout.tight}>
        <h2 className={layout.break} translate="no">
          {url}
        </h2>
        <p className={layout.muted}>
          {list(events.map((event) => t(eventWords[event])))} · {active ? t`Switched on` : t`Switched off`}
        </p>
        <div className={layout.row}>
          <Button
            small
            pending={test.isPending}
            onPress={() => test.mutate(id, { onError })}
          >{t`Send a test message`}</Button>
          <Button
            small
            pending={change.isPending}
            onPress={() =>
              change.mutate({ webhook: id, body: { url, events, active: !active } }, { onError })
            }
          >
            {active ? t`Switch off` : t`Switch on`}
          </Button>
          <Button small kind="danger" onPress={() => setDeleting(true)}>{t`Delete…`}</Button>
        </div>
      </div>
      <Deliveries scan={scan} webhook={webhook} />
      {deleting && (
        <Dialog alert title={t`Delete webhook`} onClose={() => setDeleting(false)}>
          <p>{t`${url} is no longer notified.`}</p>
          <DialogActions>
            <Button autoFocus onPress={() => setDeleting(false)}>{t`Cancel`}</Button>
            <Button
              kind="danger"
              pending={remove.isPending}
              onPress={() =>
                // The card is gone by then, and with it what the mutation would call.
                void remove.mutateAsync(id).then(() => toast('confirmation', t`Webhook deleted.`), onError)
              }
            >{t`Delete webhook`}</Button>
          </DialogActions>
        </Dialog>
      )}
    </section>
  )
}

function Deliveries({ scan, webhook }: Props) {
  const { t } = useLingui()
  const { api } = useSession()
  const { formatDateTime: dateTime, formatNumber: number } = useFormats()
  const deliveries = useQuery(deliveriesQuery(api, scan, webhook.id)).data?.content ?? []
  if (deliveries.length === 0) return <p className={layout.muted}>{t`No deliveries yet.`}</p>
  return (
    <DataTable
      caption={t`Deliveries`}
      rows={deliveries}
      rowKey={({ id }) => id}
      columns={[
        { key: 'at', heading: t`Date`, isRowHeading: true, renderCell: ({ createdAt }) => dateTime(createdAt) },
        { key: 'event', heading: t`Events`, renderCell: ({ event }) => t(eventWords[event]) },
        { key: 'run', heading: t`Run`, renderCell: ({ runNumber }) => (runNumber === null ? '' : number(runNumber)) },
        { key: 'status', heading: t`State`, renderCell: ({ status }) => t(deliveryWords[status]) },
        { key: 'attempts', heading: t`Attempts`, isNumeric: true, renderCell: ({ attempts }) => number(attempts) },
        { key: 'answer', heading: t`HTTP status`, renderCell: ({ lastStatus, lastError }) => lastStatus ?? lastError },
      ]}
    />
  )
}
