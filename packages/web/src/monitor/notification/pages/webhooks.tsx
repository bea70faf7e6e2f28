import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { allScansQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { WebhookCard } from '../webhook/webhook-card.tsx'
import { WebhookForm } from '../parts/webhook-form.tsx'
import { webhooksQuery } from '../queries.ts'

const webhooksRoute = getRouteApi('/webhooks')

export function WebhooksPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const { scan: selectedScanId } = webhooksRoute.useSearch()
  const navigateTo = webhooksRoute.useNavigate()
  const manageableScans = useQuery(allScansQuery(apiClient)).data?.filter(({ rights }) => rights.manage) ?? []
  return (
    <>
      <PageHead
        title={t`Webhooks`}
        productName={appConfig.productName}
        facts={t`URLs of other programs that are notified when a run has ended.`}
      />
      <div className={layout.stack}>
        <Field label={t`Scan`} hint={t`Scans that you manage.`}>
          {(control) => (
            <Select
              {...control}
              value={selectedScanId ?? ''}
              options={toNamedOptions(t`Choose a scan`, manageableScans)}
              onChange={(id) => void navigateTo({ search: { scan: id === '' ? undefined : id } })}
            />
          )}
        </Field>
        {selectedScanId ? (
          <WebhookList key={selectedScanId} scan={selectedScanId} />
        ) : (
          <div className={layout.card}>
            <EmptyState title={t`No scan chosen`}>
              <p>{t`Each scan has webhooks of its own: a chat, a ticket system or a build can follow its runs. Choose a scan to see or add them.`}</p>
            </EmptyState>
          </div>
        )}
      </div>
    </>
  )
}

function WebhookList({ scan: scanId }: { scan: ScanId }) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const webhookList = useQuery(webhooksQuery(apiClient, scanId))
  const [newSecret, setNewSecret] = useState<string | null>(null)
  if (webhookList.isPending) return <Skeleton label={t`Loading`} />
  if (webhookList.isError)
    return (
      <ErrorCard title={t`The list could not be loaded.`} error={webhookList.error} onRetry={() => void webhookList.refetch()} />
    )
  return (
    <>
      <div role="status">
        {newSecret !== null && (
          <Notice kind="info" title={t`Webhook added. This is the secret of its signatures.`}>
            <p>{t`Copy it now: it is not shown again.`}</p>
            <p className={layout.row}>
              <code translate="no" className={layout.break}>
                {newSecret}
              </code>
              <CopyButton text={newSecret}>{t`Copy`}</CopyButton>
            </p>
          </Notice>
        )}
      </div>
      {webhookList.data.length === 0 && (
        <div className={layout.card}>
          <EmptyState title={t`No webhooks yet`}>
            <p>{t`Add one below.`}</p>
          </EmptyState>
        </div>
      )}
      {webhookList.data.map((webhook) => (
        <WebhookCard key={webhook.id} scanId={scanId} webhook={webhook} />
      ))}
      <WebhookForm scanId={scanId} onCreated={setNewSecret} />
    </>
  )
}
