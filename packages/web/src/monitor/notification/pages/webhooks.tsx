import { useLingui } from '@lingui/react/macro'
import type { ScanId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { toNamedOptions, Select } from '../../../kit/form/select.tsx'
import { CopyButton } from '../../../kit/control/copy-button.tsx'
import { Field } from '../../../kit/form/field.tsx'
import layout from '../../../kit/page/layout.module.css'
import { PageHead } from '../../../kit/page/head.tsx'
import { EmptyState, ErrorCard, Notice, Skeleton } from '../../../kit/page/states.tsx'
import { allScansQuery } from '../../scan/queries.ts'
import { useSession } from '../../user/model.ts'
import { WebhookCard } from '../parts/webhook-card.tsx'
import { WebhookForm } from '../parts/webhook-form.tsx'
import { webhooksQuery } from '../queries.ts'

const route = getRouteApi('/webhooks')

/** /webhooks: the webhooks of a scan, and their deliveries. */
export function WebhooksPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const { scan } = route.useSearch()
  const navigate = route.useNavigate()
  const scans = useQuery(allScansQuery(api)).data?.filter(({ rights }) => rights.manage) ?? []
  return (
    <>
      <PageHead
        title={t`Webhooks`}
        productName={config.productName}
        facts={t`URLs of other programs that are notified when a run has ended.`}
      />
      <div className={layout.stack}>
        <Field label={t`Scan`} hint={t`Scans that you manage.`}>
          {(control) => (
            <Select
              {...control}
              value={scan ?? ''}
              options={toNamedOptions(t`Choose a scan`, scans)}
              onChange={(id) => void navigate({ search: { scan: id === '' ? undefined : id } })}
            />
          )}
        </Field>
        {scan && <Webhooks key={scan} scan={scan} />}
      </div>
    </>
  )
}

function Webhooks({ scan }: { scan: ScanId }) {
  const { t } = useLingui()
  const { api } = useSession()
  const list = useQuery(webhooksQuery(api, scan))
  const [secret, setSecret] = useState<string | null>(null)
  if (list.isPending) return <Skeleton label={t`Loading`} />
  if (list.isError)
    return (
      <ErrorCard
        title={t`The list could not be loaded.`}
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    )
  return (
    <>
      <div role="status">
        {secret !== null && (
          <Notice kind="info" title={t`Webhook added. This is the secret of its signatures.`}>
            <p>{t`Copy it now: it is not shown again.`}</p>
            <p className={layout.row}>
              <code translate="no" className={layout.break}>
                {secret}
              </code>
              <CopyButton text={secret}>{t`Copy`}</CopyButton>
            </p>
          </Notice>
        )}
      </div>
      {list.data.length === 0 && (
        <div className={layout.card}>
          <EmptyState title={t`No webhooks yet`}>
            <p>{t`Add one below.`}</p>
          </EmptyState>
        </div>
      )}
      {list.data.map((webhook) => (
        <WebhookCard key={webhook.id} scan={scan} webhook={webhook} />
      ))}
      <WebhookForm scan={scan} onMade={setSecret} />
    </>
  )
}
