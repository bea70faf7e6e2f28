import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PageHead } from '../../../kit/page/head.tsx'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { useSession } from '../../user/model.ts'
import { RetentionForm } from '../parts/retention-form.tsx'
import { retentionQuery } from '../queries.ts'

/** /admin/retention: how long runs keep what they found. */
export function RetentionPage(): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const stored = useQuery(retentionQuery(api))
  return (
    <>
      <PageHead title={t`Retention`} productName={config.productName} />
      {stored.isPending && <Skeleton label={t`Loading the settings`} />}
      {stored.isError && (
        <ErrorCard
          title={t`The settings could not be loaded.`}
          error={stored.error}
          onRetry={() => void stored.refetch()}
        />
      )}
      {stored.data && <RetentionForm stored={stored.data} />}
    </>
  )
}
