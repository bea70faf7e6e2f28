import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import layout from '../../../kit/page/layout.module.css'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { scanNamesQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { webhookQuery } from '../queries.ts'
import { WebhookActions } from '../webhook/webhook-actions.tsx'
import { DeliveryTable, WebhookFacts } from '../webhook/delivery-table.tsx'

const webhookRoute = getRouteApi('/webhooks/$scanId/$webhookId')

/** One webhook with its deliveries. */
export function WebhookPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const { scanId, webhookId } = webhookRoute.useParams()
  const webhookResult = useQuery(webhookQuery(apiClient, scanId, webhookId))
  const scanName = useQuery(scanNamesQuery(apiClient)).data?.find(({ id }) => id === scanId)?.name
  const webhook = webhookResult.data
  return (
    <>
      <PageHead
        title={webhook && URL.canParse(webhook.url) ? new URL(webhook.url).host : t`Webhook`}
        productName={appConfig.productName}
        crumbs={[<Link key="scans" to="/scans">{t`Scans`}</Link>, <Link key="webhooks" to="/webhooks">{t`Webhooks`}</Link>]}
        facts={
          scanName !== undefined && (
            <Link to="/scans/$scanId" params={{ scanId }}>
              {scanName}
            </Link>
          )
        }
        actions={webhook && <WebhookActions scanId={scanId} webhook={webhook} />}
      />
      <QueryState query={webhookResult} loadingLabel={t`Loading`} failureTitle={t`The webhook could not be loaded.`} />
      {webhook === null && (
        <div className={layout.card}>
          <EmptyState title={t`This webhook does not exist`}>
            <p>{t`It may have been deleted.`}</p>
          </EmptyState>
        </div>
      )}
      {webhook && (
        <div className={layout.stack}>
          <WebhookFacts webhook={webhook} />
          <DeliveryTable scanId={scanId} webhook={webhook} />
        </div>
      )}
    </>
  )
}
