import { Plural, useLingui } from '@lingui/react/macro'
import type { ListedWebhook } from '@clearway/contract/monitor/notification/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../kit/control/button.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { focusTitle } from '../../../kit/page/focus-title.ts'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, Notice, QueryState, UnknownValue } from '../../../kit/page/states.tsx'
import { type Column, DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { getDeliveryLabel, webhookEventLabels } from '../parts/labels.ts'
import { webhookListQuery } from '../queries.ts'
import { WebhookDialog } from '../webhook/webhook-dialog.tsx'

type WebhookRow = z.output<typeof ListedWebhook>
const webhooksRoute = getRouteApi('/webhooks')

export function WebhooksPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const webhookSearch = webhooksRoute.useSearch()
  const navigateTo = webhooksRoute.useNavigate()
  const webhookList = useQuery(webhookListQuery(apiClient, webhookSearch))
  useLastPage(webhookList.data?.page, (page) => void navigateTo({ search: { ...webhookSearch, page }, replace: true }))
  const [isCreating, setIsCreating] = useState(false)
  const [newSecret, setNewSecret] = useState<string | null>(null)
  useEffect(() => {
    // The first webhook replaces the empty list, and with it the button that opened the dialog.
    if (newSecret !== null && !isCreating && document.activeElement === document.body) focusTitle()
  }, [newSecret, isCreating])
  const webhookColumns = useWebhookColumns()
  const totalCount = webhookList.data?.page.totalElements
  const createButton = (
    <Button kind="primary" onPress={() => setIsCreating(true)}>
      <Icon name="plus" />
      {t`New webhook`}
    </Button>
  )
  return (
    <>
      <PageHead
        title={t`Webhooks`}
        productName={appConfig.productName}
        crumbs={[<Link key="scans" to="/scans">{t`Scans`}</Link>]}
        facts={
          totalCount === 0
            ? undefined
            : totalCount !== undefined && <Plural value={totalCount} one="# webhook" other="# webhooks" />
        }
        actions={totalCount !== 0 && createButton}
      />
      <div className={layout.stack}>
        <div role="status">{newSecret !== null && <SecretNotice secret={newSecret} />}</div>
        <QueryState query={webhookList} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} />
        {webhookList.data && (
          <div className={layout.card}>
            {totalCount === 0 ? (
              <EmptyState title={t`No webhooks yet`} action={createButton}>
                <p>{t`A webhook tells a chat, a ticket system or a build when a run of a scan has ended.`}</p>
              </EmptyState>
            ) : (
              <>
                <DataTable
                  caption={t`Webhooks`}
                  columns={webhookColumns}
                  rows={webhookList.data.content}
                  rowKey={({ id }) => id}
                  isBusy={webhookList.isPlaceholderData}
                />
                <Pager
                  label={t`Pages of the list`}
                  page={webhookList.data.page}
                  onPage={(page) => void navigateTo({ search: { ...webhookSearch, page } })}
                  onSize={(size) => void navigateTo({ search: { page: 1, size } })}
                />
              </>
            )}
          </div>
        )}
      </div>
      {isCreating && <WebhookDialog onCreated={setNewSecret} onClose={() => setIsCreating(false)} />}
    </>
  )
}

function SecretNotice({ secret }: { secret: string }) {
  const { t } = useLingui()
  return (
    <Notice kind="info" title={t`Webhook added. This is the secret of its signatures.`}>
      <p>{t`Copy it now: it is not shown again.`}</p>
      <p className={layout.row}>
        <code translate="no" className={layout.break}>
          {secret}
        </code>
        <CopyButton text={secret}>{t`Copy`}</CopyButton>
      </p>
    </Notice>
  )
}

const deliveryLooks = {
  delivered: { icon: 'check', className: layout.muted },
  waiting: { icon: 'warning', className: layout.doubtful },
  failed: { icon: 'stopSign', className: layout.bad },
} as const

function LastDelivery({ delivery }: { delivery: WebhookRow['lastDelivery'] }) {
  const { t } = useLingui()
  const { formatDateTime } = useFormats()
  const [openedAt] = useState(Date.now)
  if (!delivery) return <span className={layout.muted}>{t`No deliveries yet.`}</span>
  const { status, lastStatus, lastError, createdAt, nextAt } = delivery
  const { icon, className } = deliveryLooks[status]
  const failure = status === 'delivered' ? null : lastStatus === null ? lastError : `HTTP ${lastStatus}`
  const nextAttempt = failure !== null && nextAt !== null && Date.parse(nextAt) > openedAt ? formatDateTime(nextAt) : null
  return (
    <>
      <span className={`${layout.line} ${className}`}>
        <Icon name={icon} />
        {t(getDeliveryLabel(delivery))}
      </span>
      {failure !== null && <p className={layout.sm}>{failure}</p>}
      <p className={`${layout.muted} ${layout.sm}`}>
        {nextAttempt === null ? formatDateTime(createdAt) : t`Next attempt: ${nextAttempt}`}
      </p>
    </>
  )
}

function useWebhookColumns(): readonly Column<WebhookRow>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      {
        key: 'url',
        heading: t`URL`,
        isRowHeading: true,
        renderCell: ({ id, scanId, address }) => (
          <Link to="/webhooks/$scanId/$webhookId" params={{ scanId, webhookId: id }} className={layout.rowName} translate="no">
            {address || <UnknownValue label={t`Not known`} />}
          </Link>
        ),
      },
      { key: 'scan', heading: t`Scan`, renderCell: ({ scanName }) => <span className={layout.break}>{scanName}</span> },
      {
        key: 'events',
        heading: t`Events`,
        renderCell: ({ events }) => events.map((event) => t(webhookEventLabels[event])).join(' · '),
      },
      { key: 'last', heading: t`Last delivery`, renderCell: ({ lastDelivery }) => <LastDelivery delivery={lastDelivery} /> },
      {
        key: 'state',
        heading: t`State`,
        renderCell: ({ active }) => (
          <span className={active ? layout.muted : layout.strong}>{active ? t`Switched on` : t`Switched off`}</span>
        ),
      },
    ],
    [t],
  )
}
